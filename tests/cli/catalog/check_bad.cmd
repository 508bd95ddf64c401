cp -r "$TRAINRIG_DATA/catalog" c
printf 'name,gbps_per_port,ports,protocol\nA,fast,1,Ethernet\nB,10,0,Ethernet\nB,10,1,Ethernet\n' >c/nics.csv
trainrig catalog check c
