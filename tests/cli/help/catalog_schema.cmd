trainrig help catalog-schema >a; head -n 12 a
