// SPDX-License-Identifier: Apache-2.0

internal import HostRuntime

private import struct Foundation.Date

/// The pushes that wait in the partitions of a session: how far they are read, what is not loaded, what is in hand.
///
/// A push is *in hand* from the moment in which the queue loads it until its end is written. What is read and not
/// loaded keeps its content up to a bound of bytes; of the rest the place is kept, and the content is read again when
/// its turn comes: an app whose extension hangs holds up no other app. Beyond a bound of places nothing is read.
struct WaitingShelf {
    /// Rules in numbers.
    struct Bounds {
        /// Bytes of bodies that are read and not loaded.
        var byteCount = 32 << 20
        /// Places of pushes whose content is not kept.
        var places = 1_000_000
    }

    /// A push whose content is not kept.
    private struct Left {
        let place: Int64
        let byteCount: Int32
    }

    /// The pushes of one partition and topic that are not loaded, in their order.
    private struct Line {
        var read = Backlog<WaitingPush>()
        /// The pushes behind those that are read.
        var left = Backlog<Left>()

        var isEmpty: Bool { read.isEmpty && left.isEmpty }
    }

    private struct Held {
        /// Pushes before this place may have been started by another session.
        let since: Int64
        /// Everything up to this place is read.
        var after: Int64 = 0
        /// True once what is known of the partition's past is loaded.
        var isOpen = false
        var isStopping = false
        var lines: [String: Line] = [:]
        var inHand = 0
        var quiet: [CheckedContinuation<Void, Never>] = []
    }

    private struct InHand {
        let part: Partition
        let name: DeliveryName
        let topic: String
        let byteCount: Int
        let received: Date
    }

    private let bounds: Bounds
    private var parts: [Partition: Held] = [:]
    /// Partitions in which something of a topic waits, in the order of their turns; some may have nothing any more.
    private var turns: [String: Backlog<Partition>] = [:]
    private var inHand: [Int64: InHand] = [:]
    /// Lines of which the queue asked for a push whose content is not here, in the order of asking.
    private var starving = Backlog<Starved>()
    /// The same, to be looked up.
    private var starved: Set<Starved> = []
    private var byteCount = 0
    private var leftCount = 0
    /// Everything that has not ended.
    private var counts = WaitingCounts()

    private struct Starved: Hashable, Sendable {
        let part: Partition
        let topic: String
    }

    init(bounds: Bounds = Bounds()) {
        self.bounds = bounds
    }

    // MARK: Partitions

    /// Takes in partitions, of which nothing is read before they are open.
    mutating func hold(_ holdings: [FleetSnapshot.Holding]) {
        for holding in holdings where parts[holding.part] == nil { parts[holding.part] = Held(since: holding.since) }
    }

    /// Partitions that are not open yet.
    var closed: [Partition] { parts.filter { !$0.value.isOpen && !$0.value.isStopping }.keys.sorted() }

    /// Has a partition be read from its beginning.
    mutating func open(_ opened: [Partition]) {
        for part in opened { parts[part]?.isOpen = true }
    }

    /// The place behind which each of some open partitions, or of all, is to be read; none while the shelf is full.
    func cursors(of some: Set<Partition>? = nil) -> [(part: Partition, after: Int64)] {
        guard leftCount < bounds.places else { return [] }
        return parts.filter { part, held in
            held.isOpen && !held.isStopping && some?.contains(part) ?? true
        }.map { ($0.key, $0.value.after) }.sorted { $0.0 < $1.0 }
    }

    /// Every topic of which something is not loaded.
    var topics: Set<String> { Set(turns.keys) }

    /// True of a place behind what is read of an open partition.
    func isUnread(_ place: PushPlace) -> Bool {
        guard let held = parts[place.part], held.isOpen, !held.isStopping else { return false }
        return place.number > held.after
    }

    /// True of a partition that is held and not stopped.
    func isServed(_ part: Partition) -> Bool { parts[part].map { !$0.isStopping } ?? false }

    /// Open partitions, for upkeep.
    var open: [Partition] { parts.filter { $0.value.isOpen && !$0.value.isStopping }.keys.sorted() }

    /// Gives nothing of a partition any more.
    mutating func stop(_ part: Partition) {
        guard let held = parts[part] else { return }
        for (topic, line) in held.lines { drop(line, of: topic) }
        parts[part]?.lines = [:]
        parts[part]?.isStopping = true
    }

    /// Takes a caller that is resumed when nothing of a partition is in hand; false: nothing is.
    mutating func wait(for part: Partition, _ caller: CheckedContinuation<Void, Never>) -> Bool {
        guard let held = parts[part], held.inHand > 0 else {
            forget(part)
            return false
        }
        parts[part]?.quiet.append(caller)
        return true
    }

    /// Forgets everything, and returns who waits for something to be quiet.
    mutating func clear() -> [CheckedContinuation<Void, Never>] {
        defer { self = WaitingShelf(bounds: bounds) }
        return parts.values.flatMap(\.quiet)
    }

    private mutating func forget(_ part: Partition) {
        guard parts[part]?.isStopping == true else { return }
        parts[part] = nil
    }

    // MARK: What is read

    /// Takes in what was read behind the cursors, but repeats; returns their topics.
    mutating func take(_ rows: [WaitingPush], isRepeat: (WaitingPush) -> Bool) -> Set<String> {
        var topics: Set<String> = []
        for row in rows {
            guard isServed(row.part), row.place > parts[row.part]?.after ?? .max else { continue }
            parts[row.part]?.after = row.place
            guard !isRepeat(row) else { continue }
            topics.insert(row.topic)
            counts.add(row.topic, byteCount: row.byteCount)
            // No copy of a line is kept while it grows: it would be copied whole.
            let (isNew, isAllRead) = (
                parts[row.part]?.lines[row.topic] == nil, parts[row.part]?.lines[row.topic]?.left.isEmpty ?? true
            )
            if isNew { turns[row.topic, default: Backlog()].append(row.part) }
            if isAllRead, byteCount + row.byteCount <= bounds.byteCount {
                byteCount += row.byteCount
                parts[row.part]?.lines[row.topic, default: Line()].read.append(row)
            } else {
                leftCount += 1
                parts[row.part]?.lines[row.topic, default: Line()].left.append(
                    Left(place: row.place, byteCount: Int32(clamping: row.byteCount))
                )
            }
        }
        return topics
    }

    /// Takes the places of pushes whose content the queue has asked for, some of each line, in the order of asking.
    mutating func wanted(limit: Int) -> [PushPlace] {
        var places: [PushPlace] = []
        while places.count < limit, let line = starving.popFirst() {
            starved.remove(line)
            guard let left = parts[line.part]?.lines[line.topic]?.left else { continue }
            places += left.prefix(min(limit - places.count, 64)).map { PushPlace(line.part, $0.place) }
        }
        return places
    }

    /// Takes in the content of pushes that were wanted, and drops those of which there is none; returns their topics.
    mutating func fill(_ wanted: [PushPlace], _ rows: [WaitingPush]) -> Set<String> {
        let found = Dictionary(rows.map { (PushPlace($0.part, $0.place), $0) }) { first, _ in first }
        var topics: Set<String> = []
        for (part, places) in Dictionary(grouping: wanted, by: \.part) {
            let asked = Set(places.map(\.number))
            let lines = parts[part]?.lines.filter { line in
                line.value.left.first.map { asked.contains($0.place) } ?? false
            }.map(\.key)
            for topic in lines ?? [] {
                while let left = parts[part]?.lines[topic]?.left.first, asked.contains(left.place) {
                    _ = parts[part]?.lines[topic]?.left.popFirst()
                    leftCount -= 1
                    guard let row = found[PushPlace(part, left.place)] else {
                        counts.remove(topic, byteCount: Int(left.byteCount))
                        continue
                    }
                    byteCount += row.byteCount
                    parts[part]?.lines[topic]?.read.append(row)
                }
                topics.insert(topic)
            }
        }
        return topics
    }

    private mutating func drop(_ line: Line, of topic: String) {
        for row in line.read.all {
            byteCount -= row.byteCount
            counts.remove(topic, byteCount: row.byteCount)
        }
        leftCount -= line.left.count
        for left in line.left.all { counts.remove(topic, byteCount: Int(left.byteCount)) }
    }

    // MARK: What is in hand

    /// Gives the next pushes of a topic, some of each partition in turn; they are in hand from now on.
    mutating func next(of topic: String, limit: Int) -> [IncomingPush] {
        var pushes: [IncomingPush] = []
        guard var turns = turns.removeValue(forKey: topic) else { return [] }
        // A round in which no partition gives anything is the last.
        var idle = 0
        while pushes.count < limit, idle < turns.count, let part = turns.popFirst() {
            let given = give(topic, of: part, limit: min(16, limit - pushes.count))
            pushes += given
            // A partition of which nothing is left, or that was given back, is out of the round.
            guard parts[part]?.lines[topic] != nil else { continue }
            turns.append(part)
            idle = given.isEmpty ? idle + 1 : 0
        }
        if !turns.isEmpty { self.turns[topic] = turns }
        return pushes
    }

    private mutating func give(_ topic: String, of part: Partition, limit: Int) -> [IncomingPush] {
        guard let since = parts[part]?.since, parts[part]?.lines[topic] != nil else { return [] }
        var pushes: [IncomingPush] = []
        while pushes.count < limit, let row = parts[part]?.lines[topic]?.read.popFirst() {
            byteCount -= row.byteCount
            var push = IncomingPush(row)
            push.isTakenUpAgain = row.place < since
            inHand[row.place] = InHand(
                part: part,
                name: DeliveryName(row.name, at: row.place),
                topic: topic,
                byteCount: row.byteCount,
                received: push.receivedAt
            )
            parts[part]?.inHand += 1
            pushes.append(push)
        }
        guard let line = parts[part]?.lines[topic] else { return pushes }
        if line.isEmpty {
            parts[part]?.lines[topic] = nil
        } else if line.read.isEmpty, starved.insert(Starved(part: part, topic: topic)).inserted {
            starving.append(Starved(part: part, topic: topic))
        }
        return pushes
    }

    /// The place of a push that is in hand; nil if it is not, or not any more.
    func place(of number: Int64) -> PushPlace? { inHand[number].map { PushPlace($0.part, number) } }

    /// The name of a push that is in hand.
    func name(of number: Int64) -> DeliveryName? { inHand[number]?.name }

    var inHandCount: Int { inHand.count }

    /// Pushes that are known of and have not ended.
    var waiting: WaitingPushes {
        WaitingPushes(count: counts.count, byteCount: counts.byteCount, oldest: oldest)
    }

    /// The time at which the push with the first place was accepted, of those whose content is here.
    private var oldest: Date? {
        let first = inHand.min { $0.key < $1.key }
        let rows = parts.values.lazy.flatMap { $0.lines.values.lazy.compactMap(\.read.first) }
        guard let row = rows.min(by: { $0.place < $1.place }), row.place < first?.key ?? .max else {
            return first?.value.received
        }
        return IncomingPush(row).receivedAt
    }

    /// The topics of which there is too much; `everything` at a bound of all, and while the shelf is full.
    func pressure(_ limits: QueueLimits) -> Set<Pressure> {
        leftCount < bounds.places ? counts.pressure(limits) : [.everything]
    }

    /// Lets pushes go that have ended, or do not start; returns who waited for the last of a partition.
    mutating func letGo(_ numbers: some Sequence<Int64>) -> [CheckedContinuation<Void, Never>] {
        var quiet: [CheckedContinuation<Void, Never>] = []
        for number in numbers {
            guard let ended = inHand.removeValue(forKey: number) else { continue }
            counts.remove(ended.topic, byteCount: ended.byteCount)
            let part = ended.part
            parts[part]?.inHand -= 1
            guard parts[part]?.inHand == 0, let waiting = parts[part]?.quiet, !waiting.isEmpty else { continue }
            quiet += waiting
            forget(part)
        }
        return quiet
    }
}
