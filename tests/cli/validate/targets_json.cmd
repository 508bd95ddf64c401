trainrig validate --targets --format json -o out.json
python3 - <<"END"
import json
out = json.load(open("out.json"))
print(out["schema"], len(out["targets"]), sorted(out["targets"][0]))
for target in out["targets"]:
    print(target["name"], target["left_out"], target["rows"], target["is_met"])
END
