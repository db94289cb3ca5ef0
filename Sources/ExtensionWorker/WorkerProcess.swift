// SPDX-License-Identifier: Apache-2.0

import CLinux
import Foundation
import Locking
import WorkerFolders

/// The process that a host has started with its socket as descriptor 3.
package enum WorkerProcess {
    /// Serves a view until the host ends the conversation; called on the main thread, which runs the main queue
    /// meanwhile.
    ///
    /// Exit status: that of ``NotificationServiceWorker``, and whatever the view gives to ``end(_:)``.
    package static func serve(_ view: any ViewWork) -> Never { serve(.view(view)) }

    static func serve(_ work: WorkerSession.Work) -> Never {
        let socket = PacketSocket(descriptor: 3)
        guard socket.isPacketSocket else {
            let command =
                switch work {
                case .service: "run"
                case .view: "view"
                }
            StandardError.write(
                "error: descriptor 3 is no socket of extension-host",
                hint: "start the bundle with \"extension-host \(command) BUNDLE PAYLOAD\""
            )
            exit(2)
        }
        socket.closeOnExec()
        // What was printed before a trap tells why.
        linux_write_lines()
        let session = WorkerSession(socket: socket, work: work, takesHostLog: true) { end($0) }
        guard session.start() else { exit(1) }
        // Not dispatchMain(): it ends the main thread, after which /proc shows no memory of this process.
        while true {
            RunLoop.main.run()
        }
    }

    /// Ends the process from any thread.
    ///
    /// Foundation keeps what was set in memory until it is told otherwise; iOS does not lose it.
    package static func end(_ status: Int32) -> Never {
        let isEnding = hasEnded.withLock { hasEnded in
            defer { hasEnded = true }
            return hasEnded
        }
        // Another thread is at it already.
        while isEnding { pause() }
        UserDefaults.standard.synchronize()
        exit(status)
    }

    /// The one folder to which the process may write, from which the host takes files; `nil` means that it has none.
    package static var scratchFolder: String? { WorkerFolders.scratch }

    private static let hasEnded = Locked(false)
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
