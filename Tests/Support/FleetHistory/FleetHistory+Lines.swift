// SPDX-License-Identifier: Apache-2.0

extension FleetHistory.Event {
    /// Reads a line of a history, words with a space between, times in nanoseconds; nil: it is none.
    ///
    ///     offered PUSH TOKEN TIME        accepted PUSH OFFERED-AT TIME     opened CONTENT NAME
    ///     recorded PUSH NAME PLACE TIME  removed TOKEN TIME
    ///     wrote SESSION WHAT TIME        fenced SESSION TIME
    package init?(_ line: String) {
        let words = line.split(separator: " ").map(String.init)
        func time(_ index: Int) -> Int64? { words.indices.contains(index) ? Int64(words[index]) : nil }
        switch (words.first, words.count) {
        case ("offered", 4):
            guard let time = time(3) else { return nil }
            self = .offered(push: words[1], token: words[2], at: time)
        case ("accepted", 4):
            guard let offer = time(2), let time = time(3) else { return nil }
            self = .accepted(push: words[1], offeredAt: offer, at: time)
        case ("opened", 3): self = .opened(content: words[1], name: words[2])
        case ("recorded", 5):
            guard let place = time(3), let time = time(4) else { return nil }
            self = .recorded(push: words[1], name: words[2], place: place, at: time)
        case ("removed", 3):
            guard let time = time(2) else { return nil }
            self = .removed(token: words[1], at: time)
        case ("wrote", 4):
            guard let time = time(3) else { return nil }
            self = .wrote(session: words[1], what: words[2], at: time)
        case ("fenced", 3):
            guard let time = time(2) else { return nil }
            self = .fenced(session: words[1], at: time)
        default: return nil
        }
    }
}

extension FleetHistory.Fault: CustomStringConvertible {
    package var description: String {
        switch self {
        case .lost(let push): "lost: \(push) was accepted and has no record"
        case .twice(let push): "twice: records of \(push) have more than one name"
        case .swapped(let first, let second): "swapped: \(second) came before \(first)"
        case .openedTwice(let content): "opened twice: \(content) under two names"
        case .invented(let push): "invented: nobody has offered \(push)"
        case .acceptedAfterRemoval(let push): "accepted after removal: \(push)"
        case .late(let session, let what): "late: session \(session) \(what) something after its fence"
        case .unguarded(let what): "unguarded: something was \(what) without the lock of a session"
        }
    }
}
