trainrig recommend --objective price
