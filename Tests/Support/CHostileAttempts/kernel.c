/* SPDX-License-Identifier: Apache-2.0
 *
 * The kernel's surface: 4 (sockets), 5 (connections), 9 (mounts), 20 (large interfaces), 21 (other numberings).
 */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mount.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "attempts.h"

/* Younger than the headers of some build machines. */
#define CALL_FCHMODAT2 452
#define CALL_LISTMOUNT 458
#define CALL_FUTEX_WAKE 454

static void sockets(const char *unused) {
    (void)unused;
    static const int kinds[][2] = {{AF_INET, SOCK_STREAM}, {AF_INET, SOCK_DGRAM},  {AF_INET6, SOCK_STREAM},
                                   {AF_UNIX, SOCK_STREAM}, {AF_NETLINK, SOCK_RAW}, {AF_VSOCK, SOCK_STREAM},
                                   {AF_INET, SOCK_RAW},    {AF_PACKET, SOCK_RAW},  {AF_ALG, SOCK_SEQPACKET}};
    for (size_t index = 0; index < sizeof kinds / sizeof kinds[0]; index++) {
        say_result(socket(kinds[index][0], kinds[index][1], 0));
    }
}

static void socket_pair(const char *unused) {
    (void)unused;
    int ends[2];
    say_result(socketpair(AF_UNIX, SOCK_STREAM, 0, ends));
}

/* On the socket that it has. */
static void other_ends(const char *unused) {
    (void)unused;
    struct sockaddr address = {.sa_family = AF_UNSPEC};
    say_result(connect(3, &address, sizeof address));
    say_result(bind(3, &address, sizeof address));
    say_result(listen(3, 1));
    say_result(accept(3, NULL, NULL));
}

static void mounts(const char *unused) {
    (void)unused;
    say_result(mount("proc", "/proc", "proc", 0, NULL));
    say_result(mount(NULL, "/", NULL, MS_REMOUNT | MS_BIND, NULL));
    say_result(umount2("/proc", MNT_DETACH));
    say_result(syscall(SYS_fsopen, "tmpfs", 0));
    say_result(syscall(SYS_open_tree, AT_FDCWD, "/", 1));
    say_result(syscall(SYS_move_mount, 3, "", AT_FDCWD, "/", 4));
    say_result(syscall(SYS_pivot_root, "/", "/"));
    say_result(syscall(SYS_chroot, "/"));
    say_result(open_by_handle_at(AT_FDCWD, NULL, O_RDONLY));
    say_result(syscall(SYS_name_to_handle_at, AT_FDCWD, "/", NULL, NULL, 0));
}

static void interfaces(const char *unused) {
    (void)unused;
    static const long calls[] = {
        SYS_io_uring_setup,
        SYS_io_uring_enter,
        SYS_io_uring_register,
        SYS_io_setup,
        SYS_bpf,
        SYS_perf_event_open,
        SYS_userfaultfd,
        SYS_keyctl,
        SYS_add_key,
        SYS_request_key,
        SYS_shmget,
        SYS_semget,
        SYS_msgget,
        SYS_mq_open,
        SYS_memfd_create,
        SYS_memfd_secret,
        SYS_inotify_init1,
        SYS_fanotify_init,
        SYS_splice,
        SYS_vmsplice,
        SYS_init_module,
        SYS_kexec_load,
        SYS_reboot,
        SYS_swapon,
        SYS_quotactl,
        SYS_acct,
        SYS_syslog,
        SYS_process_madvise,
    };
    for (size_t index = 0; index < sizeof calls / sizeof calls[0]; index++) {
        say_result(syscall(calls[index], 0L, 0L, 0L, 0L, 0L));
    }
}

static void young_calls(const char *unused) {
    (void)unused;
    say_result(syscall(CALL_FCHMODAT2, AT_FDCWD, "/", 0700, 0));
    say_result(syscall(CALL_LISTMOUNT, NULL, NULL, 0UL, 0));
    say_result(syscall(CALL_FUTEX_WAKE, NULL, 0UL, 0, 0));
    say_result(syscall(SYS_landlock_create_ruleset, NULL, 0UL, 1U));
    for (long call = 470; call < 1100; call++) {
        say_result(syscall(call, 0L, 0L, 0L));
    }
}

static void old_numbering(const char *unused) {
    (void)unused;
#if defined(__x86_64__)
    long result = 20; /* getpid of the 32-bit table */
    __asm__ volatile("int $0x80" : "+a"(result) : : "memory");
    say_words("lives");
#else
    say_words("no such thing");
#endif
}

static void x32_numbering(const char *unused) {
    (void)unused;
#if defined(__x86_64__)
    (void)syscall(0x40000000L | SYS_getpid);
    say_words("lives");
#else
    say_words("no such thing");
#endif
}

#ifndef SO_PEERPIDFD
#define SO_PEERPIDFD 77
#endif
/* A descriptor of the host's process. */
static void peer(const char *unused) {
    (void)unused;
    int descriptor = -1;
    socklen_t size = sizeof descriptor;
    say_result(getsockopt(3, SOL_SOCKET, SO_PEERPIDFD, &descriptor, &size));
    say_result(getsockopt(3, SOL_SOCKET, SO_PEERGROUPS, &descriptor, &size));
}

/* One that other processes' calls would be asked about, or that stands on one thread alone. */
static void own_filter(const char *unused) {
    (void)unused;
    struct sock_filter code = BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW);
    struct sock_fprog program = {1, &code};
    say_result(syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, SECCOMP_FILTER_FLAG_NEW_LISTENER, &program));
    say_result(syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, 0UL, &program));
}

/* A real program of old: everything it needs and nothing it may. */
static void ordinary(const char *unused) {
    (void)unused;
    char text[64];
    const int file = open("/proc/self/stat", O_RDONLY | O_CLOEXEC);
    say_result(file < 0 ? file : read(file, text, sizeof text));
    say_result(open("/usr/lib", O_RDONLY | O_DIRECTORY | O_CLOEXEC));
    say_result(getpid());
    int ends[2];
    say_result(pipe(ends));
    say_result(write(ends[1], "x", 1));
    say_result(read(ends[0], text, 1));
    say_result(syscall(SYS_getrandom, text, sizeof text, 0U));
}

const struct attempt kernel_attempts[] = {
    {"sockets", sockets},
    {"socket-pair", socket_pair},
    {"other-ends", other_ends},
    {"mounts", mounts},
    {"interfaces", interfaces},
    {"young-calls", young_calls},
    {"old-numbering", old_numbering},
    {"x32-numbering", x32_numbering},
    {"peer", peer},
    {"own-filter", own_filter},
    {"ordinary", ordinary},
    {NULL, NULL},
};
