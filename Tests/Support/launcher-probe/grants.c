/* SPDX-License-Identifier: Apache-2.0
 *
 * What a worker does with its scratch folder and its network: "OK", a number, or the name of the error.
 */
#define _GNU_SOURCE
#include "grants.h"

#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>

static const char *outcome(int result) { return result < 0 ? strerrorname_np(errno) : "OK"; }

static const char *append(const char *path, const char *text) {
    const int file = open(path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0600);
    const char *const result = file < 0 ? outcome(-1) : outcome((int)write(file, text, strlen(text)));
    close(file);
    return result;
}

/* How much of it went in, and what ended it. */
static void fill(const char *path, char *answer, size_t capacity) {
    static const char block[65536] = {1};
    long long total = 0;
    const int file = open(path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0600);
    ssize_t written = file;
    while (written >= 0) {
        written = write(file, block, sizeof block);
        total += written > 0 ? written : 0;
    }
    snprintf(answer, capacity, "%s %lld", outcome(-1), total);
    close(file);
}

static void make_files(const char *folder, char *answer, size_t capacity) {
    for (int count = 0;; count++) {
        char path[512];
        snprintf(path, sizeof path, "%s/%d", folder, count);
        const int file = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
        if (file < 0) {
            snprintf(answer, capacity, "%s %d", outcome(-1), count);
            return;
        }
        close(file);
    }
}

/* A file as shared memory, each page touched. */
static const char *map(const char *path, size_t kilobytes) {
    const size_t size = kilobytes << 10;
    const int file = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0600);
    if (file < 0 || ftruncate(file, (off_t)size) != 0) {
        return outcome(-1);
    }
    volatile char *const memory = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
    close(file);
    if (memory == MAP_FAILED) {
        return outcome(-1);
    }
    for (size_t place = 0; place < size; place += 4096) {
        memory[place] = 1;
    }
    return outcome(0);
}

/* Until its end: now a file with "text" in it is there, now a folder, now nothing. */
static _Noreturn void swap(const char *path, const char *other) {
    for (;;) {
        (void)append(other, "text");
        (void)rename(other, path);
        (void)unlink(path);
        (void)mkdir(path, 0700);
        (void)rmdir(path);
    }
}

/* Until its end, or until the disk is full. */
static void grow(const char *path) {
    while (strcmp(append(path, "text"), "OK") == 0) {
    }
}

static const char *connect_to(const char *address, unsigned int port) {
    struct sockaddr_in place = {.sin_family = AF_INET, .sin_port = htons((uint16_t)port)};
    inet_pton(AF_INET, address, &place.sin_addr);
    const int connection = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    if (connection < 0) {
        return outcome(-1);
    }
    const char *const result = outcome(connect(connection, (const struct sockaddr *)&place, sizeof place));
    (void)!write(connection, "hello", 5);
    close(connection);
    return result;
}

bool use_grants(const char *command, char *answer, size_t capacity) {
    char first[256] = "";
    char second[256] = "";
    unsigned int number = 0;
    const char *result = NULL;
    if (sscanf(command, "append %255s %255s", first, second) == 2) {
        result = append(first, second);
    } else if (sscanf(command, "folder %255s", first) == 1) {
        result = outcome(mkdir(first, 0700));
    } else if (sscanf(command, "remove %255s", first) == 1) {
        result = outcome(unlink(first));
    } else if (sscanf(command, "rename %255s %255s", first, second) == 2) {
        result = outcome(rename(first, second));
    } else if (sscanf(command, "link %255s %255s", first, second) == 2) {
        result = outcome(symlink(first, second));
    } else if (sscanf(command, "map %255s %u", first, &number) == 2) {
        result = map(first, number);
    } else if (sscanf(command, "swap %255s %255s", first, second) == 2) {
        swap(first, second);
    } else if (sscanf(command, "grow %255s", first) == 1) {
        grow(first);
        result = outcome(0);
    } else if (sscanf(command, "connect %255s %u", first, &number) == 2) {
        result = connect_to(first, number);
    } else if (sscanf(command, "fill %255s", first) == 1) {
        fill(first, answer, capacity);
        return true;
    } else if (sscanf(command, "files %255s", first) == 1) {
        make_files(first, answer, capacity);
        return true;
    }
    if (result != NULL) {
        snprintf(answer, capacity, "%s", result);
    }
    return result != NULL;
}
