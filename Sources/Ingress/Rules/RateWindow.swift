// SPDX-License-Identifier: Apache-2.0

internal import NIOCore

/// Counts what happens too often, in windows of a fixed length.
struct RateWindow {
    private let length: TimeAmount
    private let limit: Int
    private var end = NIODeadline.distantPast
    private var count = 0

    /// `limit` events may happen in one window.
    init(_ limit: Int, in length: Duration) {
        self.limit = limit
        self.length = TimeAmount(length)
    }

    /// Counts one event; true when it is one too many.
    mutating func isExceeded() -> Bool {
        let now = NIODeadline.now()
        if now > end {
            end = now + length
            count = 0
        }
        count += 1
        return count > limit
    }
}
