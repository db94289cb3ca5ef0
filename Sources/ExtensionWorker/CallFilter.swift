// SPDX-License-Identifier: Apache-2.0

import CLinux
import Foundation
import NotificationPayload
import WorkerProtocol

/// The system-call filter that a worker loads itself, over the one it was started under: stage 2.
///
/// Source: PROTOCOL.md, "The filter in hello"; docs/sandbox.md, "What a started process is".
struct CallFilter: Sendable, Equatable {
    /// Instructions as the kernel takes them, 8 bytes each.
    let code: [UInt8]

    /// Reads the filter; returns `nil` when the text is no base64 of whole instructions.
    init?(base64: String) {
        guard let code = Base64.standard.decode(base64), !code.isEmpty, code.count % 8 == 0 else { return nil }
        self.code = code
    }

    /// Closes the filter over every thread of this process, for good; 0 or an errno.
    ///
    /// A refused call is named in a log message before the process dies of it, if the host asked for that.
    func load() -> Int32 {
        // exec made the process dumpable, and without a pid namespace others of its user would see its memory.
        let hidden = linux_set_not_dumpable()
        guard hidden == 0 else { return -hidden }
        return unsafe code.withUnsafeBytes { code in
            if unsafe linux_filter_traps(code.baseAddress, code.count) {
                let reported = Self.reportRefusedCalls()
                guard reported == 0 else { return -reported }
            }
            return unsafe -linux_load_filter(code.baseAddress, code.count)
        }
    }

    /// The message is finished in a signal handler, which may take no memory: the name stands between two parts of it.
    private static func reportRefusedCalls() -> Int32 {
        let name = Array("NAME".utf8)
        let log = WorkerMessage.log(.init(level: .error, message: "the sandbox refuses the system call NAME"))
        guard let packet = try? log.packet.encoded(), let place = packet.firstRange(of: name) else { return -EINVAL }
        return unsafe packet.withUnsafeBytes { packet in
            let before = unsafe packet[..<place.lowerBound]
            let after = unsafe packet[place.upperBound...]
            return unsafe linux_report_trapped_calls(
                3,
                linux_bytes(bytes: UnsafeRawBufferPointer(rebasing: before).baseAddress, count: before.count),
                linux_bytes(bytes: UnsafeRawBufferPointer(rebasing: after).baseAddress, count: after.count)
            )
        }
    }
}
