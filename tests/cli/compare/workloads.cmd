trainrig compare --budget 8000 -w resnet50-imagenet -w vit_b16-imagenet --no-cloud -q
