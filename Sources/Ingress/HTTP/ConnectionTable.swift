// SPDX-License-Identifier: Apache-2.0

internal import NIOCore

/// The open connections of a listener, on its event loop: what `ConnectionDesk` decides, done.
final class ConnectionTable {
    typealias Ticket = ConnectionDesk.Ticket

    /// Connections that gave way and are not closed yet, beside those that have places; beyond it the oldest is cut off.
    static let leavingLimit = 32

    private let eventLoop: NIOIsolatedEventLoop
    private var desk: ConnectionDesk
    private var connections: [Ticket: PushConnection] = [:]
    /// Connections that were told to go, the longest ago first.
    private var leaving: [Ticket] = []
    private var timer: (at: NIODeadline, task: Scheduled<Void>)?
    private var emptied: (() -> Void)?

    init(limits: HTTPIngress.Limits, eventLoop: any EventLoop) {
        self.eventLoop = eventLoop.assumeIsolated()
        desk = ConnectionDesk(
            .init(
                places: limits.connections,
                placesPerSource: limits.connectionsPerAddress,
                patience: TimeAmount(limits.unproven)
            )
        )
    }

    var all: [PushConnection] { Array(connections.values) }
    var count: Int { connections.count }

    func connection(of channel: any Channel) -> PushConnection? {
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

    func enter(_ connection: PushConnection, as ticket: Ticket) {
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

    // MARK: What connections tell

    func prove(_ ticket: Ticket) {
        desk.prove(ticket)
        setTimer()
    }

    func began(_ ticket: Ticket, _ pushCount: Int) { desk.began(ticket, pushCount, at: .now()) }
    func ended(_ ticket: Ticket, _ pushCount: Int) { desk.ended(ticket, pushCount, at: .now()) }

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
        connection.finish(.idleTimeout)
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
