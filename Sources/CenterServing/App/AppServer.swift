// SPDX-License-Identifier: Apache-2.0

package import CenterStore
package import PacketSockets

/// Takes the connections of apps to one owner's socket.
///
/// Source: PROTOCOL.md, "App socket".
package final class AppServer: Sendable {
    private let center: Center
    private let owner: OwnerName
    private let acceptor: PacketAcceptor
    private let connections: AppConnections

    /// `ownerCount` owners of one centre share the places for connections, each of which has two threads.
    package init(_ center: Center, owner: OwnerName, listener: PacketListener, ownerCount: Int = 1) {
        self.center = center
        self.owner = owner
        connections = AppConnections(ownerCount: ownerCount)
        acceptor = PacketAcceptor(listener, name: "app", logger: center.logger)
    }

    /// Serves apps until `stop`; calls that were read by then are answered.
    package func run(_ clock: any Clock<Duration>) async {
        await withDiscardingTaskGroup { group in
            while let socket = await acceptor.next(clock) {
                guard let connection = connections.add(socket) else {
                    socket.shutDown()
                    continue
                }
                group.addTask { [center, owner, connections] in
                    let session = AppSession(center, owner: owner, socket, connections, connection, clock: clock)
                    await session.run()
                    connections.remove(connection)
                }
            }
        }
    }

    /// Accepts no app any more and ends the conversations with those that are there.
    package func stop() {
        acceptor.stop()
        connections.close()
    }
}
