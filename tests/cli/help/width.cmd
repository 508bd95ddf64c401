# no line of any help is longer than 100 columns, none of the options longer than 79
for verb in recommend frontier predict require validate calibrate catalog help completion; do
  trainrig "$verb" --help | sed -n '/^What\|^The\|^Measurements\|^General\|^Output/,$p' | awk -v verb="$verb" 'length > 79 {print verb ": " $0}'
done
