// SPDX-License-Identifier: Apache-2.0

private import Dispatch
import Logging
import PacketSockets

/// Accepts connections of a socket's user, one after the other, on a thread of its own.
final class PacketAcceptor: Sendable {
    /// The wait after a connection for which there was no descriptor.
    private static let pause = Duration.seconds(1)

    private let listener: PacketListener
    private let logger: Logger
    private let name: String
    private let thread: DispatchQueue

    /// `name` is the socket's in the log.
    init(_ listener: PacketListener, name: String, logger: Logger) {
        self.listener = listener
        self.logger = logger
        self.name = name
        thread = DispatchQueue(label: "center.\(name).accept")
    }

    /// Waits for a connection; `nil` after `stop`, or when the task is cancelled in a pause.
    func next(_ clock: any Clock<Duration>) async -> PacketSocket? {
        while true {
            switch await accept() {
            case .success(let socket?):
                if listener.user.admits(socket.peerUser) { return socket }
                logger.error("\(name) refused: another user's process")
            case .success(nil): return nil
            case .failure(let failure):
                logger.error("\(name) not accepted", metadata: ["error": "\(failure)"])
                guard (try? await clock.sleep(for: Self.pause)) != nil else { return nil }
            }
        }
    }

    /// Accepts nothing any more: a call that waits returns.
    func stop() { listener.shutDown() }

    private func accept() async -> Result<PacketSocket?, SocketFailure> {
        await withCheckedContinuation { done in
            thread.async { [listener] in
                done.resume(returning: Result { () throws(SocketFailure) in try listener.accept() })
            }
        }
    }
}
