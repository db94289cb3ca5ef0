// SPDX-License-Identifier: Apache-2.0

/// The waiters for something that one at a time may use: the next turn goes to the app whose last turn is oldest.
///
/// Within an app the order of asking decides.
struct FairTurns<Waiter> {
    private var waiting: [(app: String, waiter: Waiter)] = []
    /// The number of each app's last turn.
    private var lastTurns: [String: UInt64] = [:]
    private var turnCount: UInt64 = 0

    mutating func wait(_ waiter: Waiter, of app: String) {
        waiting.append((app, waiter))
    }

    /// A turn that nobody had to wait for.
    mutating func take(of app: String) {
        turnCount += 1
        lastTurns[app] = turnCount
    }

    /// The waiter whose turn is next; `nil` means that nobody waits.
    mutating func next() -> Waiter? {
        let first = waiting.indices.min {
            lastTurns[waiting[$0].app, default: 0] < lastTurns[waiting[$1].app, default: 0]
        }
        guard let first else { return nil }
        let (app, waiter) = waiting.remove(at: first)
        take(of: app)
        return waiter
    }

    mutating func remove(where isGone: (Waiter) -> Bool) -> Waiter? {
        guard let index = waiting.firstIndex(where: { isGone($0.waiter) }) else { return nil }
        return waiting.remove(at: index).waiter
    }
}
