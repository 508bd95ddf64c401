trainrig recommend --budget ''
