// SPDX-License-Identifier: Apache-2.0

/// Pushes that one ingress handed over together, and whom to tell.
struct ArrivalBatch: Sendable {
    let pushes: [IncomingPush]
    let answer: @Sendable (Int, [Acceptance]) -> Void
}

/// An arrival for which there was no room yet.
struct WaitingArrival: Sendable {
    let push: IncomingPush
    let place: Int
    let answer: @Sendable (Int, [Acceptance]) -> Void
    let room: Admission.Room
    /// The instant at which the sender is told that there is no room.
    let end: Duration
    /// The arrival's place among all that ever waited; `nil` before its first wait.
    var number: UInt64?
}

/// Arrivals that wait for room, oldest first, and by the room that they wait for.
///
/// An arrival that was woken and found no room all the same waits on in its old place, so nobody overtakes it and it is
/// told in time. Bounded by the bodies that ingresses may hold unanswered.
struct WaitingRoom {
    private var arrivals: [UInt64: WaitingArrival] = [:]
    /// Ascending, and so are the ends; those that wait no more are dropped when they come to the front.
    private var order = Backlog<UInt64>()
    /// The arrivals that still wait, and no others, by the room that they wait for.
    private var byRoom: [Admission.Room: Backlog<UInt64>] = [:]
    /// Topics for whose room somebody waits.
    private(set) var topics: Set<String> = []
    private var nextNumber: UInt64 = 0
    /// There is room for them, perhaps.
    private(set) var woken: [WaitingArrival] = []
    /// The instant at which the first timer rings.
    private var timer: Duration?

    var isEmpty: Bool { arrivals.isEmpty }

    /// Returns the number of arrivals that wait for a room.
    func count(for room: Admission.Room) -> Int { byRoom[room]?.count ?? 0 }

    /// Returns when the first arrival has waited long enough.
    mutating func nextEnd() -> Duration? {
        while let number = order.first {
            if let arrival = arrivals[number] { return arrival.end }
            _ = order.popFirst()
        }
        return nil
    }

    /// Takes in an arrival: behind all others, or in its old place if it was woken in vain.
    mutating func take(_ arrival: WaitingArrival) {
        let number = arrival.number ?? nextNumber
        nextNumber = max(nextNumber, number + 1)
        var arrival = arrival
        arrival.number = number
        arrivals[number] = arrival
        order.insert(number)
        byRoom[arrival.room, default: Backlog()].insert(number)
        if case .topic(let topic) = arrival.room { topics.insert(topic) }
    }

    /// Wakes the one that has waited for a room longest.
    mutating func wake(_ room: Admission.Room) {
        guard let number = byRoom[room]?.first, let arrival = arrivals.removeValue(forKey: number) else { return }
        woken.append(arrival)
        trim(room)
    }

    mutating func takeWoken() -> [WaitingArrival] {
        defer { woken = [] }
        return woken
    }

    /// All, in the order of their coming; nobody waits any more.
    mutating func takeAll() -> [WaitingArrival] {
        let others = arrivals.sorted { $0.key < $1.key }.map(\.value)
        arrivals = [:]
        order = Backlog()
        byRoom = [:]
        topics = []
        return takeWoken() + others
    }

    /// Takes out the arrivals that have waited long enough.
    mutating func takeOut(waitingUntil now: Duration) -> [WaitingArrival] {
        var taken: [WaitingArrival] = []
        while let end = nextEnd(), end <= now, let number = order.popFirst() {
            guard let arrival = arrivals.removeValue(forKey: number) else { continue }
            taken.append(arrival)
            // The first of all was the first for its room.
            trim(arrival.room)
        }
        return taken
    }

    /// Forgets who waits for a room no more: the first for it.
    private mutating func trim(_ room: Admission.Room) {
        while let number = byRoom[room]?.first, arrivals[number] == nil { _ = byRoom[room]?.popFirst() }
        guard byRoom[room]?.isEmpty == true else { return }
        byRoom[room] = nil
        if case .topic(let topic) = room { topics.remove(topic) }
    }

    /// Returns when a timer has to ring, if none rings by then already.
    mutating func takeTimer() -> Duration? {
        guard let end = nextEnd(), timer.map({ end < $0 }) ?? true else { return nil }
        timer = end
        return end
    }

    mutating func timerRang(for end: Duration) {
        if timer == end { timer = nil }
    }
}
