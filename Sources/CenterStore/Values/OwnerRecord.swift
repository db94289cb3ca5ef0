// SPDX-License-Identifier: Apache-2.0

/// An owner as the store keeps it.
package struct OwnerRecord: Sendable, Equatable {
    package var name: OwnerName
    /// The last number of the owner's series; 0 means that nothing has happened yet.
    package var position: Int64
    /// Up to here, removed numbers are forgotten: nobody can resume from before.
    package var floor: Int64
    /// The number up to which the owner has seen its notifications, on all devices.
    package var seen: Int64
    package var preferences: OwnerPreferences
    /// The number of the last change of `seen` or `preferences`, or of a removal of one of the owner's apps.
    package var changed: Int64
}

/// The wishes of an owner; the store keeps them as they are.
package struct OwnerPreferences: Sendable, Equatable {
    /// A language tag; `nil` means that the owner named none.
    package var language: String?
    /// The name of a time zone; `nil` means that the owner named none.
    package var zone: String?
    /// Do Not Disturb, as its rules wrote it; `nil` means never set.
    package var focus: [UInt8]?
    /// The times and apps of the summary, as their rules wrote them; `nil` means never set.
    package var summary: [UInt8]?

    package init() {}
}

/// An installation as the store keeps it, its categories left out.
package struct Installation: Sendable, Equatable {
    /// The number by which heads name it.
    package var number: Int64
    package var key: InstallationKey
    package var permission: Permission
    /// The app's badge, from 0 to 2³¹−1.
    package var badge: Int
    /// The number of the last change of permission, badge, categories or token.
    package var changed: Int64
    /// Notifications in the list.
    package var stored: Int
}

/// The permission of an app to notify; the store keeps the values as they are.
package struct Permission: Sendable, Equatable {
    /// `UNAuthorizationStatus`: 0 is not determined.
    package var status = 0
    /// The options for which the app asked.
    package var options = 0
    /// The settings, as their rules wrote them.
    package var settings: [UInt8] = []
    /// The device token; `nil` means that the app has not registered.
    package var token: String?

    package init() {}
}
