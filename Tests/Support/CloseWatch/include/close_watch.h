// SPDX-License-Identifier: Apache-2.0

#ifndef CLOSE_WATCH_H
#define CLOSE_WATCH_H

#include <stdbool.h>

/// Whether a `close` of a descriptor that is not open ends this process.
bool close_is_watched(void);

#endif
