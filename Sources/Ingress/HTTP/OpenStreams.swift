// SPDX-License-Identifier: Apache-2.0

/// Counts the HTTP/2 streams that the connections of one listener have open, on its event loop.
final class OpenStreams {
    private let limit: Int
    /// The streams that one connection may have open while those of all are too many.
    fileprivate let share: Int
    fileprivate var count = 0

    /// `connections` is the largest number of connections, of which each has an equal share of `limit`.
    init(limit: Int, connections: Int) {
        self.limit = limit
        share = max(1, limit / max(1, connections))
    }

    /// True while so many streams are open that a connection opens new ones within its share alone; strangers leave
    /// half of the limit to those who have proven themselves.
    fileprivate func isFull(forProven isProven: Bool) -> Bool { count >= (isProven ? limit : limit / 2) }
}

/// Counts the streams that one connection has open, and with them those of its listener.
///
/// A connection that has fewer open than its share opens one more also while those of all are too many, so that senders
/// who end no request keep nobody else from sending. All connections together have at most twice the limit.
final class ConnectionStreams {
    private let all: OpenStreams
    private var count = 0
    /// The peer has shown a valid credential or an acceptable push.
    var isProven = false

    init(_ all: OpenStreams) { self.all = all }

    /// True if one more may be opened on this connection.
    var hasRoom: Bool { !all.isFull(forProven: isProven) || count < all.share }

    /// Counts streams that were opened (positive) or have ended (negative).
    func count(_ difference: Int) {
        count += difference
        all.count += difference
    }
}
