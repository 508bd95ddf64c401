trainrig calibrate "$SOURCE/tests/data/three_runs.csv" --format html -o out.html
python3 - <<"END"
import xml.dom.minidom
page = xml.dom.minidom.parse("out.html")
print([h.firstChild.data for h in page.getElementsByTagName("h2")])
END
