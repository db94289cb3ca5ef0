/* SPDX-License-Identifier: Apache-2.0
 *
 * Starts every sandboxed process for extension-host, reaps it, and hands back a pidfd. One thread, no allocation, no
 * parsing of anything but the host's fixed-size packets. The host starts it before it grows, because cloning a large
 * process is dear; end-of-file on descriptor 3 ends it and everything it started.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/random.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>

#include "launcher.h"
#include "linux_calls.h"
#include "nestbox_version.h"

static const char usage[] = "worker-launcher: error: descriptor 3 must be the host's packet socket\n"
                            "worker-launcher: hint: extension-host starts this program; see PROTOCOL.md\n"
                            "usage: worker-launcher [--profile A|B|C|D]\n";
static const char version[] = "worker-launcher " NESTBOX_VERSION "\n";

static _Noreturn void refuse(const char *stage) {
    complain("%s: %s", stage, strerror(errno));
    _exit(1);
}

/* The strongest profile to try; 0 when the arguments are not ours. */
static char strongest_profile(int count, char *const *arguments) {
    if (count <= 1) {
        return 'A';
    }
    const bool known = count == 3 && strcmp(arguments[1], "--profile") == 0 && strlen(arguments[2]) == 1;
    return known && strchr("ABCD", arguments[2][0]) != NULL ? arguments[2][0] : '\0';
}

static bool has_socket(void) {
    int type = 0;
    socklen_t size = sizeof type;
    return getsockopt(LAUNCHER_SOCKET_DESCRIPTOR, SOL_SOCKET, SO_TYPE, &type, &size) == 0 && type == SOCK_SEQPACKET;
}

/* Blocked, not ignored: a stop signal to the whole group is the host's to answer, and it drains first. */
static void block_signals(void) {
    sigset_t all;
    if (sigfillset(&all) != 0 || sigprocmask(SIG_SETMASK, &all, NULL) != 0) {
        refuse("signal mask");
    }
}

/* Nothing inherited by accident; every number a child hands out occupied, so that ours lie above. */
static int arrange_descriptors(void) {
    if (fcntl(LAUNCHER_SOCKET_DESCRIPTOR, F_SETFD, FD_CLOEXEC) != 0 ||
        fcntl(LAUNCHER_SOCKET_DESCRIPTOR, F_SETFL, O_NONBLOCK) != 0 ||
        close_range(LAUNCHER_SOCKET_DESCRIPTOR + 1, ~0U, 0) != 0) {
        refuse("descriptors");
    }
    struct rlimit limit;
    if (getrlimit(RLIMIT_NOFILE, &limit) != 0) {
        refuse("descriptor limit");
    }
    limit.rlim_cur = limit.rlim_max;
    if (setrlimit(RLIMIT_NOFILE, &limit) != 0) {
        refuse("descriptor limit");
    }
    int null;
    do {
        null = open("/dev/null", O_RDONLY | O_CLOEXEC);
        if (null < 0) {
            refuse("/dev/null");
        }
    } while (null < FIRST_FREE_DESCRIPTOR);
    return null;
}

/* A page where chance put it; on an address space too small for that, where the kernel did. */
static struct final_page *map_final_page(void) {
    const int flags = MAP_PRIVATE | MAP_ANONYMOUS;
    for (int attempt = 0; attempt < 16; attempt++) {
        uint64_t chance;
        if (getrandom(&chance, sizeof chance, 0) != (ssize_t)sizeof chance) {
            refuse("random bytes");
        }
        void *const place = (void *)(uintptr_t)(chance >> 18 & ~(uint64_t)0xFFFF);
        void *const page =
            mmap(place, sizeof(struct final_page), PROT_READ | PROT_WRITE, flags | MAP_FIXED_NOREPLACE, -1, 0);
        if (page == place && page != NULL) {
            return page;
        }
    }
    void *const page = mmap(NULL, sizeof(struct final_page), PROT_READ | PROT_WRITE, flags, -1, 0);
    if (page == MAP_FAILED) {
        refuse("page for exec");
    }
    return page;
}

/* Whatever every process needs is made here, once, while there is nobody to hold it from us. */
static void prepare(struct launcher *launcher) {
    launcher->landlock = (uint32_t)linux_landlock_version();
    const int found = find_system_views(&launcher->views);
    if (found < 0) {
        errno = -found;
        refuse("library folders");
    }
    launcher->page = map_final_page();
    const struct filter_execution execution = {
        .path = (uintptr_t)launcher->page->no_path,
        .arguments = (uintptr_t)launcher->page->arguments,
        .environment = (uintptr_t)launcher->page->environment,
    };
    const char *what;
    const int error = compile_filters(&launcher->filters, &execution, &what);
    if (error < 0) {
        complain("system-call filter: %s: %s", what, strerror(-error));
        _exit(1);
    }
}

/* Stage 2 in every form that a worker can need; the host passes it on. */
static const struct {
    uint32_t flags; /* enum launcher_flags */
    bool trap;
} filter_forms[] = {
    {0, false}, {0, true}, {LAUNCHER_SCRATCH, false}, {LAUNCHER_SCRATCH, true}, {ALL_FLAGS, false}, {ALL_FLAGS, true},
};
#define FILTER_FORMS (sizeof filter_forms / sizeof filter_forms[0])

static void tell_filters(struct launcher *launcher) {
    for (size_t index = 0; index < FILTER_FORMS; index++) {
        const uint32_t flags = filter_forms[index].flags;
        const bool trap = filter_forms[index].trap;
        const struct filter *const filter =
            stage2(&launcher->filters, (flags & LAUNCHER_SCRATCH) != 0, (flags & LAUNCHER_NETWORK) != 0, trap);
        struct launcher_filter packet = {
            .header = {.version = LAUNCHER_PROTOCOL_VERSION, .type = LAUNCHER_FILTER},
            .flags = flags,
            .trap = trap ? 1 : 0,
            .length = filter->length,
        };
        if (filter->length > LAUNCHER_FILTER_BYTES / LAUNCHER_INSTRUCTION_BYTES) {
            complain("stage 2 has %u instructions", filter->length);
            _exit(1);
        }
        memcpy(packet.code, filter->code, sizeof filter->code[0] * filter->length);
        tell_host(launcher, &packet, sizeof packet, NULL, 0);
    }
}

int main(int argument_count, char **arguments) {
    if (argument_count == 2 && strcmp(arguments[1], "--version") == 0) {
        return write(STDOUT_FILENO, version, sizeof version - 1) < 0;
    }
    const char strongest = strongest_profile(argument_count, arguments);
    if (strongest == '\0' || !has_socket()) {
        (void)!write(STDERR_FILENO, usage, sizeof usage - 1);
        return 2;
    }
    block_signals();
    /* The kernel shares the processor among sessions first (sched(7), autogroup): what starts cost is not the host's.
     * Who leads a group already, as under a debugger, stays where it is. */
    (void)setsid();
    (void)umask(022); /* for the folders of a view, which every user may enter */
    struct launcher launcher = {
        .null = arrange_descriptors(),
        .groups.folder = -1,
        .raises_priority = linux_session_nice_is_ours(),
    };
    if (linux_set_not_dumpable() != 0 || linux_set_no_new_privileges() != 0) {
        refuse("process attributes");
    }
    prepare(&launcher);
    choose_confinement(&launcher, strongest);
    const struct launcher_ready ready = {
        .header = {.version = LAUNCHER_PROTOCOL_VERSION, .type = LAUNCHER_READY},
        .namespaces = launcher.confinement.namespaces,
        .profile = (uint32_t)launcher.confinement.profile,
        .landlock = launcher.confinement.profile == 'D' ? 0 : launcher.landlock,
        .instructions = stage1(&launcher.filters, true, FILTER_PLAIN)->length,
        .filter_count = FILTER_FORMS,
    };
    tell_host(&launcher, &ready, sizeof ready, NULL, 0);
    tell_filters(&launcher);
    return serve_host(&launcher);
}
