/* SPDX-License-Identifier: GPL-3.0-or-later
 * A catalogue of a few parts, some with names that are hard to write as CSV. */
#include "small_catalog.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* File name and content; the figures are made up. */
static const char *const files[][2] = {
    {"cpus.csv",
     "name,vendor,segment,family,cores,threads,socket,max_sockets,mem_channels,mem_type,mem_mts,"
     "pcie_gen,pcie_lanes,tdp_w,price_usd\n"
     "Chip A,AMD,desktop,Zen,8,16,AM5,1,2,DDR5,5200,5,24,100,300\n"
     "=1+2,AMD,desktop,Zen,8,16,AM5,1,2,DDR5,5200,5,24,100,300\n"
     "\"Say \"\"B\"\", twice\",AMD,server,Zen,8,16,SP5,2,2,DDR5,5200,5,24,100,300\n"},
    {"gpus.csv",
     "name,vendor,arch,year,mem_gb,mem_gbs,pcie_gen,pcie_lanes,form,slots,tdp_w,price_usd\n"
     "GeForce RTX 4090,NVIDIA,Ada,2022,24,1008,4,16,pcie,3,450,1600\n"
     "GeForce RTX 4090 D,NVIDIA,Ada,2023,24,1008,4,16,pcie,3,425,1500\n"
     "-Minus|Card,NVIDIA,Ada,2022,24,1008,4,16,pcie,3,450,\n"},
    {"memory.csv",
     "name,type,module_gb,modules,total_gb,mts,price_usd\n"
     "Kit 64,DDR5,32,2,64,5600,200\n"},
};
#define N_FILES (sizeof(files) / sizeof(files[0]))

static void write_file(const char *path, const char *text)
{
    FILE *file = fopen(path, "wb");
    if (file == NULL || fputs(text, file) == EOF || fclose(file) != 0) {
        abort();
    }
}

rig_catalog *small_catalog_load(void)
{
    char directory[] = "/tmp/trainrig-report-XXXXXX";
    char path[128];
    if (mkdtemp(directory) == NULL) {
        abort();
    }
    for (size_t i = 0; i < N_FILES; i++) {
        (void)snprintf(path, sizeof(path), "%s/%s", directory, files[i][0]);
        write_file(path, files[i][1]);
    }
    const char *const directories[] = {directory};
    rig_catalog_options options = rig_catalog_options_default();
    options.directories = directories;
    options.n_directories = 1;
    rig_catalog *catalog = NULL;
    rig_error err = {.message = ""};
    if (rig_catalog_load(&catalog, &options, &err) != RIG_OK) {
        (void)fprintf(stderr, "%s:%ld: %s\n", err.where, err.line, err.message);
        abort();
    }
    for (size_t i = 0; i < N_FILES; i++) {
        (void)snprintf(path, sizeof(path), "%s/%s", directory, files[i][0]);
        (void)unlink(path);
    }
    (void)rmdir(directory);
    return catalog;
}
