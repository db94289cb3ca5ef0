// SPDX-License-Identifier: Apache-2.0

/// Counts the bodies that the connections of one listener hold, on its event loop.
final class HeldBodies {
    private let limit: Int
    private let roomCame: () -> Void
    private(set) var byteCount = 0

    /// `roomCame` is called whenever the bodies were too many and are no more.
    init(limit: Int, roomCame: @escaping () -> Void) {
        self.limit = limit
        self.roomCame = roomCame
    }

    /// True while so many bytes of bodies are held that nothing more is read.
    var isFull: Bool { byteCount > limit }

    /// Counts bytes of bodies that came in (positive) or were answered (negative).
    func count(_ byteCount: Int) {
        let wasFull = isFull
        self.byteCount += byteCount
        if wasFull, !isFull { roomCame() }
    }
}
