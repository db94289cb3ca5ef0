/* SPDX-License-Identifier: Apache-2.0 */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include "linux_calls.h"

#include <errno.h>
#include <sys/mman.h>

int linux_memory_file(const char *name) {
    const int file = memfd_create(name, MFD_CLOEXEC);
    return file < 0 ? -errno : file;
}
