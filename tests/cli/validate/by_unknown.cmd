trainrig validate --by gpu,colour
