trainrig validate --leave-out colour
