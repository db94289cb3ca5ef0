// SPDX-License-Identifier: Apache-2.0

/// How much the journal keeps of what is over.
package struct JournalLimits: Sendable {
    /// How long after its outcome a push is known.
    package var memory: Duration = .seconds(24 * 60 * 60)
    /// Keys of those, one or two a push; beyond them the oldest are forgotten earlier.
    ///
    /// 6.5 bytes of memory each.
    package var keys = 10_000_000
    /// Dead letters of all sinks together; beyond them the oldest go.
    package var deadLetters = 100_000
    /// How long a dead letter stays.
    package var deadLetterAge: Duration = .seconds(30 * 24 * 60 * 60)
    /// Length of the write-ahead log, in bytes, from which a commit copies it back itself.
    package var log = 16 << 20
    /// How long a call waits for another program's transaction: that of the command for dead letters takes milliseconds.
    package var patience: Duration = .seconds(2)

    package init() {}
}
