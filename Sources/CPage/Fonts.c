// SPDX-License-Identifier: Apache-2.0
#include "Fonts.h"

#pragma clang diagnostic ignored "-Wc23-extensions"

// The fonts with which the page draws the texts of views. They are no part of the repository: scripts/setup makes them
// of Debian's fonts-inter, before a build.
#if __has_embed("Files/text-400.woff2") == __STDC_EMBED_FOUND__ &&                                                     \
    __has_embed("Files/text-600.woff2") == __STDC_EMBED_FOUND__

static const unsigned char text_400[] = {
#embed "Files/text-400.woff2"
};
static const unsigned char text_600[] = {
#embed "Files/text-600.woff2"
};

static const struct page_file fonts[] = {
    {"text-400.woff2", text_400, sizeof text_400},
    {"text-600.woff2", text_600, sizeof text_600},
};

struct page_file page_font_at(size_t index) {
    const struct page_file none = {NULL, NULL, 0};
    return index < sizeof fonts / sizeof fonts[0] ? fonts[index] : none;
}

#else

struct page_file page_font_at(size_t index) {
    (void)index;
    const struct page_file none = {NULL, NULL, 0};
    return none;
}

#endif
