trainrig validate --fit stacks
