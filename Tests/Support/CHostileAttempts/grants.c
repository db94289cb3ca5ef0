/* SPDX-License-Identifier: Apache-2.0
 *
 * With a scratch folder or the network: 3 (more than was given), 4 (other sockets), 5 (other places), 10 and 22 (code
 * that was written).
 */
#define _GNU_SOURCE
#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "attempts.h"

#define MIB ((size_t)1 << 20)

static const char *inside(const char *folder, const char *name) {
    static char path[512];
    (void)snprintf(path, sizeof path, "%s/%s", folder, name);
    return path;
}

static int make(const char *folder, const char *name) {
    return open(inside(folder, name), O_RDWR | O_CREAT | O_CLOEXEC, 0700);
}

/* 100 MB, in one file and in many. */
static void fill(const char *folder) {
    static char part[1 << 20];
    memset(part, 1, sizeof part);
    char name[32];
    for (int number = 0; number < 100; number++) {
        (void)snprintf(name, sizeof name, "part-%d", number);
        const int file = make(folder, name);
        if (file < 0) {
            say_result(file);
            return;
        }
        const ssize_t written = write(file, part, sizeof part);
        (void)close(file);
        if (written != (ssize_t)sizeof part) {
            say_result(written < 0 ? written : (errno = ENOSPC, -1));
            return;
        }
    }
    say_words("100 MB");
}

/* A file that another user would run as this one, and names that lead elsewhere. */
static void identities(const char *folder) {
    say_result(open(inside(folder, "new"), O_WRONLY | O_CREAT | O_CLOEXEC, 04755));
    const int file = make(folder, "file");
    say_result(syscall(SYS_fchmod, file, 04755));
    say_result(syscall(SYS_fchmod, file, 02755));
    say_result(symlink("/etc/passwd", inside(folder, "link")));
    say_result(link("/etc/passwd", inside(folder, "link")));
}

static void devices(const char *folder) {
    say_result(syscall(SYS_mknodat, AT_FDCWD, inside(folder, "fifo"), S_IFIFO | 0600, 0));
}

/* What the filter pretends has not happened. */
static void modes(const char *folder) {
    const int file = make(folder, "mode");
    struct stat status = {0};
    say_result(syscall(SYS_fchmodat, AT_FDCWD, inside(folder, "mode"), 04755));
    say_result(fstat(file, &status));
    say_words((status.st_mode & (S_ISUID | S_ISGID)) == 0 ? "none" : "set");
}

/* Landlock judges neither modes nor times. */
static void properties(const char *path) {
    const int file = open(path, O_RDONLY | O_CLOEXEC);
    struct stat before = {0};
    struct stat after = {0};
    const struct timespec times[2] = {{1, 0}, {1, 0}};
    (void)fstat(file, &before);
    (void)fchmod(file, 0707);
    (void)utimensat(AT_FDCWD, path, times, 0);
    (void)fstat(file, &after);
    const bool is_same = before.st_mode == after.st_mode && before.st_mtim.tv_sec == after.st_mtim.tv_sec;
    say_words(before.st_mode != 0 && is_same ? "unchanged" : "changed");
    (void)close(file);
}

static void use_scratch(const char *folder) {
    char old[512];
    const int file = make(folder, "used");
    say_result(file);
    say_result(write(file, "text", 4));
    say_result(ftruncate(file, 2));
    say_result(fchmod(file, 0600));
    say_result(fsync(file));
    (void)strcpy(old, inside(folder, "used"));
    say_result(rename(old, inside(folder, "renamed")));
    say_result(mkdir(inside(folder, "folder"), 0700));
    say_result(rmdir(inside(folder, "folder")));
    say_result(unlink(inside(folder, "renamed")));
}

/* As the loader would do it. */
static void load_written_code(const char *folder) {
    const int file = make(folder, "code");
    (void)!write(file, "\xc3", 1);
    say_result(mmap(NULL, 4096, PROT_READ | PROT_EXEC, MAP_PRIVATE, file, 0) == MAP_FAILED ? -1 : 0);
}

static void run_written_code(const char *folder) {
    (void)close(make(folder, "program"));
    char *const arguments[] = {NULL};
    say_result(execve(inside(folder, "program"), arguments, arguments));
}

static void other_sockets(const char *unused) {
    (void)unused;
    static const int kinds[][3] = {{AF_INET, SOCK_DGRAM, 0},    {AF_INET, SOCK_RAW, 1},     {AF_INET6, SOCK_STREAM, 0},
                                   {AF_UNIX, SOCK_STREAM, 0},   {AF_UNIX, SOCK_DGRAM, 0},   {AF_NETLINK, SOCK_RAW, 0},
                                   {AF_VSOCK, SOCK_STREAM, 0},  {AF_PACKET, SOCK_RAW, 0},   {AF_ALG, SOCK_SEQPACKET, 0},
                                   {AF_INET, SOCK_STREAM, 262}, {AF_INET, SOCK_STREAM, 132}};
    for (size_t index = 0; index < sizeof kinds / sizeof kinds[0]; index++) {
        say_result(socket(kinds[index][0], kinds[index][1], kinds[index][2]));
    }
}

static void connect_to(const char *port) {
    const int end = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    struct sockaddr_in address = {
        .sin_family = AF_INET, .sin_port = htons((uint16_t)atoi(port)), .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    say_result(end < 0 ? end : connect(end, (struct sockaddr *)&address, sizeof address));
}

static void options(const char *unused) {
    (void)unused;
    const int end = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    const int one = 1;
    say_result(setsockopt(end, SOL_SOCKET, SO_ATTACH_FILTER, &one, sizeof one));
    say_result(setsockopt(end, SOL_SOCKET, SO_ATTACH_BPF, &one, sizeof one));
    say_result(setsockopt(end, SOL_SOCKET, SO_BINDTODEVICE, "lo", 2));
    say_result(setsockopt(end, IPPROTO_TCP, TCP_ULP, "tls", 3));
    say_result(setsockopt(end, IPPROTO_TCP, TCP_REPAIR, &one, sizeof one));
    say_result(setsockopt(end, IPPROTO_IP, 64, &one, sizeof one)); /* IPT_SO_SET_REPLACE */
}

static void serve(const char *unused) {
    (void)unused;
    const int end = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    struct sockaddr_in address = {.sin_family = AF_INET};
    say_result(bind(end, (struct sockaddr *)&address, sizeof address));
    say_result(listen(end, 1));
    say_result(accept(end, NULL, NULL));
}

const struct attempt grant_attempts[] = {
    {"fill", fill},
    {"identities", identities},
    {"devices", devices},
    {"modes", modes},
    {"properties", properties},
    {"use-scratch", use_scratch},
    {"load-written-code", load_written_code},
    {"run-written-code", run_written_code},
    {"other-sockets", other_sockets},
    {"connect", connect_to},
    {"options", options},
    {"serve", serve},
    {NULL, NULL},
};
