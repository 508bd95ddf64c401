trainrig -q catalog --format csv list --columns name nics
trainrig --format=csv -q catalog list --columns=name -- nics
