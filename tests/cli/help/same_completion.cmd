trainrig help completion >a; trainrig completion -h >b; cmp a b
