mkdir more
printf 'name,gbps_per_port,ports,protocol,price_usd\nMy card,25,2,Ethernet,50\n' >more/nics.csv
trainrig catalog list nics --catalog more --format csv --columns name,price_usd -q
