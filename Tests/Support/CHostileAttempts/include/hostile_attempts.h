/* SPDX-License-Identifier: Apache-2.0
 *
 * What a hostile worker tries, for programs in C and in Swift. Numbers in the comments of this folder are the rows of
 * the table that WorkerLauncherTests prints.
 */
#pragma once

/* Makes one attempt, "NAME" or "NAME VALUE", and tells what came of it: names of errnos and words, each once, or
 * "unknown". Whoever is killed for it does not return. The answer stays until the next call; one thread calls. */
const char *hostile_attempt(const char *command);

/* Says which request of the host the next attempts lie about: 8 bytes, as in its packet. */
void hostile_request(const void *number);
