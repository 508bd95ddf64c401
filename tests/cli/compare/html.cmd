# one page; the style, version and catalogue hash are those of the day
trainrig compare --budget 8000 --format html -q |
  sed -e "/<style>/,/<\/style>/d" -e "s/trainrig [0-9.]*[0-9]/trainrig VERSION/" -e "s/catalogue [0-9a-f]*/catalogue HASH/"
