// SPDX-License-Identifier: Apache-2.0
#ifndef CPAGE_FONTS_H
#define CPAGE_FONTS_H

#include "CPage.h"

/// The font of a number; `name` is NULL behind the last one, and for 0 in a program that was built without fonts.
struct page_file page_font_at(size_t index);

#endif
