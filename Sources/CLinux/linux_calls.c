/* SPDX-License-Identifier: Apache-2.0 */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include "linux_calls.h"

#include "listing.h"

#include <dirent.h>
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <linux/landlock.h>
#include <linux/openat2.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <sys/xattr.h>
#include <time.h>
#include <unistd.h>

union control {
    struct cmsghdr header;
    char bytes[CMSG_SPACE(sizeof(int) * LINUX_MAXIMUM_FILES)];
};

ssize_t linux_send_packet(int socket, const void *bytes, size_t count, const int *descriptors, int descriptor_count) {
    return descriptor_count > LINUX_MAXIMUM_DESCRIPTORS
               ? -EINVAL
               : linux_send_files(socket, bytes, count, descriptors, descriptor_count);
}

ssize_t linux_send_files(int socket, const void *bytes, size_t count, const int *descriptors, int descriptor_count) {
    if (descriptor_count < 0 || descriptor_count > LINUX_MAXIMUM_FILES) {
        return -EINVAL;
    }
    struct iovec part = {.iov_base = (void *)(uintptr_t)bytes, .iov_len = count};
    struct msghdr message = {.msg_iov = &part, .msg_iovlen = 1};
    union control control;
    if (descriptor_count > 0) {
        const size_t length = sizeof(int) * (size_t)descriptor_count;
        memset(&control, 0, sizeof control);
        message.msg_control = control.bytes;
        message.msg_controllen = CMSG_SPACE(length);
        control.header.cmsg_level = SOL_SOCKET;
        control.header.cmsg_type = SCM_RIGHTS;
        control.header.cmsg_len = CMSG_LEN(length);
        memcpy(CMSG_DATA(&control.header), descriptors, length);
    }
    ssize_t sent;
    do {
        sent = sendmsg(socket, &message, MSG_NOSIGNAL);
    } while (sent < 0 && errno == EINTR);
    return sent < 0 ? -errno : sent;
}

/* The room for descriptors is CMSG_LEN, not CMSG_SPACE: the kernel would fill the padding with one more. */
static ssize_t receive(int socket, void *bytes, size_t capacity, int flags, int *descriptors, size_t most,
                       int *descriptor_count, bool *descriptors_lost) {
    struct iovec part = {.iov_base = bytes, .iov_len = capacity};
    union control control;
    struct msghdr message = {.msg_iov = &part,
                             .msg_iovlen = 1,
                             .msg_control = control.bytes,
                             .msg_controllen = CMSG_LEN(sizeof(int) * most)};
    ssize_t received;
    do {
        received = recvmsg(socket, &message, MSG_CMSG_CLOEXEC | flags);
    } while (received < 0 && errno == EINTR);
    *descriptor_count = 0;
    *descriptors_lost = false;
    if (received < 0) {
        return -errno;
    }
    for (struct cmsghdr *part_header = CMSG_FIRSTHDR(&message); part_header != NULL;
         part_header = CMSG_NXTHDR(&message, part_header)) {
        if (part_header->cmsg_level == SOL_SOCKET && part_header->cmsg_type == SCM_RIGHTS) {
            const size_t length = part_header->cmsg_len - CMSG_LEN(0);
            memcpy(descriptors, CMSG_DATA(part_header), length);
            *descriptor_count = (int)(length / sizeof(int));
        }
    }
    if ((message.msg_flags & (MSG_TRUNC | MSG_CTRUNC)) != 0) {
        for (int index = 0; index < *descriptor_count; index++) {
            close(descriptors[index]);
        }
        *descriptor_count = 0;
        *descriptors_lost = true;
        return (message.msg_flags & MSG_TRUNC) != 0 ? -EMSGSIZE : received;
    }
    return received;
}

ssize_t linux_receive_whole_packet(int socket, void *bytes, size_t capacity, int *descriptors, int *descriptor_count,
                                   bool *descriptors_lost) {
    return receive(socket, bytes, capacity, 0, descriptors, LINUX_MAXIMUM_DESCRIPTORS, descriptor_count,
                   descriptors_lost);
}

ssize_t linux_receive_files(int socket, void *bytes, size_t capacity, int flags, int *descriptors,
                            int *descriptor_count, bool *descriptors_lost) {
    return receive(socket, bytes, capacity, flags, descriptors, LINUX_MAXIMUM_FILES, descriptor_count,
                   descriptors_lost);
}

ssize_t linux_receive_packet(int socket, void *bytes, size_t capacity, int *descriptors, int *descriptor_count) {
    bool lost = false;
    const ssize_t received = linux_receive_whole_packet(socket, bytes, capacity, descriptors, descriptor_count, &lost);
    return lost ? -EMSGSIZE : received;
}

ssize_t linux_receive_plain_packet(int socket, void *bytes, size_t capacity, int flags) {
    struct iovec part = {.iov_base = bytes, .iov_len = capacity};
    struct msghdr message = {.msg_iov = &part, .msg_iovlen = 1};
    ssize_t received;
    do {
        received = recvmsg(socket, &message, flags);
    } while (received < 0 && errno == EINTR);
    if (received < 0) {
        return -errno;
    }
    if ((message.msg_flags & MSG_CTRUNC) != 0) {
        return -EBADMSG;
    }
    return (message.msg_flags & MSG_TRUNC) != 0 ? -EMSGSIZE : received;
}

int linux_accept(int listener) {
    const int accepted = accept4(listener, NULL, NULL, SOCK_CLOEXEC);
    return accepted < 0 ? -errno : accepted;
}

int64_t linux_peer_user(int socket) {
    struct ucred peer;
    socklen_t size = sizeof peer;
    return getsockopt(socket, SOL_SOCKET, SO_PEERCRED, &peer, &size) == 0 ? (int64_t)peer.uid : -1;
}

ssize_t linux_write_now(int descriptor, const void *bytes, size_t count) {
    const struct iovec part = {.iov_base = (void *)(uintptr_t)bytes, .iov_len = count};
    const ssize_t written = pwritev2(descriptor, &part, 1, -1, RWF_NOWAIT);
    return written < 0 ? -errno : written;
}

static int result(long value) { return value < 0 ? -errno : (int)value; }

int linux_make_pipe(int ends[2]) {
    if (pipe2(ends, O_CLOEXEC) < 0 || fcntl(ends[0], F_SETFL, O_NONBLOCK) < 0) {
        return -errno;
    }
    return 0;
}

int linux_open_folder(const char *path) { return result(open(path, O_PATH | O_DIRECTORY | O_CLOEXEC)); }

static int open_below(int folder, const char *name, uint64_t flags) {
    const struct open_how how = {
        .flags = flags | O_CLOEXEC,
        .mode = (flags & O_CREAT) != 0 ? S_IRUSR | S_IWUSR : 0,
        .resolve = RESOLVE_BENEATH | RESOLVE_NO_SYMLINKS | RESOLVE_NO_MAGICLINKS | RESOLVE_NO_XDEV,
    };
    return result(syscall(SYS_openat2, folder, name, &how, sizeof how));
}

/* The folder of the last part is held, so that no renaming above it can have another file removed. */
static int take_from(int folder, const char *name, int remove) {
    /* A fifo is opened without waiting for its other end, and then refused. */
    const int file = open_below(folder, name, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY);
    if (file < 0) {
        return file;
    }
    struct stat status;
    int error = fstat(file, &status) != 0 ? -errno : S_ISREG(status.st_mode) ? 0 : -EINVAL;
    if (error == 0 && remove && unlinkat(folder, name, 0) != 0) {
        error = -errno;
    }
    if (error < 0) {
        close(file);
        return error;
    }
    return file;
}

int linux_open_folder_below(int folder, const char *name) { return open_below(folder, name, O_PATH | O_DIRECTORY); }

int linux_take_file(int folder, const char *name, int remove) {
    const char *const slash = strrchr(name, '/');
    if (slash == NULL) {
        return take_from(folder, name, remove);
    }
    char parent[PATH_MAX];
    const size_t length = (size_t)(slash - name);
    if (length == 0) {
        return -EXDEV;
    }
    if (length >= sizeof parent) {
        return -ENAMETOOLONG;
    }
    memcpy(parent, name, length);
    parent[length] = '\0';
    const int above = open_below(folder, parent, O_PATH | O_DIRECTORY);
    if (above < 0) {
        return above;
    }
    const int file = take_from(above, slash + 1, remove);
    close(above);
    return file;
}

int linux_make_file(int folder, const char *name) {
    return open_below(folder, name, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_NOCTTY);
}

int linux_lock_file(int file) {
    const struct flock whole = {.l_type = F_WRLCK, .l_whence = SEEK_SET};
    int taken;
    do {
        taken = fcntl(file, F_SETLKW, &whole);
    } while (taken < 0 && errno == EINTR);
    return result(taken);
}

void linux_write_lines(void) { (void)setvbuf(stdout, NULL, _IOLBF, BUFSIZ); }

int64_t linux_process_time(pid_t pid) {
    clockid_t clock;
    const int error = clock_getcpuclockid(pid, &clock);
    if (error != 0) {
        return -error;
    }
    struct timespec time;
    if (clock_gettime(clock, &time) != 0) {
        return -errno;
    }
    return (int64_t)time.tv_sec * 1000000000 + time.tv_nsec;
}

static int set_autogroup_nice(pid_t leader, int nice) {
    char path[32];
    (void)snprintf(path, sizeof path, "/proc/%d/autogroup", leader);
    const int file = open(path, O_WRONLY | O_CLOEXEC);
    if (file < 0) {
        return errno == ENOENT ? 0 : -errno;
    }
    char text[12];
    const int length = snprintf(text, sizeof text, "%d", nice);
    const int status = write(file, text, (size_t)length) < 0 ? -errno : 0;
    (void)close(file);
    return status;
}

int linux_set_session_nice(pid_t leader, int nice) {
    const int error = result(setpriority(PRIO_PGRP, (id_t)leader, nice));
    return error != 0 ? error : set_autogroup_nice(leader, nice);
}

/* Who lacks the right is refused a negative value, and a second change within a tenth of a second. */
bool linux_session_nice_is_ours(void) {
    const pid_t self = getpid();
    return getsid(0) == self && getpriority(PRIO_PROCESS, 0) == 0 && linux_set_session_nice(self, -1) == 0 &&
           linux_set_session_nice(self, 0) == 0;
}

/* The first version of the structure; glibc 2.36 has none, and the kernel's header collides with its sched.h. */
struct scheduling {
    uint32_t size;
    uint32_t policy;
    uint64_t flags;
    int32_t nice;
    uint32_t priority;
    uint64_t runtime;
    uint64_t deadline;
    uint64_t period;
};

static int set_turn(pid_t thread, uint64_t nanoseconds) {
    struct scheduling scheduling;
    if (syscall(SYS_sched_getattr, thread, &scheduling, sizeof scheduling, 0) != 0) {
        return -errno;
    }
    scheduling.runtime = nanoseconds;
    return result(syscall(SYS_sched_setattr, thread, &scheduling, 0));
}

int linux_set_turns(pid_t process, uint64_t nanoseconds) {
    char path[48];
    (void)snprintf(path, sizeof path, "/proc/%d/task", process == 0 ? getpid() : process);
    const int threads = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (threads < 0) {
        return -errno;
    }
    struct listing listing = list_folder(threads);
    int status = 0;
    for (const char *name = next_name(&listing); name != NULL; name = next_name(&listing)) {
        const int set = set_turn((pid_t)strtol(name, NULL, 10), nanoseconds);
        /* One that has ended meanwhile needs none. */
        if (set != 0 && set != -ESRCH) {
            status = set;
        }
    }
    end_listing(&listing);
    return status;
}

int64_t linux_turn(pid_t thread) {
    struct scheduling scheduling;
    const long status = syscall(SYS_sched_getattr, thread, &scheduling, sizeof scheduling, 0);
    return status == 0 ? (int64_t)scheduling.runtime : -errno;
}

int linux_pidfd_open(pid_t pid) { return result(syscall(SYS_pidfd_open, pid, 0)); }

int linux_pidfd_send_signal(int pidfd, int signal) {
    return result(syscall(SYS_pidfd_send_signal, pidfd, signal, NULL, 0));
}

int linux_set_not_dumpable(void) { return result(prctl(PR_SET_DUMPABLE, 0, 0, 0, 0)); }

int linux_set_no_new_privileges(void) { return result(prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0)); }

int linux_set_parent_death_signal(int signal) { return result(prctl(PR_SET_PDEATHSIG, signal, 0, 0, 0)); }

const char *linux_file_of_symbol(const char *symbol) {
    void *const place = dlsym(RTLD_DEFAULT, symbol);
    Dl_info info;
    return place != NULL && dladdr(place, &info) != 0 ? info.dli_fname : NULL;
}

/* systemd marks what it delegates, as root and for everybody to read. */
int linux_is_delegated_group(const char *path) {
    static const char *const marks[] = {"trusted.delegate", "user.delegate"};
    for (size_t index = 0; index < sizeof marks / sizeof marks[0]; index++) {
        char value[2] = "";
        if (getxattr(path, marks[index], value, sizeof value) == 1 && value[0] == '1') {
            return 1;
        }
    }
    return 0;
}

int linux_landlock_version(void) {
    const long version = syscall(SYS_landlock_create_ruleset, NULL, (size_t)0, LANDLOCK_CREATE_RULESET_VERSION);
    return version < 0 ? 0 : (int)version;
}
