trainrig recommend --objective price --epoch-time-max 1h --format csv -q | cut -d, -f1-5
