trainrig export
