/* SPDX-License-Identifier: Apache-2.0
 *
 * Folders that somebody else may be changing, as a whole. Nothing here follows a link or goes to another file system,
 * and none needs more descriptors or stack than LINUX_TREE_DEPTH levels take. Each returns 0 or a negative errno.
 */
#pragma once

#include <stdint.h>
#include <sys/types.h>

/* Deeper than this nothing is looked at. */
#define LINUX_TREE_DEPTH 32

struct linux_tree_size {
    uint64_t bytes;   /* on the disk, not what files claim to hold */
    uint64_t entries; /* files and folders */
};

/* Adds up what lies below a folder; ends early once it is more than `most`. -ELOOP when it is deeper than
 * LINUX_TREE_DEPTH. Entries that vanish meanwhile do not count. */
int linux_measure_tree(int folder, struct linux_tree_size most, struct linux_tree_size *size);

/* Removes all that lies below a folder, not itself. What somebody adds meanwhile may stay. */
int linux_empty_tree(int folder);

/* Removes a file, or a folder with all that lies in it; 0 if there is none of that name. */
int linux_remove_tree(int folder, const char *name);

/* The same of all whose names begin so. */
int linux_remove_trees(int folder, const char *prefix);

/* Makes a user and a group the owner of a folder and all below it. -ELOOP as above. */
int linux_give_tree(int folder, uid_t owner);
