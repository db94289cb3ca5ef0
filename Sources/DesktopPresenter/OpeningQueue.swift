// SPDX-License-Identifier: Apache-2.0

/// The addresses that are to be opened, in the order of the clicks.
///
/// A program that opens one is not waited for: it may run for seconds before it says that it has no browser.
package struct OpeningQueue: Sendable {
    /// Addresses that wait; of more the oldest one goes.
    package static let waitingLimit = 8
    /// Programs that run at the same time and have not said yet whether they took their address.
    package static let runningLimit = 8

    private var waiting: [Opening] = []
    private var runningCount = 0

    package init() {}

    /// Adds an address; returns the one that goes, which nobody will open.
    package mutating func add(_ opening: Opening) -> Opening? {
        waiting.append(opening)
        return waiting.count > Self.waitingLimit ? waiting.removeFirst() : nil
    }

    /// Returns the address that is to be opened now, and counts its program; `nil` means that there is none.
    package mutating func next() -> Opening? {
        guard runningCount < Self.runningLimit, !waiting.isEmpty else { return nil }
        runningCount += 1
        return waiting.removeFirst()
    }

    /// Takes that a program has ended, or runs for so long that it has a browser.
    package mutating func takeVerdict() { runningCount -= 1 }
}
