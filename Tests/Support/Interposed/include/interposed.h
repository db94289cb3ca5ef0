// SPDX-License-Identifier: Apache-2.0

#ifndef INTERPOSED_H
#define INTERPOSED_H

#include <stdbool.h>

/// Whether a `close` of a descriptor that is not open ends this process.
bool close_is_watched(void);

/// Tells the thread sanitizer that the current task goes on behind a continuation of it that was resumed.
///
/// Without the sanitizer it does nothing.
void continuation_was_resumed(void);

#endif
