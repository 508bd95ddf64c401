trainrig catalog show 'antec c8' --format csv
