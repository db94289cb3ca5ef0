// SPDX-License-Identifier: Apache-2.0

/// One thing to do in a commit.
///
/// A piece of work that is refused leaves nothing behind, and does not stop the others.
package enum CenterWork: Sendable {
    case arrive(NotificationArrival)
    /// Removes notifications by their numbers; those that are not listed are passed over.
    case remove(OwnerName, numbers: [Int64], by: Remover)
    /// Removes notifications by the identifiers that the app gave them.
    case removeNamed(InstallationKey, identifiers: [String])
    /// Removes the notifications of an app up to a number; `nil` means all.
    case removeAll(InstallationKey, upTo: Int64?, by: Remover)
    case respond(ResponseDraft)
    case step(response: Int64, ResponseStep)
    /// Gives listed notifications new numbers in this order, and these flags: the hour of a summary.
    case renew(OwnerName, numbers: [Int64], flags: HeadFlags)
    /// Takes a notification from the history into the list, under a new number and without a banner.
    case restore(OwnerName, number: Int64)

    /// Deletes a notification of the history for good.
    case forget(OwnerName, number: Int64)
    /// Deletes what the history has up to a number for good; `nil` means all of the owner.
    case forgetAll(OwnerName, upTo: Int64?)
    /// Raises the owner's read mark; a lower number changes nothing.
    case seen(OwnerName, number: Int64)
    /// Makes an owner, or changes the preferences of one.
    case setOwner(OwnerName, OwnerPreferences)
    /// Makes an installation, or changes the permission of one.
    case setPermission(InstallationKey, Permission)
    case setBadge(InstallationKey, Int)
    /// Replaces the categories of an app, as their rules wrote them.
    case setCategories(InstallationKey, [UInt8])
    /// Removes an installation with all its rows, and notes that its registration is to be ended.
    case removeInstallation(InstallationKey)
    /// Notes that a host has ended the registration of an app that was removed.
    case withdrawn(InstallationKey)

    /// Adds a request in the place of the app's pending one of the same identifier.
    case schedule(PendingRequest, limit: PendingLimit)
    /// Removes pending requests by identifiers; `nil` means all of the app.
    case unschedule(InstallationKey, identifiers: [String]?)
    /// Sets the date of a pending request anew, after a change of clock or zone.
    case redate(pending: Int64, DueDate)
    /// Notes the side of its border on which the owner is, of a pending request with a region; its rule wrote the
    /// number.
    case note(region: Int64, standing: Int64)

    /// Adds a credential; over the limit of its kind the owner's oldest go.
    case addCredential(Credential)
    /// Takes a code, once, and adds the credential that it was for.
    case exchange(code: [UInt8], for: Credential)
    /// Notes that a credential was used, and until when it is good.
    case useCredential(Credential.Kind, hash: [UInt8], until: WallTime?)
    case removeCredential(Credential.Kind, hash: [UInt8])

    /// Removes the silent push that was handed over, unless a newer one has its place.
    case dropSilent(InstallationKey, stored: WallTime)
    /// Forgets the records of a journal below a number: the host settled them.
    case floor(journal: UInt32, number: Int64)
    case setFact(String, [UInt8])

    /// The one who asks for a removal.
    package enum Remover: Sendable {
        /// A person: goes to the history.
        case user
        /// The app or its extension: deleted.
        case app
    }
}

/// A notification that comes: from a host's record, a trigger or a call, or from the wait for an app's answer.
package struct NotificationArrival: Sendable {
    package enum Source: Sendable, Equatable {
        case record(RecordName)
        /// The arrival waited for an answer of its app, in `waiting`.
        case waiting(Int64)
        /// A request of which `due` is still the date; with `next` it stays pending, until then.
        case pending(Int64, due: Int64?, next: DueDate?)
        /// A call of the app without a trigger.
        case call
    }

    package enum Fate: Sendable {
        case listed(NotificationContent, Presentation)
        /// The app is asked first.
        case waits(NotificationContent)
        /// Kept for the app alone, in the place of a former one: the payload of a silent push.
        case silent([UInt8])
        /// The arrival is neither shown nor kept.
        case unlisted
    }

    package var installation: InstallationKey
    package var source: Source
    package var fate: Fate
    package var date: WallTime
    /// The app's badge from now on, from 0 to 2³¹−1; `nil` leaves it.
    package var badge: Int?

    package init(
        installation: InstallationKey,
        source: Source,
        fate: Fate,
        date: WallTime,
        badge: Int? = nil
    ) {
        self.installation = installation
        self.source = source
        self.fate = fate
        self.date = date
        self.badge = badge
    }
}

/// The answer of a person, before it is stored; it closes its notification.
package struct ResponseDraft: Sendable {
    package var owner: OwnerName
    package var number: Int64
    package var action: String
    package var text: String?
    /// `response` for an action, `user` for a dismissal of which the app wants to know.
    package var closing: Closing

    package enum Closing: Sendable {
        case response
        case user
    }

    package init(owner: OwnerName, number: Int64, action: String, text: String? = nil, closing: Closing = .response) {
        self.owner = owner
        self.number = number
        self.action = action
        self.text = text
        self.closing = closing
    }
}
