trainrig validate --by kind --format markdown
