printf 'used = yes\n' >trainrig.conf
trainrig catalog list boards --columns name,price_usd --format csv -q
TRAINRIG_USED=no trainrig catalog list boards --columns name,price_usd --format csv -q
