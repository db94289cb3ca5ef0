// SPDX-License-Identifier: Apache-2.0
#include "CPage.h"

#include <zlib.h>

// The window of deflate, with gzip's header and trailer around it (zlib.h, deflateInit2).
enum { gzip_window = 15 + 16, all_memory = 9 };

size_t page_pack(const unsigned char *bytes, size_t count, unsigned char *packed, size_t room) {
    z_stream stream = {0};
    if (count > (uInt)-1 || room > (uInt)-1) {
        return 0;
    }
    if (deflateInit2(&stream, Z_BEST_COMPRESSION, Z_DEFLATED, gzip_window, all_memory, Z_DEFAULT_STRATEGY) != Z_OK) {
        return 0;
    }
    // zlib reads them alone.
    stream.next_in = (Bytef *)bytes;
    stream.avail_in = (uInt)count;
    stream.next_out = packed;
    stream.avail_out = (uInt)room;
    const int end = deflate(&stream, Z_FINISH);
    const size_t length = stream.total_out;
    deflateEnd(&stream);
    return end == Z_STREAM_END ? length : 0;
}
