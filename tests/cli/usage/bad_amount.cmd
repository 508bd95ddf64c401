trainrig recommend --budget abc
