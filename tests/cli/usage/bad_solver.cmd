trainrig recommend --budget 20k --solver nosuch
