trainrig predict
