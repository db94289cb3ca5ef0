// SPDX-License-Identifier: Apache-2.0

import CLinux
import Foundation
public import UserNotifications

/// Runs a service extension as a worker of `extension-host`.
///
/// An extension's `main.swift` is one statement:
/// ```swift
/// NotificationServiceWorker.serve(NotificationService())
/// ```
/// The host starts the executable with its socket as descriptor 3; PROTOCOL.md says what is spoken there.
public enum NotificationServiceWorker {
    /// Serves notifications until the host ends the conversation; call it on the main thread, as the last statement.
    ///
    /// The expression is evaluated once for every notification, on the thread the notification gets; that instance is
    /// held until the notification's completion. The main thread runs the main queue meanwhile.
    ///
    /// A worker of `swift build` has random identifiers like one of `extension-host build`, but not with
    /// `--static-swift-stdlib`: every `UUID()` in the sandbox is the same then, unless the linker is given
    /// `--wrap=uuid_generate_random` and `--wrap=_foundation_uuid_generate_random`.
    ///
    /// Exit status: 0 when the host hangs up or asks for it; 1 when the host breaks the protocol, when a content does
    /// not fit a packet, or when no thread can be started; 2 when descriptor 3 is no socket of a host.
    public static func serve(
        _ makeExtension: @autoclosure @escaping @Sendable () -> UNNotificationServiceExtension
    ) -> Never {
        let socket = PacketSocket(descriptor: 3)
        guard socket.isPacketSocket else {
            StandardError.write(
                "error: descriptor 3 is no socket of extension-host",
                hint: "start the bundle with \"extension-host run BUNDLE PAYLOAD\""
            )
            exit(2)
        }
        socket.closeOnExec()
        // What was printed before a trap tells why.
        linux_write_lines()
        let session = WorkerSession(socket: socket, makeExtension: makeExtension, takesHostLog: true) { status in
            // Foundation keeps what was set in memory until it is told otherwise; iOS does not lose it.
            UserDefaults.standard.synchronize()
            exit(status)
        }
        guard session.start() else { exit(1) }
        // Not dispatchMain(): it ends the main thread, after which /proc shows no memory of this process.
        while true {
            RunLoop.main.run()
        }
    }
}

/// Messages to people, on the pipe the host logs.
enum StandardError {
    static func write(_ message: String, hint: String? = nil) {
        let program = ProcessInfo.processInfo.processName
        var text = "\(program): \(message)\n"
        if let hint { text += "\(program): hint: \(hint)\n" }
        FileHandle.standardError.write(Data(text.utf8))
    }
}
