# no line of any help is longer than 100 columns, none of the options longer than 79
for verb in recommend frontier predict require catalog help completion; do
  trainrig "$verb" --help | sed -n '/^What\|^The\|^General\|^Output/,$p' | awk -v verb="$verb" 'length > 79 {print verb ": " $0}'
done
