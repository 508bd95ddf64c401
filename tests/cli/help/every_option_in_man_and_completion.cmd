# options of --help, of the manual page and of the completions are the same set
for verb in recommend sweep frontier compare export predict require validate calibrate catalog help completion; do trainrig $verb --help; done |
  grep -o '^  \(-., \|    \)--[a-z-]*' | grep -o -- '--.*' | sort -u >help
trainrig help --man | sed -n '/^.SH OPTIONS/,/^.SH "EXIT/p' | sed 's/\\-/-/g' | grep -o '^\\fB-.*' |
  grep -o -- '--[a-z-]*' | sort -u >man
trainrig completion bash | grep -o -- ' --[a-z][a-z-]*' | tr -d ' ' | sort -u >bash
trainrig completion zsh | grep -o -- "'[*]*--[a-z-]*" | tr -d "'*" | sort -u >zsh
trainrig completion fish | grep '^complete' | grep -o -- ' -l [a-z-]*' | sed 's/ -l /--/' | sort -u >fish
[ "$(wc -l <help)" -gt 60 ] || echo "only $(wc -l <help) options"
for other in man zsh fish bash; do diff help $other; done
