/* SPDX-License-Identifier: Apache-2.0
 *
 * Tells who may read a file, by its mode and its access list.
 */
#pragma once

#include <stdbool.h>

/* Whether nobody but its owner, root and this process's user has any right to an open file.
 *
 * Where a file has an access list, the group's bits of its mode are the list's mask and say nothing of the group: so
 * does systemd (since 254) give a service its credentials, root's and 0440. Then the list decides. False, too, when the
 * file cannot be looked at. acl(5). */
bool linux_is_private(int file);

/* Whether what has this name, itself and not what a link leads to, has an access list. */
bool linux_has_access_list(const char *path);
