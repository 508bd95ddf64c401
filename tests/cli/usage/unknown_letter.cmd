trainrig recommend -Z
