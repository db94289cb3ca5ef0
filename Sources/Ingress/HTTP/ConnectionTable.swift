// SPDX-License-Identifier: Apache-2.0

internal import HTTPServing
internal import NIOCore

/// A connection of a listener, as far as its place is concerned.
protocol PlacedConnection: AnyObject {
    var channel: any Channel { get }
    /// True if no push of the connection waits for an answer.
    var isIdle: Bool { get }
    /// Reads on, because bodies have become fewer.
    func resumeReading()
    /// Ends the connection, because its place is another's now.
    func giveWay()
    /// Ends the connection, because its peer has not proven itself in time.
    func patienceEnded()
    /// Ends the connection in the manner of its protocol, because the host stops.
    func drain()
    /// Closes the socket without a word.
    func abort()
}

/// Does what `ConnectionDesk` decides about the open connections of a listener, on its event loop.
final class ConnectionTable {
    typealias Ticket = ConnectionDesk.Ticket

    /// Connections that gave way and are not closed yet, beside those that have places; beyond it the oldest is cut
    /// off.
    static let leavingLimit = 32

    private let eventLoop: NIOIsolatedEventLoop
    private var desk: ConnectionDesk
    private var connections: [Ticket: any PlacedConnection] = [:]
    /// Connections that were told to go, the longest ago first.
    private var leaving: [Ticket] = []
    private var timer: (at: NIODeadline, task: Scheduled<Void>)?
    private var emptied: (() -> Void)?

    init(limits: HTTPLimits, eventLoop: any EventLoop) {
        self.eventLoop = eventLoop.assumeIsolated()
        desk = ConnectionDesk(
            .init(
                places: limits.connections,
                placesPerSource: limits.connectionsPerAddress,
                patience: TimeAmount(limits.unproven)
            )
        )
    }

    var all: [any PlacedConnection] { Array(connections.values) }
    var count: Int { connections.count }

    func connection(of channel: any Channel) -> (any PlacedConnection)? {
        connections.values.first { $0.channel === channel }
    }

    /// Finds a place for a connection from `source`; nil: there is none.
    func admit(from source: PeerSource) -> Ticket? {
        switch desk.admit(from: source, at: .now()) {
        case .refused: return nil
        case .admitted(let ticket, let displaced):
            if let displaced { sendAway(displaced) }
            setTimer()
            return ticket
        }
    }

    func enter(_ connection: any PlacedConnection, as ticket: Ticket) {
        connections[ticket] = connection
    }

    func remove(_ ticket: Ticket) {
        desk.leave(ticket)
        connections[ticket] = nil
        leaving.removeAll { $0 == ticket }
        setTimer()
        if connections.isEmpty, let emptied {
            self.emptied = nil
            emptied()
        }
    }

    /// Calls `body` once when there is no connection, at once if there is none now.
    func whenEmpty(_ body: @escaping () -> Void) {
        if connections.isEmpty { body() } else { emptied = body }
    }

    // MARK: What places report

    fileprivate func prove(_ ticket: Ticket) {
        desk.prove(ticket)
        setTimer()
    }

    fileprivate func began(_ ticket: Ticket, _ pushCount: Int) { desk.began(ticket, pushCount, at: .now()) }
    fileprivate func ended(_ ticket: Ticket, _ pushCount: Int) { desk.ended(ticket, pushCount, at: .now()) }

    // MARK: Sending away

    private func sendAway(_ ticket: Ticket) {
        guard let connection = connections[ticket] else { return }
        if leaving.count >= Self.leavingLimit {
            // Taken out at once, since its channel closes in a later turn of the loop. A push may have crossed GOAWAY:
            // whose sender waits for an answer is cut off only when all others are in the same place.
            let place = leaving.firstIndex { connections[$0]?.isIdle != false } ?? 0
            connections[leaving.remove(at: place)]?.abort()
        }
        leaving.append(ticket)
        connection.giveWay()
    }

    private func setTimer() {
        guard timer?.at != desk.nextEnd else { return }
        timer?.task.cancel()
        timer = desk.nextEnd.map { end in
            (end, eventLoop.scheduleTask(deadline: end) { [self] in endLate() })
        }
    }

    private func endLate() {
        timer = nil
        for ticket in desk.takeLate(at: .now()) { connections[ticket]?.patienceEnded() }
        setTimer()
    }
}

/// The place of one connection in its listener's table.
struct ConnectionPlace {
    let ticket: ConnectionDesk.Ticket
    private let table: ConnectionTable

    init(_ ticket: ConnectionDesk.Ticket, in table: ConnectionTable) {
        self.ticket = ticket
        self.table = table
    }

    /// Notes that the peer has shown a valid credential, or had a push accepted.
    func prove() { table.prove(ticket) }
    /// Notes that so many pushes were handed over.
    func began(_ pushCount: Int) { table.began(ticket, pushCount) }
    /// Notes that so many pushes were answered.
    func ended(_ pushCount: Int) { table.ended(ticket, pushCount) }
}
