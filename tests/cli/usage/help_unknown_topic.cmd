trainrig help exitcodes
