trainrig validate --by gpu,stage
