// SPDX-License-Identifier: Apache-2.0
#ifndef CPAGE_H
#define CPAGE_H

#include <stddef.h>

/// A file of the page as it is served, in the program itself: a confined process opens none.
struct page_file {
    const char *name;
    const unsigned char *bytes;
    size_t count;
};

/// The file of a number; `name` is NULL behind the last one.
struct page_file page_file_at(size_t index);

/// Packs bytes as gzip does; returns the length, or 0 when they do not become shorter than `room`.
size_t page_pack(const unsigned char *bytes, size_t count, unsigned char *packed, size_t room);

#endif
