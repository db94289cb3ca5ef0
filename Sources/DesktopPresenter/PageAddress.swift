// SPDX-License-Identifier: Apache-2.0

/// An address of the web, as the centre tells it and a program of the desktop may be given it.
package struct PageAddress: Sendable, Equatable {
    /// An app's address, and the place in the app to which a notification leads.
    private static let byteLimit = 8192

    package let text: String

    /// Judges a text; `nil` means that it is no address of the web.
    package init?(_ text: String) {
        guard text.hasPrefix("http://") || text.hasPrefix("https://"), text.utf8.count <= Self.byteLimit,
            text.utf8.allSatisfy({ (0x21...0x7E).contains($0) })
        else { return nil }
        self.text = text
    }
}
