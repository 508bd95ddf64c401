trainrig catalog list nic --format csv --columns name -q
