// SPDX-License-Identifier: Apache-2.0

/// The pushes of a fleet as senders, hosts and a sink saw them, and the promises that must hold of it, whatever died
/// meanwhile.
///
/// Times are of one clock, in nanoseconds: an offer's before the host has it, an answer's when its sender has it, a
/// record's when the sink has it. What sessions write and their fences are in the order of their commits, whose times
/// are of the database's clock. A push is known by its identifier, under which it may be offered more than once.
package struct FleetHistory: Sendable {
    package enum Event: Sendable {
        case offered(push: String, token: String, at: Int64)
        /// A host said that all is well; the offer is one of the push's.
        case accepted(push: String, offeredAt: Int64, at: Int64)
        /// A push with that sealed content is opened, under a name.
        case opened(content: String, name: String)
        /// The sink has a record; places grow in the order of a device.
        case recorded(push: String, name: String, place: Int64, at: Int64)
        /// A device token's removal has returned.
        case removed(token: String, at: Int64)
        /// A write of a session was committed; `nobody` has written what was written without the lock of one.
        case wrote(session: String, what: String, at: Int64)
        /// The end of a session was committed: it may write nothing from then on.
        case fenced(session: String, at: Int64)
    }

    package enum Fault: Hashable, Sendable {
        /// The sender heard that all is well, and there is no record.
        case lost(push: String)
        /// Records of one push have more than one name: a receiver cannot tell that they are one.
        case twice(push: String)
        /// The second was offered when the first had been accepted, and came before it.
        case swapped(first: String, second: String)
        /// One sealed content was opened under more than one name.
        case openedTwice(content: String)
        /// There is a record of a push that nobody offered.
        case invented(push: String)
        /// The push was offered when its token's removal had returned, and was accepted.
        case acceptedAfterRemoval(push: String)
        /// A session wrote something that was committed when its fence had been.
        case late(session: String, what: String)
        /// Something was written without the lock that a fence waits for.
        case unguarded(what: String)
    }

    private struct Push {
        var token = ""
        var offeredAt = Int64.max
        var acceptedAt: Int64?
        /// The offer that was accepted last.
        var acceptedOffer = Int64.min
        var names: Set<String> = []
        var place = Int64.max
        var recordedAt = Int64.max

        var isAccepted: Bool { acceptedAt != nil }
        var isOpen: Bool { isAccepted && names.isEmpty }
    }

    private var pushes: [String: Push] = [:]
    private var namesOfContents: [String: Set<String>] = [:]
    private var removals: [String: Int64] = [:]
    private var fences: [String: Int64] = [:]
    /// The last time of each kind of write, by session.
    private var writes: [String: [String: Int64]] = [:]

    package init(_ events: [Event] = []) {
        for event in events { add(event) }
    }

    /// The number of pushes that were accepted.
    package private(set) var acceptedCount = 0
    /// The time at which the last push of each device was offered that has a record.
    package private(set) var lastServed: [String: Int64] = [:]
    /// The number of accepted pushes that have no record.
    package private(set) var openCount = 0

    package mutating func add(_ event: Event) {
        switch event {
        case .offered(let id, let token, let time):
            change(id) { push in
                push.token = token
                push.offeredAt = min(push.offeredAt, time)
            }
        case .accepted(let id, let offer, let time):
            change(id) { push in
                push.acceptedAt = min(push.acceptedAt ?? time, time)
                push.acceptedOffer = max(push.acceptedOffer, offer)
            }
        case .opened(let content, let name): namesOfContents[content, default: []].insert(name)
        case .recorded(let id, let name, let place, let time):
            change(id) { push in
                push.names.insert(name)
                push.place = min(push.place, place)
                push.recordedAt = min(push.recordedAt, time)
            }
            if let push = pushes[id], push.offeredAt != .max {
                lastServed[push.token] = max(lastServed[push.token] ?? 0, push.offeredAt)
            }
        case .removed(let token, let time): removals[token] = min(removals[token] ?? time, time)
        case .wrote(let session, let what, let time):
            let last = writes[session]?[what] ?? time
            writes[session, default: [:]][what] = max(last, time)
        case .fenced(let session, let time): fences[session] = min(fences[session] ?? time, time)
        }
    }

    private mutating func change(_ id: String, _ body: (inout Push) -> Void) {
        var push = pushes[id] ?? Push()
        let (wasAccepted, wasOpen) = (push.isAccepted, push.isOpen)
        body(&push)
        pushes[id] = push
        acceptedCount += (push.isAccepted ? 1 : 0) - (wasAccepted ? 1 : 0)
        openCount += (push.isOpen ? 1 : 0) - (wasOpen ? 1 : 0)
    }

    /// Tells what is known of a push, for a person who looks for the cause of a fault.
    package func story(of id: String) -> String {
        guard let push = pushes[id] else { return "\(id): nothing" }
        return """
            \(id): offered at \(push.offeredAt), accepted at \(push.acceptedAt.map(String.init) ?? "no time"), \
            recorded at \(push.recordedAt) with place \(push.place) as \(push.names.sorted())
            """
    }

    /// Every promise that was broken.
    package var faults: Set<Fault> {
        var faults: Set<Fault> = []
        for (id, push) in pushes {
            if push.offeredAt == .max { faults.insert(.invented(push: id)) }
            if push.isOpen { faults.insert(.lost(push: id)) }
            if push.names.count > 1 { faults.insert(.twice(push: id)) }
            if let removal = removals[push.token], push.acceptedOffer > removal {
                faults.insert(.acceptedAfterRemoval(push: id))
            }
        }
        for (content, names) in namesOfContents where names.count > 1 { faults.insert(.openedTwice(content: content)) }
        return faults.union(swaps).union(lateWrites)
    }

    private var lateWrites: [Fault] {
        writes.flatMap { session, kinds in
            kinds.compactMap { what, time in
                guard session != "nobody" else { return .unguarded(what: what) }
                return fences[session].flatMap { time > $0 ? .late(session: session, what: what) : nil }
            }
        }
    }

    /// Each device's pushes that came before one which had been accepted before they were offered.
    private var swaps: [Fault] {
        let recorded = pushes.filter { !$0.value.names.isEmpty }
        return Dictionary(grouping: recorded, by: \.value.token).values.flatMap { device in
            Self.swaps(of: device, by: \.place) + Self.swaps(of: device, by: \.recordedAt)
        }
    }

    private static func swaps(of device: [(key: String, value: Push)], by order: KeyPath<Push, Int64>) -> [Fault] {
        let accepted = device.compactMap { id, push in push.acceptedAt.map { (id: id, time: $0, push: push) } }
        var answers = accepted.sorted { $0.time < $1.time }[...]
        // The last in order of those that were accepted so far.
        var last: (id: String, order: Int64)?
        var swaps: [Fault] = []
        for (id, push) in device.sorted(by: { $0.value.offeredAt < $1.value.offeredAt }) {
            while let answer = answers.first, answer.time < push.offeredAt {
                answers.removeFirst()
                let order = answer.push[keyPath: order]
                if order > last?.order ?? .min { last = (answer.id, order) }
            }
            if let last, last.order > push[keyPath: order] { swaps.append(.swapped(first: last.id, second: id)) }
        }
        return swaps
    }
}
