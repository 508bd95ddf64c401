trainrig validate --leave-out gpu --by gpu
