/* SPDX-License-Identifier: Apache-2.0
 *
 * The smallest worker: one byte, then the end.
 */
#include <unistd.h>

int main(void) { return write(STDOUT_FILENO, "x", 1) == 1 ? 0 : 1; }
