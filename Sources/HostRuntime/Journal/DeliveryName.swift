// SPDX-License-Identifier: Apache-2.0

/// The name of an accepted push and of its record: the same at each attempt, behind each crash, and nobody else's.
///
/// Whoever stores a push names it, after itself and a count that it gives once; `5f2c9a1e-1042`. The order in which
/// pushes are worked on is another thing: a push's number in its journal says that.
package struct DeliveryName: Hashable, Sendable, CustomStringConvertible {
    /// Lower-case hex digits: a journal's are eight.
    package let store: String
    package let count: Int64

    package init(store: String, count: Int64) {
        self.store = store
        self.count = count
    }

    /// Reads a name as it is written; nil if the text is none.
    package init?(_ text: String) {
        let parts = text.split(separator: "-", omittingEmptySubsequences: false)
        guard parts.count == 2, !parts[0].isEmpty, let count = Int64(parts[1]), count >= 0, String(count) == parts[1]
        else { return nil }
        self.init(store: String(parts[0]), count: count)
    }

    package var description: String { "\(store)-\(count)" }
}
