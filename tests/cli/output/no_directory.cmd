trainrig catalog list gpus -q -o /nonexistent/x.csv
