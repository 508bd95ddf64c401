export XDG_CONFIG_HOME=$PWD/xdg
mkdir -p xdg/trainrig
printf '# user\nsort = name\ncolumns = name\nformat = csv\n' >xdg/trainrig/config
printf 'columns = name,mem_gb\n\n  sort = -mem_gb  \n' >trainrig.conf
trainrig catalog list gpus -q
TRAINRIG_COLUMNS=name,tdp_w trainrig catalog list gpus -q
TRAINRIG_COLUMNS=name,tdp_w trainrig catalog list gpus -q --columns name,year
