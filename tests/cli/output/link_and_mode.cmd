umask 022
echo old >real; chmod 640 real; ln -s real link
trainrig catalog list nics -q --format csv --columns name -o link
stat -c '%a %F' real link
cat real
trainrig catalog list nics -q --format csv --columns name -o new
stat -c %a new
