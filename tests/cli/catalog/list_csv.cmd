trainrig catalog list gpus --format csv --columns name,mem_gb,price_usd --sort -price_usd
