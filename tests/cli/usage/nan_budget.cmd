trainrig recommend --budget nan
