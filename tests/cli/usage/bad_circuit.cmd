trainrig recommend --budget 20k --circuit 110V:
