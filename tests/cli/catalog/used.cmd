trainrig catalog list boards --used --format csv --columns name,price_usd,price_kind -q
