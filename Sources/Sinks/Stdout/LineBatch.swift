// SPDX-License-Identifier: Apache-2.0

private import CLinux
private import Glibc
private import HostRuntime
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
    /// Bytes that are out.
    private var offset = 0

    var byteCount: Int { bytes.count }
    var lineCount: Int { ends.count }
    private var isOut: Bool { offset == bytes.count }

    mutating func append(_ object: JSONObject) {
        object.write(to: &bytes)
        bytes.append(UInt8(ascii: "\n"))
        ends.append(bytes.count)
    }

    /// Forgets the lines; memory of more than so many bytes goes back.
    mutating func empty(keepingAtMost byteCount: Int) {
        let isSmall = bytes.capacity <= byteCount
        bytes.removeAll(keepingCapacity: isSmall)
        ends.removeAll(keepingCapacity: isSmall)
        offset = 0
    }

    /// Tells whether the kernel may be able to write to a descriptor without waiting: true for pipes and sockets.
    static func mayWriteNow(to descriptor: Int32) -> Bool {
        guard let kind = FileFacts(of: descriptor)?.kind else { return false }
        return kind == .pipe || kind == .socket
    }

    /// Writes what the descriptor takes without waiting; false when some is left, for `write(to:)`.
    mutating func writeNow(to descriptor: Int32) throws(WriteError) -> Bool {
        try write { bytes in
            linux_write_now(descriptor, bytes.baseAddress, bytes.count)
        } orElse: { code in
            // An older kernel can do it for sockets and not for pipes.
            [EAGAIN, EOPNOTSUPP, ENOSYS].contains(code) ? .leave : .fail
        }
        return isOut
    }

    /// Blocks until all is out; on a non-blocking descriptor it waits for room.
    mutating func write(to descriptor: Int32) throws(WriteError) {
        try write { bytes in
            let count = Glibc.write(descriptor, bytes.baseAddress, bytes.count)
            return count < 0 ? -Int(errno) : count
        } orElse: { code in
            guard code == EAGAIN else { return .fail }
            var ready = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
            poll(&ready, 1, -1)
            return .again
        }
    }

    private enum Answer { case again, leave, fail }

    /// The process ignores SIGPIPE, as the programs decide when they start; looked at once.
    private static let isPipeSignalIgnored: Bool = {
        var action = sigaction()
        guard sigaction(SIGPIPE, nil, &action) == 0, let handler = action.__sigaction_handler.sa_handler else {
            return false
        }
        return unsafeBitCast(handler, to: Int.self) == unsafeBitCast(SIG_IGN, to: Int.self)
    }()

    /// `put` returns how much it wrote or a negative errno, and `answer` says what becomes of that.
    ///
    /// A reader that is gone is `EPIPE` here and never a signal, unless a process that ignored SIGPIPE at its first
    /// write takes that back.
    private mutating func write(
        by put: (UnsafeRawBufferPointer) -> Int,
        orElse answer: (Int32) -> Answer
    ) throws(WriteError) {
        var pipe = sigset_t()
        var before = sigset_t()
        if !Self.isPipeSignalIgnored {
            sigemptyset(&pipe)
            sigaddset(&pipe, SIGPIPE)
            pthread_sigmask(SIG_BLOCK, &pipe, &before)
        }
        defer { if !Self.isPipeSignalIgnored { pthread_sigmask(SIG_SETMASK, &before, nil) } }
        while !isOut {
            let count = bytes[offset...].withUnsafeBytes(put)
            if count >= 0 {
                offset += count
                continue
            }
            let code = Int32(-count)
            if code == EINTR { continue }
            switch answer(code) {
            case .again: continue
            case .leave: return
            case .fail: break
            }
            if code == EPIPE, !Self.isPipeSignalIgnored {
                // Takes the signal that came with it, which waits for this thread only.
                var none = timespec()
                sigtimedwait(&pipe, nil, &none)
            }
            throw WriteError(errno: code, writtenLineCount: ends.count { $0 <= offset })
        }
    }
}
