// SPDX-License-Identifier: Apache-2.0

/// The address of the centre's page, as the centre tells it and a program of the desktop may be given it.
struct PageAddress: Sendable, Equatable {
    private static let byteLimit = 512

    let text: String

    /// Judges a text; `nil` means that it is no address of the web.
    init?(_ text: String) {
        guard text.hasPrefix("http://") || text.hasPrefix("https://"), text.utf8.count <= Self.byteLimit,
            text.utf8.allSatisfy({ (0x21...0x7E).contains($0) })
        else { return nil }
        self.text = text
    }
}
