// SPDX-License-Identifier: Apache-2.0

/// Counts the bodies that the connections of one listener hold, on its event loop.
final class HeldBodies {
    private let limit: Int
    private let roomCame: () -> Void
    /// The bytes that one connection may hold while the bodies of all are too many.
    let share: Int
    private(set) var byteCount = 0

    /// `roomCame` is called whenever the bodies were too many and are no more; `connections` is the largest number of
    /// connections, of which each has an equal share of `limit`.
    init(limit: Int, connections: Int, roomCame: @escaping () -> Void) {
        self.limit = limit
        share = limit / max(1, connections)
        self.roomCame = roomCame
    }

    /// True while so many bytes of bodies are held that a connection reads within its share alone.
    var isFull: Bool { byteCount > limit }

    /// Counts bytes of bodies that came in (positive) or were answered (negative).
    fileprivate func count(_ byteCount: Int) {
        let wasFull = isFull
        self.byteCount += byteCount
        if wasFull, !isFull { roomCame() }
    }
}

/// Counts the bodies that one connection holds, and with them those of its listener.
///
/// A connection that holds no more than its share is read also while the bodies of all are too many, so that a sender
/// who ends no body holds up nobody else. All connections together hold at most twice the limit, and one read each.
final class ConnectionBodies {
    private let all: HeldBodies
    private var byteCount = 0

    init(_ all: HeldBodies) { self.all = all }

    /// True if more may be read from this connection.
    var hasRoom: Bool { !all.isFull || byteCount <= all.share }

    /// Counts bytes of bodies that came in (positive) or were answered (negative).
    func count(_ byteCount: Int) {
        self.byteCount += byteCount
        all.count(byteCount)
    }
}
