trainrig recommend --budget 20k --price-after 2025-02-30
