/* SPDX-License-Identifier: GPL-3.0-or-later
 * Reads files with libcsv and does nothing with them: what any program that uses it must spend.
 * Prints bytes, rows and the median processor time of some repeats. */
#include <csv.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

enum { CHUNK_BYTES = 65536, MOST_REPEATS = 1000 };

static void ignore_field(void *field, size_t length, void *payload)
{
    (void)field, (void)length, (void)payload;
}

static void count_row(int separator, void *n_rows)
{
    (void)separator;
    *(long long *)n_rows += 1;
}

static double cpu_s(void)
{
    struct timespec now;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
    return (double)now.tv_sec + (double)now.tv_nsec * 1e-9;
}

static bool read_file(const char *path, long long *n_bytes, long long *n_rows)
{
    static char chunk[CHUNK_BYTES];
    struct csv_parser parser;
    FILE *const in = fopen(path, "rb");
    if (in == NULL || csv_init(&parser, CSV_APPEND_NULL) != 0) {
        perror(path);
        return false;
    }
    size_t n = 0;
    bool is_read = true;
    while (is_read && (n = fread(chunk, 1, sizeof chunk, in)) > 0) {
        *n_bytes += (long long)n;
        is_read = csv_parse(&parser, chunk, n, ignore_field, count_row, n_rows) == n;
    }
    is_read = is_read && !ferror(in) && csv_fini(&parser, ignore_field, count_row, n_rows) == 0;
    csv_free(&parser);
    (void)fclose(in);
    return is_read;
}

static int compare(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

int main(int argc, char **argv)
{
    static double taken_s[MOST_REPEATS];
    const long n_repeats = argc > 2 ? strtol(argv[1], NULL, 10) : 0;
    if (n_repeats < 1 || n_repeats > MOST_REPEATS) {
        fprintf(stderr, "usage: read_csv REPEATS FILE.csv...   (1 to %d)\n", MOST_REPEATS);
        return 2;
    }
    long long n_bytes = 0, n_rows = 0;
    for (long k = 0; k < n_repeats; k++) {
        n_bytes = n_rows = 0;
        const double start_s = cpu_s();
        for (int i = 2; i < argc; i++) {
            if (!read_file(argv[i], &n_bytes, &n_rows)) {
                fprintf(stderr, "read_csv: cannot read %s\n", argv[i]);
                return 1;
            }
        }
        taken_s[k] = cpu_s() - start_s;
    }
    qsort(taken_s, (size_t)n_repeats, sizeof *taken_s, compare);
    printf("bytes %lld\nrows %lld\nread_s %.9f\n", n_bytes, n_rows, taken_s[n_repeats / 2]);
    return 0;
}
