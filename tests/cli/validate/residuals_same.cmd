trainrig validate --residuals -
