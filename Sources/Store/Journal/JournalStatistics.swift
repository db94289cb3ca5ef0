// SPDX-License-Identifier: Apache-2.0

/// The journal's contents and work in numbers, which each commit updates without counting anew.
///
/// Only `sinks` is counted anew, after another process has written.
package struct JournalStatistics: Sendable, Equatable {
    /// Records of one remote sink.
    package struct Sink: Sendable, Equatable {
        /// On their way.
        package var waiting = 0
        package var waitingByteCount = 0
        /// Given up and kept.
        package var dead = 0

        package init() {}
    }

    /// Pushes without an outcome.
    package var pushes = 0
    /// The length of the bodies of these pushes, in bytes.
    package var byteCount = 0
    /// The journal's own time at which the oldest push without an outcome was accepted; `nil` if there is none.
    package var oldest: Duration?
    /// The journal's own time at the last commit or maintenance.
    package var now: Duration = .zero
    /// Keys by which concluded and waiting pushes are known.
    package var keys = 0
    /// Memory that the index of those keys takes, in bytes: 6.5 a key, in steps of 1 MiB.
    package var keyMemoryByteCount = 0
    /// The length of the file that holds the other part of that index, in bytes.
    package var keyFileByteCount = 0
    /// By name; a sink that has none left stays listed.
    package var sinks: [String: Sink] = [:]

    /// Since the start: the same push under the same id.
    package var repeatedByIdentity = 0
    /// Since the start: the same sealed content under another id.
    package var repeatedByContent = 0
    /// Since the start: an id of late with another body.
    package var changed = 0
    /// Since the start: pushes whose stored form was no longer what had been accepted.
    package var damaged = 0

    /// Length of the database and of its log, in bytes.
    package var fileByteCount = 0
    package var logByteCount = 0
    /// `PRAGMA synchronous`, as read back when opening: 2 is FULL.
    package var synchronous = 0
    /// Since the start: copies of the log into the database, and the time they took.
    package var checkpoints = 0
    package var checkpointTime: Duration = .zero

    /// The time that the oldest push without an outcome has waited; `nil` if there is none.
    package var oldestAge: Duration? { oldest.map { now - $0 } }
}
