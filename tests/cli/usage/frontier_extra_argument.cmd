trainrig frontier 3000
