trainrig recommend --budget 99999999999999999999
