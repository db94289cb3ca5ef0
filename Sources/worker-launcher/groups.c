/* SPDX-License-Identifier: Apache-2.0 */
#include <errno.h>

#include "launcher.h"

void register_group(struct launcher *launcher, const struct launcher_register_group *packet) {
    (void)packet;
    const struct launcher_group_registered answer = {
        .header = {.version = LAUNCHER_PROTOCOL_VERSION, .type = LAUNCHER_GROUP_REGISTERED},
        .error = EOPNOTSUPP,
    };
    tell_host(launcher, &answer, sizeof answer, NULL, 0);
}
