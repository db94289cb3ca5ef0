// SPDX-License-Identifier: Apache-2.0

/// Pushes that one ingress handed over together, and whom to tell.
struct ArrivalBatch: Sendable {
    let pushes: [IncomingPush]
    let answer: @Sendable (Int, [Acceptance]) -> Void
}

/// One of a batch, for which there was no room yet.
struct WaitingArrival: Sendable {
    let push: IncomingPush
    let place: Int
    let answer: @Sendable (Int, [Acceptance]) -> Void
    let room: Admission.Room
    /// When its sender hears that there is no room.
    let end: Duration
}

/// Arrivals that wait for room, oldest first, and by the room that they wait for.
///
/// Bounded by the bodies that ingresses may hold unanswered.
struct WaitingRoom {
    private var arrivals: [UInt64: WaitingArrival] = [:]
    private var order = Backlog<UInt64>()
    private var byRoom: [Admission.Room: Backlog<UInt64>] = [:]
    private var nextNumber: UInt64 = 0
    /// There is room for them, perhaps.
    private(set) var woken: [WaitingArrival] = []
    private var isTimerSet = false

    var isEmpty: Bool { arrivals.isEmpty }

    /// When the first of them has waited long enough.
    mutating func nextEnd() -> Duration? {
        while let number = order.first {
            if let arrival = arrivals[number] { return arrival.end }
            _ = order.popFirst()
        }
        return nil
    }

    mutating func append(_ arrival: WaitingArrival) {
        arrivals[nextNumber] = arrival
        order.append(nextNumber)
        byRoom[arrival.room, default: Backlog()].append(nextNumber)
        nextNumber += 1
    }

    /// Wakes the one that has waited for a room longest.
    mutating func wake(_ room: Admission.Room) {
        while let number = byRoom[room]?.popFirst() {
            if let arrival = arrivals.removeValue(forKey: number) {
                woken.append(arrival)
                break
            }
        }
        if byRoom[room]?.isEmpty == true { byRoom[room] = nil }
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
        return takeWoken() + others
    }

    /// Those that have waited long enough.
    mutating func takeOut(waitingUntil now: Duration) -> [WaitingArrival] {
        var taken: [WaitingArrival] = []
        while let end = nextEnd(), end <= now, let number = order.popFirst() {
            if let arrival = arrivals.removeValue(forKey: number) { taken.append(arrival) }
        }
        if arrivals.isEmpty {
            order = Backlog()
            byRoom = [:]
        }
        return taken
    }

    /// When a timer has to ring, if none is set yet.
    mutating func takeTimer() -> Duration? {
        guard !isTimerSet, let end = nextEnd() else { return nil }
        isTimerSet = true
        return end
    }

    mutating func timerRang() {
        isTimerSet = false
    }
}
