// SPDX-License-Identifier: Apache-2.0

/// The limits of the queue; beyond them senders wait, then hear 429 or 503.
package struct QueueLimits: Sendable {
    /// Pushes without outcome, all devices together, on the disk; and records that wait for one remote sink.
    package var pushes = 200_000
    /// Bodies of those, in bytes.
    package var byteCount = 1 << 30
    /// Pushes of one device without outcome.
    package var pushesPerDevice = 1_000
    /// Pushes a second that one device may get for long.
    package var pushesPerSecond = 100.0
    /// Pushes that one device may get at once.
    package var burst = 1_000.0
    /// The longest time that a push waits for room before its sender hears that there is none.
    package var patience: Duration = .seconds(2)
    /// The pause after a transaction in which new work is gathered for the next one.
    ///
    /// At 2,500 pushes a second it saves a fifth of the host's processor time; work for an idle queue does not wait.
    package var pause: Duration = .milliseconds(2)
    /// Pushes of one topic in memory; the others wait on the disk.
    package var loadedPerTopic = 2_048
    /// Bodies in memory, in bytes, beyond which a topic gets no more than a few into it.
    package var loadedByteCount = 64 << 20
    /// Devices of one topic whose pushes are at work together.
    package var lanesPerTopic = 256

    package init() {}

    /// True if a topic that has `topicCount` of `count` pushes may have one more: as many as there is room left for
    /// others.
    package func hasRoom(topicCount: Int, of count: Int) -> Bool { topicCount < pushes - count }
}
