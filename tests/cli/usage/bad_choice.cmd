trainrig recommend --budget 20k --format xml
