trainrig catalog list gpus --price-after 2026 --format csv --columns name,price_usd -q
