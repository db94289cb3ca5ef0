// SPDX-License-Identifier: Apache-2.0

/// A page or an app that a person wants to see.
package struct Opening: Sendable, Equatable {
    package let address: PageAddress
    /// True for the centre's own page, of which a popup tells again if it cannot be opened.
    package let isPage: Bool
    /// The app that has a desktop file; `nil` means that the address alone is opened.
    package let entry: DesktopEntry?
    package let token: ActivationToken?

    package init(address: PageAddress, isPage: Bool, entry: DesktopEntry? = nil, token: ActivationToken?) {
        self.address = address
        self.isPage = isPage
        self.entry = entry
        self.token = token
    }
}
