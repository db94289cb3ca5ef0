// SPDX-License-Identifier: Apache-2.0

/// The part of a delivered notification that lists and stacks are made of: about 50 bytes on the disk, and no text.
package struct Head: Sendable, Equatable {
    /// The owner's number, by which everybody names the notification.
    package var number: Int64
    /// The number of its installation, which stays as long as the installation does.
    package var installation: Int64
    /// The keyed hash of its thread; `nil` means that it has none.
    package var thread: Int64?
    package var date: WallTime
    package var presentation: Presentation

    package init(number: Int64, installation: Int64, thread: Int64?, date: WallTime, presentation: Presentation) {
        self.number = number
        self.installation = installation
        self.thread = thread
        self.date = date
        self.presentation = presentation
    }
}

/// The decision on how a notification is shown, as it was made once, at delivery.
package struct Presentation: Sendable, Equatable {
    package var flags: HeadFlags
    /// The end of the time in which a presenter may show a banner; `nil` means that none is shown.
    package var until: WallTime?
    /// The interruption level: 0 passive, 1 active, 2 time-sensitive, 3 critical.
    package var level: Int
    /// The count that the notification adds to the summary of its stack.
    package var count: Int

    package init(flags: HeadFlags, until: WallTime? = nil, level: Int = 1, count: Int = 1) {
        self.flags = flags
        self.until = until
        self.level = level
        self.count = count
    }
}

/// The places in which a notification is shown, and what became of it.
package struct HeadFlags: OptionSet, Sendable, Hashable {
    package let rawValue: Int64

    package init(rawValue: Int64) {
        self.rawValue = rawValue
    }

    package static let banner = HeadFlags(rawValue: 1)
    package static let list = HeadFlags(rawValue: 2)
    package static let lock = HeadFlags(rawValue: 4)
    package static let sound = HeadFlags(rawValue: 8)
    /// Waits for the hour of a summary.
    package static let held = HeadFlags(rawValue: 16)
    /// A person answered it: set in the history, and after a restoration.
    package static let answered = HeadFlags(rawValue: 32)
    /// The notification came as a push.
    package static let remote = HeadFlags(rawValue: 64)
}

/// The reason for which a notification left the list.
///
/// The raw values are stored.
package enum RemovalCause: Int64, Sendable, CaseIterable {
    case user = 0
    case app = 1
    case response = 2
    case retention = 3
    /// A newer one of the same name took its place.
    case update = 4
    /// An app went with all that was its; a tombstone of this cause is the app's own, and no notification's.
    case uninstalled = 5
}

/// The knowledge of a store about a number of an owner.
package enum Standing: Sendable, Equatable {
    case listed
    /// Removed under the number `by`; for an update that is the number of the newer notification.
    case gone(RemovalCause, by: Int64)
    /// Never given to a notification, or removed so long ago that the tombstone is gone.
    case unknown
}
