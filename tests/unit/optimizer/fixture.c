/* SPDX-License-Identifier: GPL-3.0-or-later
 * Writes the small catalogue to a temporary directory, loads it and takes the directory away. */
#include "fixture.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

/* File stem and content; figures are made up and round, so that expectations can be read. */
static const char *const files[][2] = {
    {"cpus",
     "name,vendor,segment,family,cores,threads,base_ghz,boost_ghz,socket,max_sockets,mem_channels,"
     "mem_type,mem_mts,pcie_gen,pcie_lanes,tdp_w,specrate2017_int_1p,geekbench6_multi,price_usd,"
     "price_kind,price_source,price_date,price_trust\n"
     "Desk Eight,AMD,desktop,Desk5,8,16,4,5,AM5,1,2,DDR5,5200,5,28,100,80,15000,300,street,test,"
     "2026-01-01,good\n"
     "Epyc Sixteen,AMD,server,Rome,16,32,3,3.3,SP3,2,8,DDR4,3200,4,128,150,150,,800,list-1kU,test,"
     "2020-03,low\n"
     "Epyc Single,AMD,server,Rome,16,32,3,3.3,SP3,1,8,DDR4,3200,4,128,150,150,,600,list-1kU,test,"
     "2026-01-01,good\n"
     "Ripper,AMD,hedt,Zen 4 Threadripper,24,48,4,5.3,sTR5,1,4,DDR5,5200,5,88,350,,20000,1500,"
     "street,test,2026-01-01,good\n"
     "Ripper PRO,AMD,hedt,Zen 4 Threadripper PRO,32,64,4,5.3,sTR5,1,8,DDR5,5200,5,128,350,,24000,"
     "3900,street,test,2026-01-01,good\n"
     "Xeon Hundred,Intel,server,Sapphire,32,64,2,3.5,LGA4677,2,8,DDR5,4800,5,80,270,250,,2000,"
     "list-1kU,test,2026-01-01,good\n"
     "Priceless,AMD,desktop,Desk5,6,12,4,5,AM5,1,2,DDR5,5200,5,28,65,,,,,,,\n"},
    {"gpus",
     "name,vendor,arch,year,mem_gb,mem_gbs,fp32_tflops,tensor_fp16_tflops,tf32_tflops,pcie_gen,"
     "pcie_lanes,nvlink_gbs,nvlink_max_gpus,form,slots,slots_cards_median,length_mm,tdp_w,"
     "price_usd,price_kind,price_source,price_date,price_trust\n"
     "GeForce Card Three,NVIDIA,Ada,2022,24,1000,80,160,80,4,16,,,pcie,3,3.2,350,450,1800,street,"
     "test,2026-01-01,good\n"
     "Card Two,NVIDIA,Ada,2022,48,900,90,180,90,4,16,,,pcie,2,,270,300,4000,street,test,"
     "2026-01-01,good\n"
     "Card One,NVIDIA,Ada,2022,16,400,30,60,30,4,8,,,pcie,1,,,70,700,street,test,2026-01-01,good\n"
     "Module A,NVIDIA,Ampere,2020,40,1555,19.5,312,156,4,16,600,8,sxm,0,,,400,9000,street,test,"
     "2026-01-01,good\n"
     "Module Two,NVIDIA,Ampere,2020,32,900,15,120,,3,16,300,4,sxm2,0,,,300,2000,street,test,"
     "2026-01-01,good\n"
     "Guess,Other,Guessed,2024,32,1000,50,100,50,4,16,,,pcie,2,,270,300,1400,street,test,"
     "2026-01-01,good\n"
     "Stranger,Other,Unknown,2024,32,1000,50,100,50,4,16,,,pcie,2,,270,300,1500,street,test,"
     "2026-01-01,good\n"},
    {"memory",
     "name,type,kind,module_gb,modules,total_gb,mts,price_usd,price_kind,price_source,price_date\n"
     "UDIMM 2x32,DDR5,UDIMM,32,2,64,5600,200,street,test,2026-01-01\n"
     "UDIMM 2x16 D4,DDR4,UDIMM,16,2,32,3600,80,street,test,2026-01-01\n"
     "RDIMM 32 D4,DDR4,RDIMM,32,1,32,3200,100,street,test,2026-01-01\n"
     "LRDIMM 64 D4,DDR4,LRDIMM,64,1,64,3200,180,street,test,2026-01-01\n"
     "RDIMM 32 D5,DDR5,RDIMM,32,1,32,4800,180,street,test,2026-01-01\n"
     "Unkind D5,DDR5,,32,1,32,4800,90,street,test,2026-01-01\n"},
    {"storage",
     "name,type,capacity_gb,seq_read_mbs,rand_read_kiops,interface,pcie_gen,pcie_lanes,form_factor,"
     "price_usd,price_kind,price_source,price_date\n"
     "Stick 2T,nvme,2000,7000,1000,M.2 PCIe 4.0 X4,4,4,M.2-2280,150,street,test,2026-01-01\n"
     "Stick Slow Link,nvme,1000,7000,1000,M.2 PCIe 3.0 X2,3,2,M.2-2280,80,street,test,2026-01-01\n"
     "Stick Unrated,nvme,1000,,,M.2 PCIe 4.0 X4,4,4,M.2-2280,70,street,test,2026-01-01\n"
     "Bay 4T,nvme,4000,7000,1000,U.2 PCIe 4.0 x4,4,4,2.5,500,street,test,2026-01-01\n"
     "Sata 1T,sata-ssd,1000,550,90,SATA 6.0 Gb/s,,,2.5,80,street,test,2026-01-01\n"
     "Disk 10T,hdd,10000,250,0.2,SATA 6.0 Gb/s,,,3.5,200,street,test,2026-01-01\n"
     "Sas 10T,hdd,10000,250,0.2,SAS 12.0 Gb/s,,,3.5,220,street,test,2026-01-01\n"
     "Relic,hdd,100,50,0.1,PATA 100,,,3.5,40,street,test,2026-01-01\n"
     "Tiny,sata-ssd,60,500,80,SATA 6.0 Gb/s,,,2.5,30,street,test,2026-01-01\n"},
    {"boards",
     "name,kind,socket,sockets,cpu_families,form_factor,mem_type,dimm_kind,dimm_slots,max_mem_gb,"
     "pcie_x16_slots,pcie_x16_cpu_slots,pcie_gen,gpu_form,gpu_slots_double_width,m2_slots,"
     "sata_ports,u2_ports,rack_u,psu_included_w,price_usd,price_kind,price_source,price_date\n"
     "Desk Board,board,AM5,1,Desk5,ATX,DDR5,UDIMM,4,128,2,2,5,pcie,,2,4,0,,,250,street,test,"
     "2026-01-01\n"
     "Desk Chipset,board,AM5,1,,ATX,DDR5,UDIMM,4,,3,,4,pcie,,,,,,,150,street,test,2026-01-01\n"
     "Tiny Board,board,AM5,1,,Mini-ITX,DDR5,UDIMM,2,64,1,1,5,pcie,,1,2,0,,,180,street,test,"
     "2026-01-01\n"
     "Pro Board,board,sTR5,1,Zen 4 Threadripper PRO,SSI EEB,DDR5,RDIMM,8,2048,7,,5,pcie,4,4,4,2,,,"
     "1100,street,test,2026-01-01\n"
     "Trx Board,board,sTR5,1,Zen 4 Threadripper;Zen 4 Threadripper PRO,SSI CEB,DDR5,RDIMM,4,1024,4,"
     ",5,pcie,3,3,4,0,,,800,street,test,2026-01-01\n"
     "Dual Rome,board,SP3,2,Rome;Milan,EATX,DDR4,RDIMM,16,4096,6,,4,pcie,,2,8,0,,,900,street,test,"
     "2026-01-01\n"
     "Mystery,board,SP3,1,,,,,,,,,,pcie,,,,,,,500,street,test,2026-01-01\n"
     "Odd Form,board,SP3,1,,proprietary,DDR4,RDIMM,8,1024,4,,4,pcie,4,1,4,0,,,500,street,test,"
     "2026-01-01\n"
     "Bare "
     "Eight,barebone,SP3,2,Rome;Milan,server,DDR4,RDIMM,32,8192,,,4,pcie,8,,,4,4,5000,6000,street,"
     "test,"
     "2026-01-01\n"
     "Bare Weak,barebone,SP3,2,,server,DDR4,RDIMM,32,8192,,,4,pcie,8,,,,4,1000,4000,street,test,"
     "2026-01-01\n"
     "Bare "
     "Blank,barebone,SP3,2,,server,DDR4,RDIMM,32,,,,4,pcie,,,,,4,,4500,street,test,2026-01-01\n"
     "Bare Sxm,barebone,SP3,2,,server,DDR4,RDIMM,32,8192,,,4,sxm,8,2,4,4,4,9000,9000,street,test,"
     "2026-01-01\n"
     "Carrier Two,barebone,SP3,2,,server,DDR4,RDIMM,32,8192,,,4,sxm2,4,2,4,4,4,4000,3000,street,"
     "test,2026-01-01\n"},
    {"psus",
     "name,form_factor,wattage_w,conn_pcie_8pin,conn_12vhpwr,price_usd,price_kind,price_source,"
     "price_date\n"
     "Power 850,ATX,850,4,,120,street,test,2026-01-01\n"
     "Power 1600,ATX,1600,8,2,400,street,test,2026-01-01\n"
     "Power 1600 Thin,ATX,1600,2,,350,street,test,2026-01-01\n"
     "Power 1600 Blank,ATX,1600,,,340,street,test,2026-01-01\n"
     "Blade 2000,server,2000,,,300,street,test,2026-01-01\n"},
    {"chassis",
     "name,form_factor,rack_u,expansion_slots,max_gpu_length_mm,drive_bays_35,price_usd,price_kind,"
     "price_source,price_date\n"
     "Tower Full,ATX Full Tower,,9,400,6,200,street,test,2026-01-01\n"
     "Tower Mid,ATX Mid Tower,,7,300,,100,street,test,2026-01-01\n"
     "Rack Four,rack,4,7,,8,300,street,test,2026-01-01\n"
     "Rack Two,rack,2,7,,8,250,street,test,2026-01-01\n"
     "Blind,ATX Full Tower,,,,,90,street,test,2026-01-01\n"},
    {"servers",
     "name,rack_u,cpu_name,cpu_count,gpu_name,gpu_count,ram_gb,mem_mts,storage_gb,"
     "storage_read_mbs,psu_included_w,price_usd,price_kind,price_source,price_date,price_trust\n"
     "Complete,4,Epyc Sixteen,2,Module A,8,512,,15000,12000,6000,150000,guide,test,2026-01-01,"
     "low\n"
     "Bare Facts,6,,,Module A,,,,,,,140000,guide,test,2026-01-01,low\n"
     "No Gpu,2,Epyc Sixteen,,,,256,2933,4000,,,100000,guide,test,2026-01-01,low\n"},
    {"baseboards",
     "name,gpu_name,gpu_count,form,price_usd,price_kind,price_source,price_date\n"
     "Board of Four,Module A,4,sxm,45000,guide,test,2026-01-01\n"},
    {"nics",
     "name,gbps_per_port,ports,protocol,price_usd,price_kind,price_source,price_date\n"
     "Net 100,100,1,Ethernet,500,street,test,2026-01-01\n"},
    {"efficiency",
     "name,step_factor,log_sd,rows,source\n"
     "NVIDIA Ada | eager,1.1,0.1,5,test\n"
     "NVIDIA Ampere | eager,1,0.05,9,test\n"
     "Other Guessed | eager,1.2,0.4,0,assumption\n"},
    {"networks",
     "name,params_m,gmacs,input_px,activations_m,kind,source\n"
     "net,25.6,4.1,224,11.1,cnn,test\n"},
    {"datasets",
     "name,images,mean_bytes,mean_px,layout,source\n"
     "set,1000000,100000,180000,files,test\n"},
    {"loaders",
     "name,decode,decode_factor,augment_factor,overhead_ms,host_share,worker_ram_gb,ipc_gbs,"
     "output_bytes,log_sd,source\n"
     "load,cpu,1,1,0.5,1,1,,4,0.2,test\n"},
    {"stacks",
     "name,family,step_factor,compute_factor,memory_factor,launch_factor,contention,log_sd,source\n"
     "stack,eager,1,1,1,1,0,0.1,test\n"},
    {"workloads",
     "name,network,dataset,loader,stack,precision,batch_per_gpu,epochs\n"
     "work,net,set,load,stack,amp,256,90\n"},
};

#define N_FILES (sizeof files / sizeof files[0])

static void path_of(char *out, size_t size, const char *directory, const char *stem)
{
    assert_true(snprintf(out, size, "%s/%s.csv", directory, stem) < (int)size);
}

static void write_files(const char *directory)
{
    char path[512];
    for (size_t i_file = 0; i_file < N_FILES; i_file++) {
        path_of(path, sizeof path, directory, files[i_file][0]);
        FILE *const file = fopen(path, "wb");
        assert_non_null(file);
        assert_int_not_equal(fputs(files[i_file][1], file), EOF);
        assert_int_equal(fclose(file), 0);
    }
}

static void remove_files(const char *directory)
{
    char path[512];
    for (size_t i_file = 0; i_file < N_FILES; i_file++) {
        path_of(path, sizeof path, directory, files[i_file][0]);
        assert_int_equal(remove(path), 0);
    }
    assert_int_equal(rmdir(directory), 0);
}

/* The constants as shipped, then round figures for those that expectations rest on. */
static void set_constants(rig_constants *out)
{
    static const char *const directories[] = {RIG_SOURCE_DIR "/model/data"};
    rig_error err = {0};
    rig_catalog *catalog = NULL;
    rig_constants *shipped = NULL;
    rig_catalog_options options = rig_catalog_options_default();
    options.directories = directories;
    options.n_directories = 1;
    if (rig_catalog_load(&catalog, &options, &err) != RIG_OK ||
        rig_constants_new(&shipped, catalog, &err) != RIG_OK) {
        fail_msg("%s:%ld:%ld: %s", err.where, err.line, err.column, err.message);
    }
    *out = *shipped;
    rig_constants_free(shipped);
    rig_catalog_free(catalog);
    out->unnamed_core_speed = 0.8;
    out->dimm_power_w = 5;
    out->nvme_power_w = 8;
    out->nic_power_w = 25;
    out->server_nic_slots_unknown = 1;
    out->hdd_power_w = 10;
    out->base_power_w = 50;
    out->base_power_server_w = 300;
    out->power_headroom_factor = 1.25;
    out->connector_8pin_w = 150;
    out->connector_12vhpwr_w = 600;
    out->slot_power_w = 75;
    out->memory_gb_per_slot_unknown = 64;
    out->board_m2_unknown = 1;
    out->board_sata_unknown = 4;
    out->barebone_nvme_bays_unknown = 4;
    out->barebone_sata_bays_unknown = 8;
    out->server_card_slots_max = 2;
    out->slot_pitch_unknown = 3;
    out->desktop_gpu_lanes = 16;
    out->reserved_lanes = 16;
    out->two_socket_epyc_lanes = 160;
    out->chipset_slot_lanes = 4;
    out->chipset_slot_gen = 3;
    out->pcie_lane_gbs_gen3 = 1;
    out->pcie_lane_gbs_gen4 = 2;
    out->pcie_lane_gbs_gen5 = 4;
    out->pcie_lane_gbs_gen6 = 8;
    out->dataset_capacity_margin = 1.2;
    out->system_storage_gb = 30;
    out->nvme_seq_unknown_gen3_mbs = 2000;
    out->nvme_seq_unknown_gen4_mbs = 3500;
    out->nvme_iops_unknown_kiops = 200;
    out->price_stale_days = 365;
}

int fixture_setup(void **state)
{
    char directory[] = "/tmp/trainrig-optimizer-XXXXXX";
    rig_error err = {0};
    fixture *const fix = calloc(1, sizeof *fix);
    assert_non_null(fix);
    assert_non_null(mkdtemp(directory));
    write_files(directory);
    const char *const directories[] = {directory};
    rig_catalog_options options = rig_catalog_options_default();
    options.directories = directories;
    options.n_directories = 1;
    options.policy.allow_absurd = true;
    if (rig_catalog_load(&fix->catalog, &options, &err) != RIG_OK) {
        fail_msg("%s:%ld:%ld: %s", err.where, err.line, err.column, err.message);
    }
    remove_files(directory);
    set_constants(&fix->constants);
    if (rig_workload_find(fix->catalog, "work", &fix->workload, &err) != RIG_OK) {
        fail_msg("%s", err.message);
    }
    *state = fix;
    return 0;
}

int fixture_teardown(void **state)
{
    fixture *const fix = *state;
    rig_catalog_free(fix->catalog);
    free(fix);
    return 0;
}

void fixture_add(const fixture *fix, rig_build *build, rig_table table, const char *text)
{
    rig_error err = {0};
    if (text == NULL) {
        memset(&build->parts[table], 0, sizeof build->parts[table]);
        return;
    }
    memset(&build->parts[table], 0, sizeof build->parts[table]);
    if (rig_build_set(build, fix->catalog, table, text, &err) != RIG_OK) {
        fail_msg("%s (%s)", err.message, err.hint);
    }
}

rig_build fixture_desktop(const fixture *fix)
{
    rig_build build = rig_build_empty();
    fixture_add(fix, &build, RIG_TABLE_CPU, "Desk Eight");
    fixture_add(fix, &build, RIG_TABLE_GPU, "Card Two x2");
    fixture_add(fix, &build, RIG_TABLE_MEMORY, "UDIMM 2x32 x2");
    fixture_add(fix, &build, RIG_TABLE_STORAGE, "Stick 2T");
    fixture_add(fix, &build, RIG_TABLE_BOARD, "Desk Board");
    fixture_add(fix, &build, RIG_TABLE_PSU, "Power 1600");
    fixture_add(fix, &build, RIG_TABLE_CHASSIS, "Tower Full");
    return build;
}

rig_build fixture_barebone(const fixture *fix)
{
    rig_build build = rig_build_empty();
    fixture_add(fix, &build, RIG_TABLE_CPU, "Epyc Sixteen x2");
    fixture_add(fix, &build, RIG_TABLE_GPU, "Card Two x8");
    fixture_add(fix, &build, RIG_TABLE_MEMORY, "RDIMM 32 D4 x16");
    fixture_add(fix, &build, RIG_TABLE_STORAGE, "Bay 4T x2");
    fixture_add(fix, &build, RIG_TABLE_BOARD, "Bare Eight");
    return build;
}
