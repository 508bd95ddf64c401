# every assumption is an option and is printed
trainrig compare --budget 8000 --no-cloud --interest 5% --resale 20% --maintenance 4% --hosting 50 --grid 0.4 --electricity 0.3 --pue 1.2 --lifetime 4y --utilisation 50% -q
