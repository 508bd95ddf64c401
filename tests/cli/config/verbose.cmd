printf 'columns = name\n' >trainrig.conf
TRAINRIG_FORMAT=csv trainrig catalog list nics --verbose --used >/dev/null
