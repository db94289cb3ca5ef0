// SPDX-License-Identifier: Apache-2.0

import CenterProtocol
import CenterStore
import DatabaseFile
import UserNotificationCenter

import struct Foundation.TimeZone

// What is read of the store and the configuration, and kept nowhere.
extension Center {
    func categories(of key: InstallationKey) throws(DatabaseFailure) -> CategorySet {
        CategorySet(stored: try store.categories(of: key))
    }

    /// The time zone of an owner; the machine's unless the owner has named one.
    func zone(of owner: OwnerName) -> TimeZone {
        ((try? wishes(of: owner)) ?? OwnerWishes()).zone
    }
}
