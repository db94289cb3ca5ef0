// SPDX-License-Identifier: Apache-2.0

private import Locking
package import PacketSockets

/// Takes the link of a host, one at a time: a host that connects takes the place of the one before.
///
/// A host that was killed connects anew before the kernel has told of its end, and two hosts that both think that the
/// centre is theirs take turns, which their logs show.
package final class LinkServer: Sendable {
    private let center: Center
    private let acceptor: PacketAcceptor
    private struct State {
        var current: PacketSocket?
        var isStopped = false
    }

    private let state = Locked(State())

    package init(_ center: Center, listener: PacketListener) {
        self.center = center
        acceptor = PacketAcceptor(listener, name: "link", logger: center.logger)
    }

    /// Serves hosts until `stop`; records that were read by then are stored and acknowledged.
    package func run(_ clock: any Clock<Duration>) async {
        await withDiscardingTaskGroup { group in
            while let socket = await acceptor.next(clock) {
                replace(by: socket)
                group.addTask { [center] in await LinkSession(center, socket, clock: clock).run() }
            }
        }
    }

    /// Accepts no host any more and ends the link of the one that is there.
    package func stop() {
        acceptor.stop()
        let last = state.withLock { state in
            state.isStopped = true
            return state.current
        }
        last?.shutDown()
    }

    /// Ends the link of the host before; a host that was accepted just before `stop` is let go at once.
    private func replace(by socket: PacketSocket) {
        let ended = state.withLock { state in
            defer { state.current = socket }
            return state.isStopped ? socket : state.current
        }
        ended?.shutDown()
    }
}
