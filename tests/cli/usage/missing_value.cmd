trainrig recommend --budget
