/* SPDX-License-Identifier: Apache-2.0
 *
 * Landlock as a process imposes it on itself. A domain binds the calling thread and what it starts, never a thread that
 * is older. Source: landlock(7); the kernel's headers of some machines are older than its versions 3 to 6.
 */
#pragma once

#include <stdint.h>

/* Rights over files; the comments name the version that can refuse them, if it is not the first. */
enum linux_files {
    LINUX_FILES_EXECUTE = 1 << 0,
    LINUX_FILES_WRITE = 1 << 1,
    LINUX_FILES_READ = 1 << 2,
    LINUX_FILES_LIST = 1 << 3,
    LINUX_FILES_REMOVE_FOLDER = 1 << 4,
    LINUX_FILES_REMOVE = 1 << 5,
    LINUX_FILES_MAKE_FOLDER = 1 << 7,
    LINUX_FILES_MAKE = 1 << 8,
    LINUX_FILES_MAKE_SOCKET = 1 << 9,
    LINUX_FILES_MOVE = 1 << 13,        /* 2 */
    LINUX_FILES_TRUNCATE = 1 << 14,    /* 3 */
    LINUX_FILES_IOCTL_DEVICE = 1 << 15 /* 5 */
};

/* A domain to be, which refuses whatever the kernel can refuse: files, listening on TCP ports, abstract sockets of
 * others, and if asked connecting to TCP ports. Signals stay free. A descriptor or -errno; -ENOSYS or -EOPNOTSUPP
 * without Landlock. */
int linux_landlock_make(int refuses_connecting);

/* Grants rights over a file, or a folder and all below it; a file gets those a file can have. What is not there needs
 * no grant: 0. Else 0 or -errno. */
int linux_landlock_allow_path(int rules, const char *path, uint32_t files);

/* Grants listening on a port; 0 is any that the kernel chooses. 0 or -errno. */
int linux_landlock_allow_listening(int rules, uint16_t port);

/* Grants connecting to a port, whatever the address, in a domain that refuses it. 0 or -errno. */
int linux_landlock_allow_connecting(int rules, uint16_t port);

/* Enters the domain for good, with no_new_privs. 0 or -errno. */
int linux_landlock_enter(int rules);
