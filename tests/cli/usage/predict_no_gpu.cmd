trainrig predict --cores 8
