trainrig validate --leave-out source --fit nothing --by source --format csv
