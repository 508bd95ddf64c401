trainrig recommend --budget 20k --fail-if 'price_usd > x'
