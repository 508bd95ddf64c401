trainrig validate --leave-out system --fit model --by kind
