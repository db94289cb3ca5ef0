/* SPDX-License-Identifier: Apache-2.0 */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include "linux_calls.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/mman.h>

int linux_memory_file(const char *name) {
    const int file = memfd_create(name, MFD_CLOEXEC | MFD_ALLOW_SEALING);
    return file < 0 ? -errno : file;
}

int linux_seal_memory(int file) {
    const int seals = F_SEAL_SEAL | F_SEAL_SHRINK | F_SEAL_GROW | F_SEAL_WRITE;
    return fcntl(file, F_ADD_SEALS, seals) < 0 ? -errno : 0;
}
