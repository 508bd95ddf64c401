trainrig recommend --budget 5000 -o /nonexistent/x
