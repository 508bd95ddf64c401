trainrig validate --targets --leave-out gpu
