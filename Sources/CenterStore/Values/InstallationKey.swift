// SPDX-License-Identifier: Apache-2.0

/// Milliseconds since 1970, by the clock on the wall.
package typealias WallTime = Int64

/// The name of a person or a screen whose notifications a store keeps.
package struct OwnerName: Hashable, Sendable, CustomStringConvertible {
    package let text: String

    /// Takes `[a-z0-9][a-z0-9._-]{0,63}`; `nil` means any other text.
    package init?(_ text: String) {
        func isPlain(_ byte: UInt8) -> Bool {
            (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte)
                || (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
        }
        let marks = [UInt8](".-_".utf8)
        guard text.utf8.count <= 64, let first = text.utf8.first, isPlain(first),
            text.utf8.allSatisfy({ isPlain($0) || marks.contains($0) })
        else { return nil }
        self.text = text
    }

    /// Takes a name that was judged before it was stored.
    init(stored text: String) {
        self.text = text
    }

    package var description: String { text }
}

/// The key of an installation: one app of one owner.
package struct InstallationKey: Hashable, Sendable {
    package let owner: OwnerName
    /// The app's topic, its bundle identifier.
    package let app: String

    /// Takes a topic of 3 to 155 printable ASCII characters without a space; `nil` means any other text.
    ///
    /// Other alphabets stay out, because Swift holds texts for equal that differ in their bytes.
    package init?(owner: OwnerName, app: String) {
        guard Self.isTopic(app) else { return nil }
        self.init(owner: owner, stored: app)
    }

    /// Tells whether a text is the topic of an app.
    package static func isTopic(_ text: String) -> Bool {
        (3...155).contains(text.utf8.count) && text.utf8.allSatisfy { (0x21...0x7E).contains($0) }
    }

    /// Takes a topic that was judged before it was stored.
    init(owner: OwnerName, stored app: String) {
        self.owner = owner
        self.app = app
    }
}

/// The name of a host's delivery record: the journal that numbered it, and its number there.
package struct RecordName: Hashable, Sendable {
    /// The eight hex digits of the journal's name as a number.
    package let journal: UInt32
    package let number: Int64

    package init(journal: UInt32, number: Int64) {
        self.journal = journal
        self.number = number
    }
}
