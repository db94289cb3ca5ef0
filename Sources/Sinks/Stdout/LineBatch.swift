// SPDX-License-Identifier: Apache-2.0

private import Glibc
internal import NotificationPayload

/// Lines of JSON that leave in as few writes as the descriptor allows.
struct LineBatch {
    struct WriteError: Error, Equatable {
        let errno: Int32
        /// Lines that are out whole.
        let writtenLineCount: Int
    }

    private var bytes: [UInt8] = []
    private var ends: [Int] = []

    var byteCount: Int { bytes.count }

    mutating func append(_ object: JSONObject) {
        object.write(to: &bytes)
        bytes.append(UInt8(ascii: "\n"))
        ends.append(bytes.count)
    }

    /// Blocks until all is out; on a non-blocking descriptor it waits for room.
    ///
    /// A reader that is gone is `EPIPE` here and never a signal, whatever the process does about SIGPIPE.
    func write(to descriptor: Int32) throws(WriteError) {
        var pipe = sigset_t()
        var before = sigset_t()
        sigemptyset(&pipe)
        sigaddset(&pipe, SIGPIPE)
        pthread_sigmask(SIG_BLOCK, &pipe, &before)
        defer { pthread_sigmask(SIG_SETMASK, &before, nil) }
        var offset = 0
        while offset < bytes.count {
            let count = bytes[offset...].withUnsafeBytes { Glibc.write(descriptor, $0.baseAddress, $0.count) }
            if count >= 0 {
                offset += count
                continue
            }
            switch errno {
            case EINTR: continue
            case EAGAIN:
                var ready = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
                poll(&ready, 1, -1)
            case let code:
                if code == EPIPE {
                    // Takes the signal that came with it, which waits for this thread only.
                    var none = timespec()
                    sigtimedwait(&pipe, nil, &none)
                }
                throw WriteError(errno: code, writtenLineCount: ends.count { $0 <= offset })
            }
        }
    }
}
