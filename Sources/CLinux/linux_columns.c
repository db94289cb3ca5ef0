/* SPDX-License-Identifier: Apache-2.0 */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif

#include "linux_calls.h"

#include <locale.h>
#include <pthread.h>
#include <wchar.h>

static locale_t unicode;
static pthread_once_t once = PTHREAD_ONCE_INIT;

static void load(void) { unicode = newlocale(LC_CTYPE_MASK, "C.UTF-8", (locale_t)0); }

int linux_columns(uint32_t scalar) {
    pthread_once(&once, load);
    if (!unicode) {
        return 1;
    }
    locale_t former = uselocale(unicode);
    int columns = wcwidth((wchar_t)scalar);
    uselocale(former);
    return columns;
}
