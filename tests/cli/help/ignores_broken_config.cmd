echo 'nonsense' >trainrig.conf
trainrig help exit-codes >/dev/null
