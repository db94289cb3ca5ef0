// SPDX-License-Identifier: Apache-2.0

private import Glibc
internal import HTTPServing
private import Locking
internal import NIOCore

/// The clients of a line socket: what `ConnectionDesk` decides, done to descriptors that threads read.
///
/// A client that gives way is read to the end of the last line that it has sent whole, and answered; nothing is read of
/// it after that. Its thread closes the descriptor.
final class LineClients: Sendable {
    typealias Ticket = ConnectionDesk.Ticket

    private struct State {
        var desk: ConnectionDesk
        var descriptors: [Ticket: Int32] = [:]
        /// Clients that gave way and are not closed yet.
        var leaving: Set<Ticket> = []
    }

    private let limit: Int
    private let state: Locked<State>

    init(limit: Int) {
        self.limit = limit
        // A client has a user that may send: it has proved all that there is to prove.
        let rules = ConnectionDesk.Rules(places: limit, placesPerSource: limit, patience: .zero)
        state = Locked(State(desk: ConnectionDesk(rules)))
    }

    /// Gives a client a place; nil: every other one is at work, or so many have just given way that threads run short.
    func admit(_ descriptor: Int32, of user: UInt32) -> Ticket? {
        state.withLock { state in
            guard state.leaving.count <= limit else { return nil }
            switch state.desk.admit(from: .user(user), at: .now(), isProven: true) {
            case .refused: return nil
            case .admitted(let ticket, let displaced):
                state.descriptors[ticket] = descriptor
                if let displaced, let descriptor = state.descriptors[displaced] {
                    state.leaving.insert(displaced)
                    shutdown(descriptor, Int32(SHUT_RD))
                }
                return ticket
            }
        }
    }

    /// Notes that a client's lines are being answered, or have been.
    func work(_ ticket: Ticket, _ isAtWork: Bool) {
        state.withLock { state in
            if isAtWork { state.desk.began(ticket, 1, at: .now()) } else { state.desk.ended(ticket, 1, at: .now()) }
        }
    }

    /// Takes a client out, before its descriptor is closed.
    func remove(_ ticket: Ticket) {
        state.withLock { state in
            state.desk.leave(ticket)
            state.leaving.remove(ticket)
            state.descriptors[ticket] = nil
        }
    }

    /// Tells whether a client gave its place to another.
    func hasGivenWay(_ ticket: Ticket) -> Bool { state.withLock { $0.leaving.contains(ticket) } }
}
