/* SPDX-License-Identifier: GPL-3.0-or-later
 * Replays a fuzz corpus without libFuzzer: every file of every directory named, once. */
#include <dirent.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static int replay_file(const char *path, size_t size)
{
    FILE *file = fopen(path, "rb");
    /* A buffer of the exact size lets the address sanitizer see one byte too far. */
    uint8_t *data = malloc(size > 0 ? size : 1);
    int rc = -1;
    if (file != NULL && data != NULL && fread(data, 1, size, file) == size) {
        rc = LLVMFuzzerTestOneInput(data, size);
    }
    if (rc < 0) {
        fprintf(stderr, "cannot replay %s\n", path);
    }
    free(data);
    if (file != NULL) {
        fclose(file);
    }
    return rc;
}

static long replay_directory(const char *directory)
{
    DIR *dir = opendir(directory);
    if (dir == NULL) {
        fprintf(stderr, "cannot open %s\n", directory);
        return -1;
    }
    long n_files = 0;
    for (const struct dirent *entry = readdir(dir); entry != NULL; entry = readdir(dir)) {
        char path[4096];
        struct stat info;
        snprintf(path, sizeof path, "%s/%s", directory, entry->d_name);
        if (stat(path, &info) != 0 || !S_ISREG(info.st_mode)) {
            continue;
        }
        if (replay_file(path, (size_t)info.st_size) < 0) {
            n_files = -1;
            break;
        }
        n_files++;
    }
    closedir(dir);
    return n_files;
}

int main(int argc, char **argv)
{
    for (int i = 1; i < argc; i++) {
        const long n_files = replay_directory(argv[i]);
        if (n_files <= 0) {
            fprintf(stderr, "%s: no input replayed\n", argv[i]);
            return EXIT_FAILURE;
        }
        printf("%s: %ld inputs replayed\n", argv[i], n_files);
    }
    return argc > 1 ? EXIT_SUCCESS : EXIT_FAILURE;
}
