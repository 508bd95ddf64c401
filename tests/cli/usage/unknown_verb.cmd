trainrig improve
