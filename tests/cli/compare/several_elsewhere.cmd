# other verbs take one workload
trainrig recommend --budget 8000 -w resnet50-imagenet -w vit_b16-imagenet
