# one page; the style, version and catalogue hash are those of the day
trainrig recommend --budget 5000 --top 2 --format html |
  sed -e "/<style>/,/<\/style>/d" -e "s/trainrig [0-9.]*[0-9]/trainrig VERSION/" -e "s/catalogue [0-9a-f]*/catalogue HASH/"
