// SPDX-License-Identifier: Apache-2.0

import CenterProtocol
import NotificationPayload

/// The SHA-256 of a file of a view, by which nodes name it; 64 lower-case hex digits in JSON.
package struct BlobHash: Sendable, Hashable {
    package let text: String

    /// `nil` for what is not 64 lower-case hex digits.
    package init?(_ text: String) {
        guard text.utf8.count == 64, text.utf8.allSatisfy({ Self.digits.contains($0) }) else { return nil }
        self.text = text
    }

    private static let digits = Set("0123456789abcdef".utf8)
}
