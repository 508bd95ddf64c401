trainrig -q
