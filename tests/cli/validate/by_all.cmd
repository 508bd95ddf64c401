trainrig validate --by all --format csv | cut -d, -f1 | sort | uniq -c
