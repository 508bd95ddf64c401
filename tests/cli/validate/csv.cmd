trainrig validate --by kind --format csv
