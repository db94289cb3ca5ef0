// SPDX-License-Identifier: Apache-2.0

package import NotificationPayload

/// Counts what one answer has room for, while its elements are gathered.
///
/// An answer of `pending` or `delivered` has as many elements as fit a packet of its carrier, and `more`.
package struct AnswerPage: Sendable {
    /// Header, `{"ok":{"notifications":[],"more":false}}`, and some room to spare.
    private static let frameByteCount = 128

    private let byteCountLimit: Int
    private var byteCount = frameByteCount
    package private(set) var count = 0

    /// `packetByteCount` is the longest packet of the carrier.
    package init(packetByteCount: Int) {
        byteCountLimit = packetByteCount
    }

    /// The place of an element.
    package enum Room: Sendable, Equatable {
        case here
        case nextPage
        /// The element is longer than a whole page: it has to be shortened or left out.
        case nowhere
    }

    /// Takes in the next element if there is room for it.
    package mutating func add(_ element: JSONObject) -> Room {
        let elementByteCount = element.serialized.count + 1
        guard Self.frameByteCount + elementByteCount <= byteCountLimit else { return .nowhere }
        guard byteCount + elementByteCount <= byteCountLimit, count < CallAnswer.pageLimit else { return .nextPage }
        byteCount += elementByteCount
        count += 1
        return .here
    }
}
