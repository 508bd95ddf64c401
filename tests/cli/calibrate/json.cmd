trainrig calibrate "$SOURCE/tests/data/three_runs.csv" --format json -o out.json && ls
python3 - <<"END"
import json
out = json.load(open("out.json"))
print({key: value if not isinstance(value, (dict, list)) else type(value).__name__ for key, value in out.items() if key != "version"})
print(out["held_out"]["left_out"], out["held_out"]["before"]["rows"], out["held_out"]["after"]["mape_frac"] < out["held_out"]["before"]["mape_frac"])
print(sorted(out["changes"][0]))
END
