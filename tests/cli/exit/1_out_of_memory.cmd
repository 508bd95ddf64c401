exec 2>/dev/null
# short of memory the program works or says 1, it never crashes; a limit under which it cannot even
# start (sanitizers need terabytes) tells nothing
said=
for kib in $(seq 4000 100 9000) $(seq 9500 500 16000); do
  (ulimit -v $kib; trainrig --version) >/dev/null 2>&1 || continue
  (ulimit -v $kib; trainrig recommend --budget 5000) >/dev/null 2>&1
  code=$?
  case $code in 1) said=${said:-yes} ;; 0) said=${said:-never} ;; *) echo "$kib KiB: exit $code" ;; esac
done
echo "exit 1: ${said:-yes}"
