trainrig validate
