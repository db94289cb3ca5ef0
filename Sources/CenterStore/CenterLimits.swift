// SPDX-License-Identifier: Apache-2.0

/// The limits of the store: the age and number of what it keeps, the length of its log, and the wait of a call.
///
/// A bound never refuses a new notification: the oldest go, in the next maintenance. Source: center.md §14.
package struct CenterLimits: Sendable {
    /// Notifications of an installation, of an owner, and of all owners together.
    package var perInstallation = 1_000
    package var perOwner = 10_000
    package var inAll = 2_000_000
    /// Contents in bytes, of an owner and of all owners together; what the history holds included.
    package var ownerBytes = 256 << 20
    package var bytesInAll = 4 << 30
    /// The age from which a notification goes; zero keeps notifications of every age.
    package var age: Duration = .seconds(30 * 24 * 60 * 60)
    /// The time for which what a person dismissed or answered can be restored; zero deletes it at once.
    ///
    /// The history of an owner has no more rows than its list.
    package var history: Duration = .seconds(24 * 60 * 60)
    /// The time for which a removed number is known, and the count of such numbers of an owner.
    package var tombstoneAge: Duration = .seconds(7 * 24 * 60 * 60)
    package var tombstones = 100_000
    /// The time for which a response or a silent push waits for its app, and the count of responses of an app.
    package var responseAge: Duration = .seconds(7 * 24 * 60 * 60)
    package var responses = 1_000
    /// Requests of all apps together that wait for their triggers; one more is refused.
    package var pending = 1_000_000
    /// Requests of an app that wait for a region or a beacon; one more is refused.
    package var regions = 20
    /// Installations of an owner; one more is refused.
    package var installations = 1_000
    /// Sessions, tokens and codes of an owner, of each; the oldest go.
    package var credentials = 64
    /// Rows that one maintenance removes at most: some milliseconds.
    package var slice = 500
    /// Length of the write-ahead log, in bytes, from which a commit or a slice of maintenance copies it back itself.
    package var log = 16 << 20
    /// The longest wait for another program's transaction.
    package var patience: Duration = .seconds(2)

    package init() {}
}

extension Duration {
    /// Whole milliseconds, rounded down.
    var wholeMilliseconds: Int64 {
        components.seconds * 1000 + components.attoseconds / 1_000_000_000_000_000
    }
}
