trainrig catalog lst
