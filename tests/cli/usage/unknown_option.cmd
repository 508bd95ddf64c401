trainrig recommend --zzzzzzzzzz
