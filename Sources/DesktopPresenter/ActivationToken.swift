// SPDX-License-Identifier: Apache-2.0

/// The word of a desktop by which the window that a click leads to may take the focus.
///
/// Source: Desktop Notifications Specification 1.2, "org.freedesktop.Notifications.ActivationToken"; xdg-activation-v1.
package struct ActivationToken: Sendable, Equatable {
    private static let byteLimit = 512

    package let text: String

    /// Judges what a daemon says; `nil` means that it is no token.
    package init?(_ text: String) {
        guard (1...Self.byteLimit).contains(text.utf8.count), text.utf8.allSatisfy({ (0x21...0x7E).contains($0) })
        else { return nil }
        self.text = text
    }
}

/// The token that came last, which is that of the click that follows it.
package struct LastActivation: Sendable {
    private var last: (popup: UInt32, token: ActivationToken)?

    package init() {}

    /// Takes the token of a popup; what is none takes the place of a former one all the same.
    package mutating func take(_ text: String, of popup: UInt32) {
        last = ActivationToken(text).map { (popup, $0) }
    }

    /// Hands over the token of a popup that was clicked, once; `nil` means that it has none.
    package mutating func take(clicked popup: UInt32) -> ActivationToken? {
        defer { last = nil }
        return last?.popup == popup ? last?.token : nil
    }
}
