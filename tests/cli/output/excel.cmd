trainrig catalog list nics -q --format csv --columns name --excel | od -c
