trainrig catalog list nics -q --format csv --columns name --crlf | od -c
