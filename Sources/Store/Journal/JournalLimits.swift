// SPDX-License-Identifier: Apache-2.0

/// The limits of the journal: the age and number of what it keeps, the length of its log, and the wait of a call.
package struct JournalLimits: Sendable {
    /// The time for which a push is known after its outcome.
    package var memory: Duration = .seconds(24 * 60 * 60)
    /// The number of keys of known pushes, one or two a push; beyond it the oldest are forgotten earlier.
    ///
    /// 6.5 bytes each, in a file but for the last 160,000.
    package var keys = 10_000_000
    /// Dead letters of all sinks together; beyond them the oldest go.
    package var deadLetters = 100_000
    /// The time for which a dead letter is kept.
    package var deadLetterAge: Duration = .seconds(30 * 24 * 60 * 60)
    /// Length of the write-ahead log, in bytes, from which a commit copies it back itself.
    package var log = 16 << 20
    /// The longest wait for another program's transaction; one of the command for dead letters takes milliseconds.
    package var patience: Duration = .seconds(2)

    package init() {}
}
