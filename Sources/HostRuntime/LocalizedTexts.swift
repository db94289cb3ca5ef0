// SPDX-License-Identifier: Apache-2.0

import NotificationPayload

/// The texts that a sender names by key, of one app in one language.
///
/// Keys are told apart byte by byte: they come from senders too, and comparing canonical forms of foreign text takes
/// the square of a run of combining marks.
package struct LocalizedTexts: Sendable, Equatable {
    /// The longest text with its arguments, in bytes of UTF-8; a longer one is as if it were not there.
    ///
    /// Three of them in JSON's longest form, beside 4 KB of payload in theirs, still fit a packet to a worker.
    package static let textByteCountLimit = 2048

    private var texts: [[UInt8]: String] = [:]

    package init(_ texts: [String: String] = [:]) {
        for (key, text) in texts where text.utf8.count <= Self.textByteCountLimit {
            self.texts[Array(key.utf8)] = text
        }
    }

    /// The text of a key with the arguments in its places; nil where there is none.
    package func text(_ key: String, arguments: [String]) -> String? {
        guard let format = texts[Array(key.utf8)] else { return nil }
        let text = LocalizedFormat.text(format, arguments: arguments)
        return text.utf8.count <= Self.textByteCountLimit ? text : nil
    }
}
