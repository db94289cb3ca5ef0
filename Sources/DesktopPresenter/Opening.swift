// SPDX-License-Identifier: Apache-2.0

/// A page or an app that a person wants to see.
package struct Opening: Sendable, Equatable {
    /// The address; `nil` means that the app has its desktop file alone.
    package let address: PageAddress?
    /// True for the centre's own page, of which a popup tells again if it cannot be opened.
    package let isPage: Bool
    /// The app that has a desktop file; `nil` means that the address alone is opened.
    package let entry: DesktopEntry?
    /// The action that a person chose; `nil` means the click on the popup itself.
    package let action: String?
    package let token: ActivationToken?

    /// Takes what is wanted; `nil` means that there is nothing to start or to open.
    package init?(
        address: PageAddress?,
        isPage: Bool,
        entry: DesktopEntry? = nil,
        action: String? = nil,
        token: ActivationToken?
    ) {
        guard address != nil || entry != nil else { return nil }
        self.address = address
        self.isPage = isPage
        self.entry = entry
        self.action = action
        self.token = token
    }
}
