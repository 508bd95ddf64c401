trainrig recommend --budget 5000 --fail-if 'price_usd > 100' -q --format csv | wc -l; exit ${PIPESTATUS[0]}
