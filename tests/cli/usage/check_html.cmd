trainrig catalog check -f html
