// SPDX-License-Identifier: Apache-2.0

import CenterStore
import DatabaseFile

/// The removal of an app for good: what the store keeps of it goes in one transaction, and everything else behind that.
///
/// A centre that dies behind the transaction has removed the app: the next one sweeps its files, and has the host end
/// its registration. The app is then one that was never there: it may ask for permission, and may do nothing before.
struct AppRemoval {
    let center: Center
    let key: InstallationKey

    /// Returns false if the owner does not have the app.
    func carryOut() async throws(DatabaseFailure) -> Bool {
        guard try await center.uninstall(key) else { return false }
        center.uploads.discardAll(of: key)
        center.appNews.tell(token: nil, of: key)
        center.registrations.removals.raise()
        return true
    }
}
