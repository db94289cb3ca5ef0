/* SPDX-License-Identifier: Apache-2.0
 *
 * The names in a folder, read into a buffer on the stack. readdir(3) allocates 32 KiB for each folder, and a host under
 * load reads some hundreds of folders a second.
 */
#pragma once

#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include <dirent.h>
#include <stdbool.h>
#include <string.h>
#include <unistd.h>

struct listing {
    int folder; /* belongs to the listing, and is read from where it stands */
    ssize_t count;
    ssize_t offset;
    _Alignas(struct dirent64) char entries[1024];
};

static inline struct listing list_folder(int folder) {
    struct listing listing;
    listing.folder = folder;
    listing.count = 0;
    listing.offset = 0;
    return listing;
}

static inline bool is_itself(const char *name) { return strcmp(name, ".") == 0 || strcmp(name, "..") == 0; }

/* The next name but "." and "..", good until the next call; NULL at the end, and when the folder cannot be read. */
static inline const char *next_name(struct listing *listing) {
    for (;;) {
        if (listing->offset >= listing->count) {
            listing->count = getdents64(listing->folder, listing->entries, sizeof listing->entries);
            listing->offset = 0;
            if (listing->count <= 0) {
                return NULL;
            }
        }
        const struct dirent64 *const entry =
            (const struct dirent64 *)(const void *)(listing->entries + listing->offset);
        listing->offset += entry->d_reclen;
        if (!is_itself(entry->d_name)) {
            return entry->d_name;
        }
    }
}

static inline void end_listing(struct listing *listing) { (void)close(listing->folder); }
