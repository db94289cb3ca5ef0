// SPDX-License-Identifier: Apache-2.0

import Glibc

/// A connection to systemd, if systemd wants to hear how the process is: `Type=notify`, `WatchdogSec=`.
///
/// Messages are datagrams of sd_notify(3). One that cannot be sent at once is lost, so that the process never waits.
package struct SystemdSocket: Sendable {
    package enum Message: String, Sendable {
        case ready = "READY=1"
        case stopping = "STOPPING=1"
        case watchdog = "WATCHDOG=1"
    }

    /// Negative: nobody asked.
    private let descriptor: Int32
    /// The time within which systemd must hear of the process again; `nil` means that systemd does not look.
    package let watchdogInterval: Duration?

    /// Finds it in the environment and connects, before the process gives up the right to reach abstract sockets.
    package init(environment: [String: String]) {
        descriptor = environment["NOTIFY_SOCKET"].map(Self.connect) ?? -1
        watchdogInterval = Self.interval(environment, process: getpid())
    }

    package func say(_ message: Message) {
        guard descriptor >= 0 else { return }
        let text = message.rawValue
        // Its reader may be as slow as it likes, and gone.
        _ = unsafe send(descriptor, text, text.utf8.count, Int32(MSG_DONTWAIT) | Int32(MSG_NOSIGNAL))
    }

    /// Tells it twice in each interval that tasks still run, until the task is cancelled.
    package func keepInformed() async {
        guard descriptor >= 0, let watchdogInterval else { return }
        repeat {
            say(.watchdog)
        } while (try? await ContinuousClock().sleep(for: watchdogInterval / 2)) != nil
    }

    /// From microseconds in `WATCHDOG_USEC`, unless `WATCHDOG_PID` is another process.
    package static func interval(_ environment: [String: String], process: Int32) -> Duration? {
        guard let microseconds = environment["WATCHDOG_USEC"].flatMap(Int64.init), microseconds > 0 else { return nil }
        guard environment["WATCHDOG_PID"].map({ $0 == "\(process)" }) ?? true else { return nil }
        return .microseconds(microseconds)
    }

    private static func connect(to name: String) -> Int32 {
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        let bytes = Array(name.utf8)
        let start = MemoryLayout<sockaddr_un>.offset(of: \.sun_path) ?? 0
        guard let first = bytes.first, first == UInt8(ascii: "/") || first == UInt8(ascii: "@"),
            bytes.count < MemoryLayout.size(ofValue: address.sun_path)
        else { return -1 }
        unsafe withUnsafeMutableBytes(of: &address.sun_path) { path in
            unsafe path.copyBytes(from: bytes)
            // Abstract names begin with a zero.
            if first == UInt8(ascii: "@") { unsafe path[0] = 0 }
        }
        let descriptor = socket(AF_UNIX, Int32(SOCK_DGRAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
        guard descriptor >= 0 else { return -1 }
        let status = unsafe withUnsafePointer(to: address) { pointer in
            unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                unsafe Glibc.connect(descriptor, $0, socklen_t(start + bytes.count))
            }
        }
        guard status == 0 else {
            close(descriptor)
            return -1
        }
        return descriptor
    }
}
