trainrig catalog check /nonexistent
