/* SPDX-License-Identifier: Apache-2.0 */
#define _GNU_SOURCE
#include "linux_access.h"

#include <endian.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/xattr.h>
#include <unistd.h>

#define ACCESS_LIST "system.posix_acl_access"
#define VERSION 2u
/* More than any list of a file that is private. */
#define MAXIMUM_ENTRIES 32

/* Little-endian, as the kernel hands it out; ids are those of the caller's user namespace. */
struct entry {
    uint16_t tag;
    uint16_t rights;
    uint32_t id;
};

enum tag { OWNER = 0x01, USER = 0x02, MASK = 0x10 };

struct access_list {
    uint32_t version;
    struct entry entries[MAXIMUM_ENTRIES];
};

static bool is_harmless(const struct entry *entry) {
    switch (le16toh(entry->tag)) {
    case OWNER:
    case MASK:
        return true;
    case USER: {
        const uint32_t id = le32toh(entry->id);
        return entry->rights == 0 || id == 0 || id == geteuid();
    }
    default:
        return entry->rights == 0; /* the group, another group, everybody */
    }
}

static bool list_is_harmless(int file) {
    struct access_list list;
    const ssize_t size = fgetxattr(file, ACCESS_LIST, &list, sizeof list);
    const ssize_t first = offsetof(struct access_list, entries);
    if (size <= first || (size - first) % (ssize_t)sizeof(struct entry) != 0 || le32toh(list.version) != VERSION) {
        return false;
    }
    for (ssize_t index = 0; index < (size - first) / (ssize_t)sizeof(struct entry); index++) {
        if (!is_harmless(&list.entries[index])) {
            return false;
        }
    }
    return true;
}

bool linux_has_access_list(const char *path) { return lgetxattr(path, ACCESS_LIST, NULL, 0) > 0; }

bool linux_is_private(int file) {
    struct stat status;
    if (fstat(file, &status) != 0 || (status.st_mode & S_IRWXO) != 0) {
        return false;
    }
    return (status.st_mode & S_IRWXG) == 0 || list_is_harmless(file);
}
