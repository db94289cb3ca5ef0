// SPDX-License-Identifier: Apache-2.0

private import Dispatch
private import Locking
private import Logging
package import PacketSockets

/// Takes the link of a host, one at a time: a host that connects takes the place of the one before.
///
/// A host that was killed connects anew before the kernel has told of its end, and two hosts that both think that the
/// centre is theirs take turns, which their logs show.
package final class LinkServer: Sendable {
    /// The wait after a connection for which there was no descriptor.
    private static let pause = Duration.seconds(1)

    private let center: Center
    private let listener: PacketListener
    private let current = Locked<PacketSocket?>(nil)
    private let acceptor = DispatchQueue(label: "center.link.accept")

    package init(_ center: Center, listener: PacketListener) {
        self.center = center
        self.listener = listener
    }

    /// Serves hosts until `stop`; records that were read by then are stored and acknowledged.
    package func run(_ clock: any Clock<Duration>) async {
        await withDiscardingTaskGroup { group in
            while true {
                switch await accept() {
                case .success(let socket?):
                    guard socket.isOfOwnUser else {
                        center.logger.error("link refused: another user's process")
                        continue
                    }
                    replace(by: socket)
                    group.addTask { [center] in await LinkSession(center, socket, clock: clock).run() }
                case .success(nil): return
                case .failure(let failure):
                    center.logger.error("link not accepted", metadata: ["error": "\(failure)"])
                    guard (try? await clock.sleep(for: Self.pause)) != nil else { return }
                }
            }
        }
    }

    /// Accepts no host any more and ends the link of the one that is there.
    package func stop() {
        listener.shutDown()
        current.withLock { $0 }?.shutDown()
    }

    private func accept() async -> Result<PacketSocket?, SocketFailure> {
        await withCheckedContinuation { answer in
            acceptor.async { [listener] in
                answer.resume(returning: Result { () throws(SocketFailure) in try listener.accept() })
            }
        }
    }

    private func replace(by socket: PacketSocket) {
        let former = current.withLock { current in
            defer { current = socket }
            return current
        }
        former?.shutDown()
    }
}
