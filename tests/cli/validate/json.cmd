trainrig validate --by kind --format json
