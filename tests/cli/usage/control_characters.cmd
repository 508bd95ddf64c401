trainrig $'a\e[31mb'
