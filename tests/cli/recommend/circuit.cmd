trainrig recommend --budget 20k --circuit 110V:5A --format csv -q | cut -d, -f1-5
