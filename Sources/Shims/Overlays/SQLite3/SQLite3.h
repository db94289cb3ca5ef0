/* SPDX-License-Identifier: Apache-2.0 */
/* The machine's own library, which the extension finds where it runs as well. */
#include <sqlite3.h>
