// SPDX-License-Identifier: Apache-2.0

import DesktopPresenter

/// An address that a person wants to see.
struct Opening: Sendable {
    let address: PageAddress
    /// True for the centre's own page, of which a popup tells again if it cannot be opened.
    let isPage: Bool
    let token: ActivationToken?
}
