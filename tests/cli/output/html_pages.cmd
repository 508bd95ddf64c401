# every verb writes a page that an XML parser reads and that names nothing to load
trainrig recommend --budget 5000 --top 3 -f html -q >1.html
trainrig recommend --budget 100 -f html -q >2.html 2>/dev/null
trainrig frontier --from 1000 --to 10000 -f html -q >3.html
trainrig predict --gpu "RTX 4090 x2" --cores 16 --ram 64GB -f html -q >4.html
trainrig require --images-per-s 2000 -f html -q >5.html
trainrig catalog list gpus -f html -q >6.html
for page in ?.html; do
  python3 -c "import sys, xml.etree.ElementTree as tree; tree.parse(sys.argv[1])" $page || echo "$page cannot be read"
  grep -cE "<(script|link|img|iframe|object)|src=|@import|url\(" $page
  [ "$(wc -c <$page)" -lt 100000 ] || echo "$page is too long"
done
