// SPDX-License-Identifier: Apache-2.0

/// The result of one piece of work, with every number of the owner's series that the work took.
package enum WorkResult: Sendable, Equatable {
    /// In the list; `badge` is the number of the badge's change, `nil` if the badge is as it was.
    case listed(Int64, replaces: Int64?, badge: Int64?)
    /// Waits for its app's answer, under this number of `waiting`.
    case waits(Int64)
    /// Had its effect without a place in the list.
    case noted(badge: Int64?)
    /// A record that is known: nothing happened.
    case repeated
    /// The waiting or pending row was removed or replaced meanwhile: nothing happened.
    case withdrawn
    case removed([Removal])
    /// The response is stored, under this number of `response`, and its notification is closed.
    case answered(response: Int64, Removal)
    case stepped(ResponseVerdict)
    /// The notifications have new numbers.
    case renewed([Renewal])
    /// Takes effect under this number of the owner's series.
    case changed(Int64)
    /// Was so before.
    case unchanged
    /// The app is gone, and its notifications under numbers of their own; `changed` is the number of the app's end.
    case uninstalled([Removal], changed: Int64)
    /// Waits for its trigger. `dropped` went over the app's limit, in the order of their dates; the added one itself
    /// may be among them.
    case scheduled(Int64, replaces: Int64?, dropped: [DroppedRequest])
    /// The numbers of the requests that no longer wait.
    case unscheduled([Int64])
    /// Took effect, or had nothing to do; nobody watches it.
    case done
    case refused(WorkRefusal)
}

/// The reason for which a piece of work was refused.
package enum WorkRefusal: Sendable, Equatable {
    case unknownOwner
    case unknownInstallation
    case tooManyInstallations(limit: Int)
    case badgeOutOfRange(Int)
    /// The notification is not in the list, or for a restoration not in the history.
    case notThere(Standing)
    /// A newer notification of the same name is in the list.
    case replaced(by: Int64)
    case tooManyPending(limit: Int)
    /// The app has as many requests with a region or a beacon as it may.
    case tooManyRegions(limit: Int)
    /// There is no such credential, or its time is over.
    case noCredential
}

/// The end of a notification in the list, under a number of its own.
package struct Removal: Sendable, Equatable {
    /// The number of the notification.
    package let target: Int64
    /// The number of its removal.
    package let number: Int64

    package init(target: Int64, number: Int64) {
        self.target = target
        self.number = number
    }
}

/// A notification that has a new number.
package struct Renewal: Sendable, Equatable {
    package let former: Int64
    package let number: Int64

    package init(former: Int64, number: Int64) {
        self.former = former
        self.number = number
    }
}

/// A pending request that went over its app's limit.
package struct DroppedRequest: Sendable, Equatable {
    package let id: Int64
    package let identifier: String

    package init(id: Int64, identifier: String) {
        self.id = id
        self.identifier = identifier
    }
}
