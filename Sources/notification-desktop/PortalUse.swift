// SPDX-License-Identifier: Apache-2.0

import DesktopPresenter
import Glibc

extension PortalReport.Use {
    /// Finds out why this process shows popups by the portal; `isAsked` means that a person has asked for it.
    init(isAsked: Bool) {
        // The file is there in each Flatpak.
        self = isAsked ? .asked : access("/.flatpak-info", F_OK) == 0 ? .flatpak : .none
    }
}
