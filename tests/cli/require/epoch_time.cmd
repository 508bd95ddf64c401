trainrig require --epoch-time 20min --format csv -q | wc -l
