/* SPDX-License-Identifier: GPL-3.0-or-later
 * The columns of every table: the one list that yields structs, parser, filters and documentation.
 */
#ifndef RIG_COLUMNS_H
#define RIG_COLUMNS_H

/* X(type, field, unit, low, high, need, help)
 *   type   TEXT (interned string, NULL = unknown), NUMBER or INTEGER (double, NAN = unknown)
 *   field  column name in the CSV file and member of the row struct
 *   low, high  inclusive range of a known value, ignored for TEXT
 *   need   REQUIRED (an empty cell is an error) or OPTIONAL (an empty cell is unknown)
 * The first column of every table is `name`. Part tables end with RIG_PRICE_COLUMNS. */
/* clang-format off */
#define RIG_CPU_COLUMNS(X) \
    X(TEXT,    vendor,              "",     0, 0,      REQUIRED, "maker") \
    X(TEXT,    segment,             "",     0, 0,      REQUIRED, "server, hedt or desktop") \
    X(TEXT,    family,              "",     0, 0,      REQUIRED, "microarchitecture family, as in cpu_families of a board") \
    X(INTEGER, cores,               "",     1, 1024,   REQUIRED, "physical cores") \
    X(INTEGER, threads,             "",     1, 2048,   REQUIRED, "hardware threads") \
    X(NUMBER,  base_ghz,            "GHz",  0.4, 8,    OPTIONAL, "base clock; unknown: estimated from the benchmark scores") \
    X(NUMBER,  boost_ghz,           "GHz",  0.4, 8,    OPTIONAL, "highest single-core clock") \
    X(TEXT,    socket,              "",     0, 0,      REQUIRED, "socket name, equal to that of the board") \
    X(INTEGER, max_sockets,         "",     1, 8,      REQUIRED, "processors that one machine may hold") \
    X(INTEGER, mem_channels,        "",     1, 16,     REQUIRED, "memory channels per socket") \
    X(TEXT,    mem_type,            "",     0, 0,      REQUIRED, "DDR4 or DDR5 (LGA1700 parts take either; the board decides)") \
    X(INTEGER, mem_mts,             "MT/s", 800, 20000, REQUIRED, "highest memory transfer rate") \
    X(INTEGER, pcie_gen,            "",     1, 7,      REQUIRED, "PCI Express generation") \
    X(INTEGER, pcie_lanes,          "",     4, 256,    REQUIRED, "PCI Express lanes per socket") \
    X(NUMBER,  tdp_w,               "W",    5, 1500,   REQUIRED, "thermal design power") \
    X(TEXT,    avx,                 "",     0, 0,      OPTIONAL, "widest vector extension") \
    X(NUMBER,  specrate2017_int_1p, "",     1, 10000,  OPTIONAL, "SPECrate2017_int_base, one processor") \
    X(NUMBER,  specrate2017_int_2p, "",     1, 20000,  OPTIONAL, "SPECrate2017_int_base, two processors") \
    X(NUMBER,  geekbench6_multi,    "",     100, 200000, OPTIONAL, "Geekbench 6 multi-core score") \
    X(NUMBER,  geekbench6_single,   "",     50, 20000, OPTIONAL, "Geekbench 6 single-core score")

#define RIG_GPU_COLUMNS(X) \
    X(TEXT,    vendor,              "",     0, 0,      REQUIRED, "maker of the chip") \
    X(TEXT,    arch,                "",     0, 0,      REQUIRED, "architecture, key of the efficiency table") \
    X(INTEGER, year,                "",     2006, 2100, REQUIRED, "year of introduction") \
    X(NUMBER,  mem_gb,              "GB",   1, 2000,   REQUIRED, "memory, as sold (2^30 B each)") \
    X(NUMBER,  mem_gbs,             "GB/s", 10, 100000, REQUIRED, "memory bandwidth") \
    X(NUMBER,  fp32_tflops,         "TFLOP/s", 0.1, 100000, OPTIONAL, "FP32 vector peak") \
    X(NUMBER,  tensor_fp16_tflops,  "TFLOP/s", 0.1, 1000000, OPTIONAL, "dense FP16 peak with FP32 accumulation; unknown: FP32 peak") \
    X(NUMBER,  tf32_tflops,         "TFLOP/s", 0.1, 1000000, OPTIONAL, "dense TF32 peak; unknown: FP32 peak") \
    X(NUMBER,  fp8_tflops,          "TFLOP/s", 0.1, 1000000, OPTIONAL, "dense FP8 peak") \
    X(INTEGER, pcie_gen,            "",     1, 7,      REQUIRED, "PCI Express generation") \
    X(INTEGER, pcie_lanes,          "",     1, 16,     REQUIRED, "PCI Express lanes") \
    X(NUMBER,  nvlink_gbs,          "GB/s", 1, 10000,  OPTIONAL, "GPU-to-GPU link, both directions together; unknown: none") \
    X(INTEGER, nvlink_max_gpus,     "",     2, 1024,   OPTIONAL, "GPUs that one such link domain joins") \
    X(TEXT,    form,                "",     0, 0,      REQUIRED, "pcie, sxm or oam") \
    X(NUMBER,  slots,               "",     0, 6,      REQUIRED, "bracket positions of the reference card, 0 for modules") \
    X(NUMBER,  slots_cards_median,  "",     0, 6,      OPTIONAL, "median width of the cards on sale; the larger of the two is planned for") \
    X(NUMBER,  length_mm,           "mm",   50, 600,   OPTIONAL, "card length; unknown: not checked, and said") \
    X(NUMBER,  tdp_w,               "W",    5, 3000,   REQUIRED, "board power") \
    X(TEXT,    mem_type,            "",     0, 0,      OPTIONAL, "HBM2, GDDR6 ...; unknown: HBM from 1,100 GB/s on") \
    X(NUMBER,  l2_mib,              "MiB",  0.1, 4096, OPTIONAL, "last-level cache on the chip; unknown: no saving is modelled") \
    X(TEXT,    chip,                "",     0, 0,      OPTIONAL, "row of this table whose measurements hold for this card as well; unknown: its own")

#define RIG_STORAGE_COLUMNS(X) \
    X(TEXT,    type,                "",     0, 0,      REQUIRED, "nvme, sata-ssd or hdd") \
    X(NUMBER,  capacity_gb,         "GB",   8, 1000000, REQUIRED, "capacity (1e9 B)") \
    X(NUMBER,  seq_read_mbs,        "MB/s", 10, 100000, OPTIONAL, "sequential read; unknown: bounded by type and interface") \
    X(NUMBER,  rand_read_kiops,     "kIOPS", 0.01, 100000, OPTIONAL, "4 KiB random read; unknown: bounded by type") \
    X(TEXT,    interface,           "",     0, 0,      REQUIRED, "interface as printed") \
    X(INTEGER, pcie_gen,            "",     1, 7,      OPTIONAL, "PCI Express generation of an NVMe drive") \
    X(INTEGER, pcie_lanes,          "",     1, 16,     OPTIONAL, "PCI Express lanes of an NVMe drive") \
    X(TEXT,    form_factor,         "",     0, 0,      REQUIRED, "M.2-2280, 2.5, 3.5, U.2, E1.S ...") \
    X(INTEGER, rpm,                 "",     3000, 20000, OPTIONAL, "spindle speed")

#define RIG_MEMORY_COLUMNS(X) \
    X(TEXT,    type,                "",     0, 0,      REQUIRED, "DDR4 or DDR5") \
    X(TEXT,    kind,                "",     0, 0,      OPTIONAL, "UDIMM, RDIMM or LRDIMM; unknown: not offered, since a board takes one kind only") \
    X(TEXT,    ecc,                 "",     0, 0,      OPTIONAL, "yes or no") \
    X(NUMBER,  module_gb,           "GB",   1, 2048,   REQUIRED, "capacity of one module (2^30 B each)") \
    X(INTEGER, modules,             "",     1, 16,     REQUIRED, "modules in the kit") \
    X(NUMBER,  total_gb,            "GB",   1, 16384,  REQUIRED, "capacity of the kit") \
    X(INTEGER, mts,                 "MT/s", 800, 20000, REQUIRED, "transfer rate") \
    X(NUMBER,  cas_latency,         "",     5, 100,    OPTIONAL, "CAS latency")

#define RIG_BOARD_COLUMNS(X) \
    X(TEXT,    kind,                "",     0, 0,      REQUIRED, "board (needs case and supply) or barebone (has both)") \
    X(TEXT,    socket,              "",     0, 0,      REQUIRED, "socket name") \
    X(INTEGER, sockets,             "",     1, 8,      REQUIRED, "sockets") \
    X(TEXT,    cpu_families,        "",     0, 0,      OPTIONAL, "families accepted, separated by ';'; unknown: all of the socket") \
    X(TEXT,    form_factor,         "",     0, 0,      OPTIONAL, "ATX, Micro ATX, EATX, SSI EEB, server ...") \
    X(TEXT,    chipset,             "",     0, 0,      OPTIONAL, "chipset") \
    X(TEXT,    mem_type,            "",     0, 0,      OPTIONAL, "DDR4 or DDR5; unknown: not offered") \
    X(TEXT,    dimm_kind,           "",     0, 0,      OPTIONAL, "UDIMM, RDIMM, any or SODIMM; unknown: not offered") \
    X(INTEGER, dimm_slots,          "",     1, 128,    OPTIONAL, "DIMM slots; unknown: not offered") \
    X(NUMBER,  max_mem_gb,          "GB",   4, 65536,  OPTIONAL, "largest memory; unknown: bounded by slots x 64 GB") \
    X(INTEGER, pcie_x16_slots,      "",     0, 32,     OPTIONAL, "slots of x16 size; unknown: see gpu_slots_double_width") \
    X(INTEGER, pcie_x16_cpu_slots,  "",     0, 32,     OPTIONAL, "x16-size slots wired to the processor; unknown: one on desktop sockets, all on others") \
    X(INTEGER, pcie_gen,            "",     1, 7,      OPTIONAL, "generation of the x16 slots; unknown: not offered") \
    X(INTEGER, pcie_x8_slots,       "",     0, 32,     OPTIONAL, "slots of x8 size") \
    X(INTEGER, pcie_x4_slots,       "",     0, 32,     OPTIONAL, "slots of x4 size") \
    X(TEXT,    pcie_slots_detail,   "",     0, 0,      OPTIONAL, "slots as printed") \
    X(TEXT,    gpu_form,            "",     0, 0,      REQUIRED, "pcie, sxm2, sxm or oam: the GPUs it takes") \
    X(INTEGER, gpu_slots_double_width, "",  0, 32,     OPTIONAL, "double-width cards it takes; unknown: bounded by form factor and x16 slots") \
    X(INTEGER, m2_slots,            "",     0, 16,     OPTIONAL, "M.2 slots; unknown: bounded, see constants") \
    X(TEXT,    m2_detail,           "",     0, 0,      OPTIONAL, "M.2 slots as printed") \
    X(INTEGER, sata_ports,          "",     0, 64,     OPTIONAL, "SATA ports; unknown: bounded, see constants") \
    X(INTEGER, u2_ports,            "",     0, 64,     OPTIONAL, "U.2 ports or bays; unknown: bounded, see constants") \
    X(NUMBER,  rack_u,              "U",    1, 60,     OPTIONAL, "rack height of a barebone") \
    X(NUMBER,  psu_included_w,      "W",    100, 60000, OPTIONAL, "rating of all supplies of a barebone; unknown: barebone not offered") \
    X(TEXT,    onboard_lan,         "",     0, 0,      OPTIONAL, "network ports as printed")

#define RIG_PSU_COLUMNS(X) \
    X(TEXT,    form_factor,         "",     0, 0,      REQUIRED, "ATX, SFX, TFX or server") \
    X(NUMBER,  wattage_w,           "W",    100, 10000, REQUIRED, "rating") \
    X(TEXT,    efficiency,          "",     0, 0,      OPTIONAL, "80+ grade") \
    X(TEXT,    modular,             "",     0, 0,      OPTIONAL, "cable style") \
    X(INTEGER, conn_pcie_8pin,      "",     0, 32,     OPTIONAL, "8-pin PCIe plugs; unknown: not checked, and said") \
    X(INTEGER, conn_12vhpwr,        "",     0, 16,     OPTIONAL, "16-pin 600 W plugs") \
    X(INTEGER, conn_eps,            "",     0, 16,     OPTIONAL, "EPS plugs")

#define RIG_CHASSIS_COLUMNS(X) \
    X(TEXT,    form_factor,         "",     0, 0,      REQUIRED, "ATX Mid Tower, ATX Full Tower, rack ...") \
    X(NUMBER,  rack_u,              "U",    1, 60,     OPTIONAL, "rack height") \
    X(INTEGER, expansion_slots,     "",     0, 32,     OPTIONAL, "bracket positions; unknown: not offered") \
    X(NUMBER,  max_gpu_length_mm,   "mm",   50, 1000,  OPTIONAL, "longest card") \
    X(INTEGER, drive_bays_35,       "",     0, 128,    OPTIONAL, "3.5-inch bays; unknown: none")

#define RIG_SERVER_COLUMNS(X) \
    X(TEXT,    form_factor,         "",     0, 0,      OPTIONAL, "rack or tower") \
    X(NUMBER,  rack_u,              "U",    1, 60,     OPTIONAL, "rack height") \
    X(TEXT,    cpu_name,            "",     0, 0,      OPTIONAL, "processor, a name of cpus.csv; unknown: can be predicted in part, not recommended") \
    X(INTEGER, cpu_count,           "",     1, 8,      OPTIONAL, "processors") \
    X(TEXT,    gpu_name,            "",     0, 0,      OPTIONAL, "GPU, a name of gpus.csv; unknown: cannot be predicted") \
    X(INTEGER, gpu_count,           "",     1, 64,     OPTIONAL, "GPUs") \
    X(NUMBER,  ram_gb,              "GB",   1, 65536,  OPTIONAL, "memory (2^30 B each)") \
    X(INTEGER, mem_mts,             "MT/s", 800, 20000, OPTIONAL, "memory transfer rate; unknown: the processor's") \
    X(NUMBER,  storage_gb,          "GB",   8, 1000000, OPTIONAL, "flash storage") \
    X(NUMBER,  storage_read_mbs,    "MB/s", 10, 1000000, OPTIONAL, "read rate of that storage; unknown: bounded") \
    X(NUMBER,  psu_included_w,      "W",    100, 60000, OPTIONAL, "rating of its supplies") \
    X(TEXT,    contains,            "",     0, 0,      OPTIONAL, "contents as printed")

#define RIG_BASEBOARD_COLUMNS(X) \
    X(TEXT,    gpu_name,            "",     0, 0,      REQUIRED, "GPU module, a name of gpus.csv") \
    X(INTEGER, gpu_count,           "",     1, 64,     REQUIRED, "GPU modules") \
    X(TEXT,    form,                "",     0, 0,      REQUIRED, "sxm, sxm2 or oam, equal to gpu_form of a board") \
    X(TEXT,    nvswitch,            "",     0, 0,      OPTIONAL, "switch chips as printed")

#define RIG_NIC_COLUMNS(X) \
    X(NUMBER,  gbps_per_port,       "Gbit/s", 0.1, 10000, REQUIRED, "rate of one port") \
    X(INTEGER, ports,               "",     1, 16,     REQUIRED, "ports") \
    X(TEXT,    protocol,            "",     0, 0,      REQUIRED, "Ethernet, InfiniBand/Ethernet ...") \
    X(INTEGER, pcie_gen,            "",     1, 7,      OPTIONAL, "PCI Express generation; unknown: that of the host") \
    X(INTEGER, pcie_lanes,          "",     1, 16,     OPTIONAL, "PCI Express lanes; unknown: not offered")

#define RIG_BRIDGE_COLUMNS(X) \
    X(TEXT,    kind,                "",     0, 0,      REQUIRED, "bridge, carrier, pcie-switch, pcie-backplane, riser or cooling") \
    X(TEXT,    fits,                "",     0, 0,      OPTIONAL, "parts it fits, as printed")

#define RIG_SWITCH_COLUMNS(X) \
    X(INTEGER, ports,               "",     1, 1024,   OPTIONAL, "ports; unknown: not offered") \
    X(NUMBER,  gbps_per_port,       "Gbit/s", 0.1, 10000, OPTIONAL, "rate of one port; unknown: not offered") \
    X(TEXT,    uplinks,             "",     0, 0,      OPTIONAL, "uplinks as printed") \
    X(TEXT,    protocol,            "",     0, 0,      OPTIONAL, "Ethernet, InfiniBand NDR ...; unknown: not offered") \
    X(NUMBER,  capacity_gbps,       "Gbit/s", 1, 1000000, OPTIONAL, "switching capacity") \
    X(NUMBER,  max_power_w,         "W",    1, 20000,  OPTIONAL, "highest power; unknown: not counted, and fails a limit on total_power_w") \
    X(NUMBER,  rack_u,              "U",    0.5, 60,   OPTIONAL, "rack height; unknown: fails a limit on total_rack_u")

/* Tables without a price. */
#define RIG_INTERCONNECT_COLUMNS(X) \
    X(TEXT,    kind,                "",     0, 0,      REQUIRED, "pcie, nvlink, xgmi or network") \
    X(NUMBER,  gbs_per_direction,   "GB/s", 0.01, 100000, REQUIRED, "bandwidth in one direction") \
    X(NUMBER,  gbs_bidirectional,   "GB/s", 0.01, 100000, OPTIONAL, "bandwidth of both directions") \
    X(TEXT,    notes,               "",     0, 0,      OPTIONAL, "notes")

#define RIG_CLOUD_COLUMNS(X) \
    X(TEXT,    provider,            "",     0, 0,      REQUIRED, "provider") \
    X(TEXT,    gpu,                 "",     0, 0,      REQUIRED, "GPU as the provider prints it") \
    X(TEXT,    gpu_name,            "",     0, 0,      OPTIONAL, "the same GPU, a name of gpus.csv") \
    X(INTEGER, gpus,                "",     1, 64,     REQUIRED, "GPUs") \
    X(INTEGER, vcpus,               "",     1, 4096,   OPTIONAL, "virtual processors (hardware threads)") \
    X(NUMBER,  mem_gib,             "GiB",  1, 65536,  OPTIONAL, "memory") \
    X(NUMBER,  usd_per_hour,        "USD/h", 0.001, 100000, REQUIRED, "price on demand") \
    X(NUMBER,  spot_usd_per_hour,   "USD/h", 0.001, 100000, OPTIONAL, "price on the spot market") \
    X(TEXT,    region,              "",     0, 0,      OPTIONAL, "region") \
    X(TEXT,    source,              "",     0, 0,      REQUIRED, "source")

/* Second prices by class and part name; the price policy picks among these and the part's own. */
#define RIG_QUOTE_COLUMNS(X) \
    X(TEXT,    part_class,          "",     0, 0,      REQUIRED, "class of the part: cpu, gpu ...") \
    X(TEXT,    notes,               "",     0, 0,      OPTIONAL, "notes") \
    X(NUMBER,  price_local,         "",     0, 1e12,   OPTIONAL, "price in another currency; not used for sums") \
    X(TEXT,    currency,            "",     0, 0,      OPTIONAL, "that currency")

#define RIG_NETWORK_COLUMNS(X) \
    X(NUMBER,  params_m,            "million", 0.001, 1e7, REQUIRED, "trainable parameters") \
    X(NUMBER,  gmacs,               "GMAC", 1e-5, 1e6, REQUIRED, "multiply-accumulates of one forward pass") \
    X(INTEGER, input_px,            "px",   8, 8192,   REQUIRED, "side of the square input image") \
    X(NUMBER,  activations_m,       "million", 1e-4, 1e6, OPTIONAL, "activation elements of one forward pass; unknown: estimated from gmacs") \
    X(TEXT,    kind,                "",     0, 0,      REQUIRED, "cnn, vgg, alexnet, branch (many small parallel or dense layers), grouped, depthwise or attention") \
    X(NUMBER,  layers,              "",     1, 10000,  OPTIONAL, "weighted layers in sequence, for launch time and working set; unknown: that of ResNet-50") \
    X(TEXT,    source,              "",     0, 0,      REQUIRED, "source")

#define RIG_DATASET_COLUMNS(X) \
    X(INTEGER, images,              "",     1, 1e12,   REQUIRED, "training images") \
    X(NUMBER,  mean_bytes,          "B",    1, 1e9,    REQUIRED, "mean stored bytes of one image") \
    X(NUMBER,  mean_px,             "px",   1, 1e9,    OPTIONAL, "mean pixels of one stored image; unknown: bytes / 0.632") \
    X(TEXT,    layout,              "",     0, 0,      REQUIRED, "files, records or raw (no decoding)") \
    X(TEXT,    source,              "",     0, 0,      REQUIRED, "source")

#define RIG_LOADER_COLUMNS(X) \
    X(TEXT,    decode,              "",     0, 0,      REQUIRED, "cpu, gpu (decoded on the GPU) or none") \
    X(NUMBER,  decode_factor,       "",     0.1, 100,  REQUIRED, "decode time over that of libjpeg-turbo") \
    X(NUMBER,  augment_factor,      "",     0.01, 100, REQUIRED, "resize and normalise time over vectorised code") \
    X(NUMBER,  overhead_ms,         "ms",   0, 1000,   REQUIRED, "fixed core time per image") \
    X(NUMBER,  host_share,          "",     0, 1,      REQUIRED, "share of the decode work left on the CPU (1 for decode = cpu)") \
    X(NUMBER,  worker_ram_gb,       "GB",   0, 100,    REQUIRED, "memory of one worker") \
    X(NUMBER,  ipc_gbs,             "GB/s", 0.01, 1000, OPTIONAL, "rate at which one training process takes batches from its workers; unknown: no limit") \
    X(INTEGER, output_bytes,        "B",    1, 4,      REQUIRED, "bytes per element sent to the GPU") \
    X(NUMBER,  log_sd,              "",     0, 3,      REQUIRED, "relative uncertainty (standard deviation of the logarithm)") \
    X(TEXT,    source,              "",     0, 0,      REQUIRED, "source, or assumption")

#define RIG_STACK_COLUMNS(X) \
    X(TEXT,    family,              "",     0, 0,      REQUIRED, "tuned (fused kernels, recorded steps), eager or graph: which set of GPU constants holds") \
    X(NUMBER,  step_factor,         "",     0.05, 20,  REQUIRED, "GPU step time over the reference stack of the family") \
    X(NUMBER,  compute_factor,      "",     0.05, 20,  REQUIRED, "compute time over the reference stack of the family") \
    X(NUMBER,  memory_factor,       "",     0.05, 20,  REQUIRED, "memory time over the reference stack of the family") \
    X(NUMBER,  launch_factor,       "",     0.001, 20, REQUIRED, "host launch time over the reference stack of the family") \
    X(NUMBER,  contention,          "",     0, 2,      REQUIRED, "longer step per doubling of the GPUs, mixed precision") \
    X(NUMBER,  log_sd,              "",     0, 3,      REQUIRED, "relative uncertainty (standard deviation of the logarithm)") \
    X(TEXT,    source,              "",     0, 0,      REQUIRED, "source, or assumption")

/* Measured over modelled time, of parts, networks and software alone and together; the names are
 * those of model/effects.h: "GPU | FAMILY", "VENDOR ARCH | FAMILY", "NETWORK | FAMILY" ... */
#define RIG_EFFICIENCY_COLUMNS(X) \
    X(NUMBER,  step_factor,         "",     0.05, 20,  REQUIRED, "measured over modelled step time") \
    X(NUMBER,  log_sd,              "",     0, 3,      REQUIRED, "relative uncertainty (standard deviation of the logarithm)") \
    X(INTEGER, rows,                "",     0, 1e6,    REQUIRED, "measurements behind it; 0: assumption") \
    X(TEXT,    source,              "",     0, 0,      REQUIRED, "source, or assumption")

/* 90 % prediction intervals by what is predicted and how well it is known; names as in
 * model/intervals.h. */
#define RIG_INTERVAL_COLUMNS(X) \
    X(NUMBER,  half_width,          "",     0, 10,     REQUIRED, "half-width of ln(rate) that covers 90 % of rows held out") \
    X(INTEGER, rows,                "",     0, 1e6,    REQUIRED, "rows held out behind it; 0: assumption") \
    X(TEXT,    source,              "",     0, 0,      REQUIRED, "source, or assumption")

#define RIG_WORKLOAD_COLUMNS(X) \
    X(TEXT,    network,             "",     0, 0,      REQUIRED, "a name of networks.csv") \
    X(TEXT,    dataset,             "",     0, 0,      REQUIRED, "a name of datasets.csv") \
    X(TEXT,    loader,              "",     0, 0,      REQUIRED, "a name of loaders.csv") \
    X(TEXT,    stack,               "",     0, 0,      REQUIRED, "a name of stacks.csv") \
    X(TEXT,    precision,           "",     0, 0,      REQUIRED, "amp, tf32 or fp32") \
    X(INTEGER, batch_per_gpu,       "",     1, 1e6,    REQUIRED, "images per GPU and step") \
    X(INTEGER, epochs,              "",     1, 1e6,    REQUIRED, "epochs of one training run")

#define RIG_CONSTANT_COLUMNS(X) \
    X(NUMBER,  value,               "",     -1e300, 1e300, REQUIRED, "value in the unit of the row") \
    X(TEXT,    unit,                "",     0, 0,      OPTIONAL, "unit") \
    X(NUMBER,  log_sd,              "",     0, 10,     OPTIONAL, "relative uncertainty (standard deviation of the logarithm)") \
    X(TEXT,    source,              "",     0, 0,      REQUIRED, "source, or assumption")

#define RIG_PRICE_COLUMNS(X) \
    X(MONEY,   price_usd,           "USD",  0, 1e9,    OPTIONAL, "price of one; unknown: can be predicted, not bought") \
    X(TEXT,    price_kind,          "",     0, 0,      OPTIONAL, "street, list-1kU, msrp, guide, used-median ...") \
    X(TEXT,    price_source,        "",     0, 0,      OPTIONAL, "where the price was read") \
    X(DATE,    price_date,          "",     0, 0,      OPTIONAL, "YYYY, YYYY-MM or YYYY-MM-DD; unknown: older than any date") \
    X(TEXT,    price_trust,         "",     0, 0,      OPTIONAL, "good, fair or low") \
    X(TEXT,    spec_source,         "",     0, 0,      OPTIONAL, "where the figures were read") \
    X(TEXT,    notes,               "",     0, 0,      OPTIONAL, "notes")

/* Text columns that hold one of a few words, which the program tells apart. */
#define RIG_WORD_MAP(X) \
    X(CPU,       "segment",   "server|hedt|desktop") \
    X(GPU,       "form",      "pcie|sxm|sxm2|oam") \
    X(MEMORY,    "kind",      "UDIMM|RDIMM|LRDIMM|SODIMM") \
    X(STORAGE,   "type",      "nvme|sata-ssd|hdd") \
    X(BOARD,     "kind",      "board|barebone") \
    X(BOARD,     "dimm_kind", "UDIMM|RDIMM|any|SODIMM") \
    X(BOARD,     "gpu_form",  "pcie|sxm|sxm2|oam") \
    X(BASEBOARD, "form",      "sxm|sxm2|oam") \
    X(NETWORK,   "kind",      "cnn|vgg|alexnet|branch|grouped|depthwise|attention") \
    X(STACK,     "family",    "tuned|eager|graph") \
    X(DATASET,   "layout",    "files|records|raw") \
    X(LOADER,    "decode",    "cpu|gpu|none") \
    X(WORKLOAD,  "precision", "amp|tf32|fp32")

/* The tables: enumerator, row struct, file stem, singular name, columns, priced part or plain. */
#define RIG_TABLE_MAP(X) \
    X(CPU,          rig_cpu,          "cpus",          "cpu",          RIG_CPU_COLUMNS,          PART) \
    X(GPU,          rig_gpu,          "gpus",          "gpu",          RIG_GPU_COLUMNS,          PART) \
    X(MEMORY,       rig_memory,       "memory",        "memory",       RIG_MEMORY_COLUMNS,       PART) \
    X(STORAGE,      rig_storage,      "storage",       "storage",      RIG_STORAGE_COLUMNS,      PART) \
    X(BOARD,        rig_board,        "boards",        "board",        RIG_BOARD_COLUMNS,        PART) \
    X(PSU,          rig_psu,          "psus",          "psu",          RIG_PSU_COLUMNS,          PART) \
    X(CHASSIS,      rig_chassis,      "chassis",       "chassis",      RIG_CHASSIS_COLUMNS,      PART) \
    X(SERVER,       rig_server,       "servers",       "server",       RIG_SERVER_COLUMNS,       PART) \
    X(BASEBOARD,    rig_baseboard,    "baseboards",    "baseboard",    RIG_BASEBOARD_COLUMNS,    PART) \
    X(NIC,          rig_nic,          "nics",          "nic",          RIG_NIC_COLUMNS,          PART) \
    X(SWITCH,       rig_switch,       "switches",      "switch",       RIG_SWITCH_COLUMNS,       PART) \
    X(BRIDGE,       rig_bridge,       "bridges",       "bridge",       RIG_BRIDGE_COLUMNS,       PART) \
    X(INTERCONNECT, rig_interconnect, "interconnects", "interconnect", RIG_INTERCONNECT_COLUMNS, PLAIN) \
    X(CLOUD,        rig_cloud,        "cloud",         "cloud",        RIG_CLOUD_COLUMNS,        PLAIN) \
    X(QUOTE,        rig_quote,        "quotes",        "quote",        RIG_QUOTE_COLUMNS,        QUOTE) \
    X(NETWORK,      rig_network,      "networks",      "network",      RIG_NETWORK_COLUMNS,      PLAIN) \
    X(DATASET,      rig_dataset,      "datasets",      "dataset",      RIG_DATASET_COLUMNS,      PLAIN) \
    X(LOADER,       rig_loader,       "loaders",       "loader",       RIG_LOADER_COLUMNS,       PLAIN) \
    X(STACK,        rig_stack,        "stacks",        "stack",        RIG_STACK_COLUMNS,        PLAIN) \
    X(EFFICIENCY,   rig_efficiency,   "efficiency",    "efficiency",   RIG_EFFICIENCY_COLUMNS,   PLAIN) \
    X(INTERVAL,     rig_interval,     "intervals",    "interval",     RIG_INTERVAL_COLUMNS,     PLAIN) \
    X(WORKLOAD,     rig_workload_row, "workloads",     "workload",     RIG_WORKLOAD_COLUMNS,     PLAIN) \
    X(CONSTANT,     rig_constant,     "constants",     "constant",     RIG_CONSTANT_COLUMNS,     PLAIN)
/* clang-format on */

#endif
