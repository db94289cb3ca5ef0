// SPDX-License-Identifier: Apache-2.0

/// An app of one owner: the person or the screen whose notifications a push is for.
package struct OwnedApp: Hashable, Sendable {
    /// The name of the owner, where nobody has named one.
    package static let onlyOwner = "me"

    /// The app's bundle identifier.
    package let topic: String
    package let owner: String

    package init(topic: String, owner: String = onlyOwner) {
        self.topic = topic
        self.owner = owner
    }

    /// Tells whether a text is an owner's name: `[a-z0-9][a-z0-9._-]{0,63}`.
    package static func isOwner(_ text: String) -> Bool {
        func isPlain(_ byte: UInt8) -> Bool {
            (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte)
                || (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
        }
        let marks = [UInt8](".-_".utf8)
        guard text.utf8.count <= 64, let first = text.utf8.first, isPlain(first) else { return false }
        return text.utf8.allSatisfy { isPlain($0) || marks.contains($0) }
    }
}
