/* SPDX-License-Identifier: Apache-2.0 */
#include "launcher_protocol.h"

/* The packets are plain structs without implicit padding surprises: pin the sizes both ends rely on. */
_Static_assert(sizeof(struct launcher_header) == 8, "header");
_Static_assert(sizeof(struct launcher_ready) == 32, "ready");
_Static_assert(sizeof(struct launcher_started) == 40, "started");
_Static_assert(sizeof(struct launcher_exited) == 48, "exited");
_Static_assert(sizeof(struct launcher_filter) == 24 + LAUNCHER_FILTER_BYTES, "filter");
_Static_assert(sizeof(struct launcher_scratch_file) == 32, "scratch_file");
