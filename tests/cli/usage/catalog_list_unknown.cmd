trainrig catalog list gpsu
