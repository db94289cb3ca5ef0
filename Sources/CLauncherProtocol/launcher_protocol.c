/* SPDX-License-Identifier: Apache-2.0 */
#include "launcher_protocol.h"

/* The packets are plain structs without implicit padding surprises: pin the sizes both ends rely on. */
_Static_assert(sizeof(struct launcher_header) == 8, "header");
_Static_assert(sizeof(struct launcher_ready) == 24, "ready");
_Static_assert(sizeof(struct launcher_started) == 32, "started");
_Static_assert(sizeof(struct launcher_exited) == 32, "exited");
