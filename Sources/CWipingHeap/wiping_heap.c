/* SPDX-License-Identifier: Apache-2.0 */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include "wiping_heap.h"

#include <dlfcn.h>
#include <malloc.h>
#include <stdlib.h>
#include <string.h>

#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer)

bool wiping_heap_is_in_place(void) { return true; }

#else

/* glibc's own, under the name it keeps for those who replace free. */
extern void __libc_free(void *block);

void free(void *block) {
    if (block == NULL) {
        return;
    }
    explicit_bzero(block, malloc_usable_size(block));
    __libc_free(block);
}

/* Never glibc's own, which would leave a block that it moves as it was. */
void *realloc(void *block, size_t size) {
    if (block == NULL) {
        return malloc(size);
    }
    const size_t room = malloc_usable_size(block);
    if (size != 0 && size <= room && size >= room / 2) {
        return block;
    }
    void *const moved = malloc(size != 0 ? size : 1);
    if (moved != NULL) {
        memcpy(moved, block, size < room ? size : room);
        free(block);
    }
    return moved;
}

bool wiping_heap_is_in_place(void) {
    void (*const own)(void *) = free;
    return dlsym(RTLD_DEFAULT, "free") == (void *)own;
}

#endif
