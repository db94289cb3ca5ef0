// SPDX-License-Identifier: Apache-2.0
#include "CPage.h"

#pragma clang diagnostic ignored "-Wc23-extensions"

static const unsigned char index_html[] = {
#embed "Files/index.html"
};
static const unsigned char page_css[] = {
#embed "Files/page.css"
};
static const unsigned char page_js[] = {
#embed "Files/page.js"
};
static const unsigned char dom_js[] = {
#embed "Files/dom.js"
};
static const unsigned char feed_js[] = {
#embed "Files/feed.js"
};
static const unsigned char list_js[] = {
#embed "Files/list.js"
};
static const unsigned char words_js[] = {
#embed "Files/words.js"
};

static const struct page_file files[] = {
    {"index.html", index_html, sizeof index_html}, {"page.css", page_css, sizeof page_css},
    {"page.js", page_js, sizeof page_js},          {"dom.js", dom_js, sizeof dom_js},
    {"feed.js", feed_js, sizeof feed_js},          {"list.js", list_js, sizeof list_js},
    {"words.js", words_js, sizeof words_js},
};

struct page_file page_file_at(size_t index) {
    const struct page_file none = {NULL, NULL, 0};
    return index < sizeof files / sizeof files[0] ? files[index] : none;
}
