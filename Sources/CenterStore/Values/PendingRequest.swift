// SPDX-License-Identifier: Apache-2.0

/// The clock by which a request is due.
///
/// The raw values are stored.
package enum TriggerClock: Int64, Sendable, CaseIterable {
    /// Milliseconds since the boot, the time in suspend included.
    case boot = 0
    /// Milliseconds since 1970.
    case wall = 1
}

/// The instant at which a request is due, and what a scheduler needs to find the next one.
package struct DueDate: Sendable, Equatable {
    /// Milliseconds of the request's clock; `nil` means that no date is known, as for a region.
    package var due: Int64?
    /// The scheduler's note of where the time is counted from; empty where there is none.
    package var anchor: [UInt8]

    package init(due: Int64?, anchor: [UInt8] = []) {
        self.due = due
        self.anchor = anchor
    }
}

/// A request that waits for its trigger.
package struct PendingRequest: Sendable, Equatable {
    package var installation: InstallationKey
    package var clock: TriggerClock
    package var date: DueDate
    package var repeats: Bool
    /// The trigger as its scheduler wrote it.
    package var rule: [UInt8]
    package var content: NotificationContent
    /// The box around a region, as its rule wrote it: empty for beacons, and `nil` for a trigger without a region.
    package var box: [UInt8]?

    package init(
        installation: InstallationKey,
        clock: TriggerClock,
        date: DueDate,
        repeats: Bool = false,
        rule: [UInt8] = [],
        content: NotificationContent,
        box: [UInt8]? = nil
    ) {
        self.installation = installation
        self.clock = clock
        self.date = date
        self.repeats = repeats
        self.rule = rule
        self.content = content
        self.box = box
    }
}

/// A request that waits for its trigger, with the number that names it.
///
/// The number is never given again, so that it does not name another request once this one is replaced or gone.
package struct StoredPending: Sendable, Equatable {
    package let id: Int64
    package let request: PendingRequest
}

/// A pending request with a region or a beacon, as far as it is asked for at each position.
package struct StoredRegion: Sendable, Equatable {
    /// The number of the pending request.
    package let id: Int64
    /// The box around the region; empty for beacons.
    package let box: [UInt8]
    /// The side of its border on which the owner is, as `CenterWork.note` left it; 0 at first.
    package let standing: Int64
    package let repeats: Bool
    /// The trigger as its scheduler wrote it.
    package let rule: [UInt8]
}

/// The bound on an app's pending requests: the soonest stay, those without a date go first.
package struct PendingLimit: Sendable, Equatable {
    /// Zero means no bound.
    package var count: Int
    /// The wall's milliseconds less those since the boot, now: what makes the dates of two clocks comparable.
    package var wallMinusBoot: Int64

    package init(count: Int, wallMinusBoot: Int64) {
        self.count = count
        self.wallMinusBoot = wallMinusBoot
    }
}
