// SPDX-License-Identifier: Apache-2.0

import CLinux
import Glibc

/// A file descriptor that is closed with its last use.
struct Descriptor: ~Copyable {
    let raw: CInt

    init(_ raw: CInt) {
        self.raw = raw
    }

    deinit {
        if raw >= 0 { close(raw) }
    }

    /// The descriptor, for somebody else to close.
    consuming func givenAway() -> CInt {
        let raw = raw
        discard self
        return raw
    }

    /// A folder to open files below.
    static func folder(_ path: String) throws(SystemError) -> Descriptor {
        let raw = unsafe linux_open_folder(path)
        guard raw >= 0 else { throw SystemError("open", -raw) }
        return Descriptor(raw)
    }

    func setNonBlocking() throws(SystemError) {
        guard fcntl(raw, F_SETFL, fcntl(raw, F_GETFL) | O_NONBLOCK) == 0 else { throw SystemError("fcntl", errno) }
    }
}

/// The host's end of a socket or pipe, and the end it gives away.
struct DescriptorPair: ~Copyable {
    /// Does not block.
    let host: Descriptor
    let peer: Descriptor

    static func packetSocket() throws(SystemError) -> DescriptorPair {
        var ends: [CInt] = [-1, -1]
        let type = CInt(SOCK_SEQPACKET.rawValue | SOCK_CLOEXEC.rawValue)
        guard unsafe socketpair(AF_UNIX, type, 0, &ends) == 0 else { throw SystemError("socketpair", errno) }
        let pair = DescriptorPair(host: Descriptor(ends[0]), peer: Descriptor(ends[1]))
        try pair.host.setNonBlocking()
        return pair
    }

    /// The host reads what the other end writes.
    static func pipe() throws(SystemError) -> DescriptorPair {
        var ends: [CInt] = [-1, -1]
        let result = unsafe linux_make_pipe(&ends)
        guard result == 0 else { throw SystemError("pipe2", -result) }
        return DescriptorPair(host: Descriptor(ends[0]), peer: Descriptor(ends[1]))
    }

    /// The host's end, when the other one has been given away.
    consuming func keepingHost() -> Descriptor { host }
}

/// A system call that failed, with its errno.
package struct SystemError: Error, Equatable, CustomStringConvertible {
    package let call: String
    package let code: CInt

    package init(_ call: String, _ code: CInt) {
        self.call = call
        self.code = code
    }

    package var description: String {
        unsafe "\(call): \(String(cString: strerror(code)).lowercased())"
    }
}
