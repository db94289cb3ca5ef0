// SPDX-License-Identifier: Apache-2.0

import CenterProtocol
import Locking
import PacketSockets

/// The connections of apps to one owner's socket, and their bounds.
final class AppConnections: Sendable {
    /// Connections of one app.
    static let appLimit = 16
    /// Connections of all apps of the only owner: each has two threads.
    static let limit = 64
    /// Connections that each of several owners has at least.
    private static let leastLimit = 8
    /// Connections beyond the limit that are there to hear why they are refused, of the only owner.
    private static let refusalLimit = 16
    private static let leastRefusalLimit = 2

    /// A connection, by the order in which they came.
    struct ID: Hashable {
        fileprivate let number: Int
    }

    private struct Entry {
        let socket: PacketSocket
        /// The app that said hello; `nil` before it did.
        var app: String?
    }

    private struct State {
        var entries: [ID: Entry] = [:]
        var last = 0
        var isClosed = false
    }

    private let limit: Int
    private let refusalLimit: Int
    private let state = Locked(State())

    /// Each of `ownerCount` owners has an even part of the places, so that none takes those of another.
    init(ownerCount: Int) {
        limit = max(Self.leastLimit, Self.limit / ownerCount)
        refusalLimit = max(Self.leastRefusalLimit, Self.refusalLimit / ownerCount)
    }

    /// Takes a connection in; `nil` means that there are too many even to say so.
    func add(_ socket: PacketSocket) -> ID? {
        state.withLock { state in
            guard !state.isClosed, state.entries.count < limit + refusalLimit else { return nil }
            state.last += 1
            let id = ID(number: state.last)
            state.entries[id] = Entry(socket: socket)
            return id
        }
    }

    func remove(_ id: ID) { state.withLock { $0.entries[id] = nil } }

    /// Binds a connection to an app; returns the reason for which it is refused.
    func bind(_ id: ID, to app: String) -> AppRejection.Reason? {
        state.withLock { state in
            guard !state.isClosed else { return .draining }
            let ofApp = state.entries.values.count { $0.app == app }
            guard ofApp < Self.appLimit, state.entries.count <= limit else { return .tooManyConnections }
            state.entries[id]?.app = app
            return nil
        }
    }

    /// Reads nothing more of any of them, and takes none that comes: what was read is answered.
    func close() {
        let sockets = state.withLock { state in
            state.isClosed = true
            return state.entries.values.map(\.socket)
        }
        for socket in sockets { socket.stopReading() }
    }
}
