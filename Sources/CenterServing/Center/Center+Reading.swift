// SPDX-License-Identifier: Apache-2.0

import CenterProtocol
import CenterStore
import DatabaseFile
import UserNotificationCenter

import struct Foundation.TimeZone

// What is read of the store and the configuration.
extension Center {
    /// Runs `body` with the picture of an owner and the transaction that it is of; `nil` means that there is no such
    /// owner.
    ///
    /// Others who read wait meanwhile, and `body` may not ask the store itself.
    func look<Result>(
        at owner: OwnerName,
        _ body: (OwnerPicture, borrowing OwnerReading) throws -> Result
    ) throws(DatabaseFailure) -> Result? {
        try store.look(at: owner) { reading in try body(try pictures.picture(reading), reading) }
    }

    func categories(of key: InstallationKey) throws(DatabaseFailure) -> KeptCategories {
        KeptCategories(stored: try store.categories(of: key))
    }

    /// The permissions that an app has from the operator; one that no host has named yet has none.
    func policy(of key: InstallationKey) -> AppPolicy {
        AppPolicy(allowsCriticalAlerts: app(key).allowsCriticalAlerts)
    }

    /// The time zone of an owner; the machine's unless the owner has named one.
    func zone(of owner: OwnerName) -> TimeZone {
        ((try? wishes(of: owner)) ?? OwnerWishes()).zone
    }
}
