trainrig compare --budget 8000 --format json -q | python3 -c '
import json, sys
d = json.load(sys.stdin)
print(d["schema"], [c["workload"] for c in d["comparisons"]])
c = d["comparisons"][0]
for m in c["machines"]:
    print(m["machine"], m["held"], m["price_usd"], m["cost_per_epoch_usd"], m["spot_per_epoch_usd"])
    parts = sum(m[k + "_per_epoch_usd"] or 0 for k in ("depreciation", "interest", "maintenance", "hosting", "electricity", "rent"))
    assert abs(parts - m["cost_per_epoch_usd"]) < 1e-9 * parts
for b in c["break_evens"]:
    print(b["own"], b["rented"], b["is_spot"], b["pays_ever"], b["hours_per_week"])
print(c["economics"])'
