printf 'name,part_class,price_usd,price_kind,price_source,price_date\nNVIDIA GeForce RTX 4090,,1234,quote,shop,2026-01-01\n' >mine.csv
trainrig catalog list gpus --prices mine.csv --format csv --columns name,price_usd --require 'name = *4090' -q
