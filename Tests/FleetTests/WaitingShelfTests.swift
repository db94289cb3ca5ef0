// SPDX-License-Identifier: Apache-2.0

import HostRuntime
import Testing

@testable import Fleet

/// The pushes that are read of partitions and not loaded.
struct WaitingShelfTests {
    private static let parts = (0..<4).compactMap { Partition(Int16($0)) }

    private static func row(
        _ place: Int64,
        in part: Int = 0,
        topic: String = "chat",
        byteCount: Int = 2
    ) -> WaitingPush {
        WaitingPush(
            part: parts[part],
            place: place,
            topic: topic,
            token: "\(part)",
            owner: "me",
            name: "00-\(place)",
            keys: [],
            head: "",
            body: Array("{}".utf8) + [UInt8](repeating: UInt8(ascii: " "), count: byteCount - 2)
        )
    }

    /// A shelf with open partitions.
    private static func shelf(
        byteCount: Int = 1 << 20,
        places: Int = 100,
        since: Int64 = 0
    ) -> WaitingShelf {
        var bounds = WaitingShelf.Bounds()
        (bounds.byteCount, bounds.places) = (byteCount, places)
        var shelf = WaitingShelf(bounds: bounds)
        shelf.hold(parts.map { FleetSnapshot.Holding(part: $0, holder: 1, epoch: 1, since: since) })
        shelf.open(parts)
        return shelf
    }

    private static func numbers(_ pushes: [IncomingPush]) -> [Int64] { pushes.compactMap(\.number) }

    @Test("what is read is given once, each partition's in order and all partitions in turn")
    func order() {
        var shelf = Self.shelf(since: 3)
        let rows = (1...40).map { Self.row($0, in: $0 % 2 == 0 ? 0 : 1) }
        let topics = shelf.take(rows) { $0.place == 7 }
        #expect(topics == ["chat"])
        // Read again, as after an answer that came twice.
        #expect(shelf.take(rows) { _ in false }.isEmpty)
        #expect((shelf.waiting.count, shelf.waiting.byteCount) == (39, 78))
        let pushes = shelf.next(of: "chat", limit: 100)
        #expect(Set(Self.numbers(pushes)) == Set(1...40).subtracting([7]))
        #expect(shelf.waiting == WaitingPushes(count: 39, byteCount: 78, oldest: pushes.map(\.receivedAt).min()))
        for part in 0..<2 {
            let own = Self.numbers(pushes.filter { $0.partition == part })
            #expect(own == own.sorted())
        }
        // Sixteen of one, then sixteen of the other.
        #expect(Set(pushes[..<16].map(\.partition)).count == 1)
        #expect(pushes[16].partition != pushes[15].partition)
        #expect(Self.numbers(pushes.filter(\.isTakenUpAgain)).sorted() == [1, 2])
        #expect(shelf.next(of: "chat", limit: 100).isEmpty)
        #expect(shelf.inHandCount == 39)
    }

    @Test("beyond the bound of bytes places are kept, and the content is asked for when its turn comes")
    func content() {
        var shelf = Self.shelf(byteCount: 100)
        let rows = (1...4).map { Self.row($0, byteCount: 40) }
        _ = shelf.take(rows) { _ in false }
        #expect(shelf.wanted(limit: 10).isEmpty)
        #expect(Self.numbers(shelf.next(of: "chat", limit: 10)) == [1, 2])
        let wanted = shelf.wanted(limit: 10)
        #expect(wanted.map(\.number) == [3, 4])
        // Behind them, although there is room for its content.
        _ = shelf.take([Self.row(5)]) { _ in false }
        #expect(shelf.fill(wanted, Array(rows[2...])) == ["chat"])
        #expect(Self.numbers(shelf.next(of: "chat", limit: 10)) == [3, 4])
        let last = shelf.wanted(limit: 10)
        #expect(last.map(\.number) == [5])
        // One that is not there any more holds nobody up.
        #expect(shelf.fill(last, []) == ["chat"])
        #expect(shelf.wanted(limit: 10).isEmpty)
        _ = shelf.take([Self.row(6)]) { _ in false }
        #expect(Self.numbers(shelf.next(of: "chat", limit: 10)) == [6])
    }

    @Test("an app whose pushes have no room holds up no other app, and nothing of it is read before it is asked for")
    func apps() {
        var shelf = Self.shelf(byteCount: 100)
        _ = shelf.take((1...9).map { Self.row($0, topic: "slow", byteCount: 28) }) { _ in false }
        _ = shelf.take([Self.row(10, topic: "chat")]) { _ in false }
        #expect(shelf.wanted(limit: 10).isEmpty)
        #expect(Self.numbers(shelf.next(of: "chat", limit: 10)) == [10])
        #expect(shelf.topics == ["slow"])
    }

    @Test("partitions that were given back end no round of the others")
    func stale() {
        var shelf = Self.shelf()
        _ = shelf.take((1...9).map { Self.row($0, in: Int($0 - 1) % 3) }) { _ in false }
        shelf.stop(Self.parts[0])
        shelf.stop(Self.parts[1])
        #expect(Self.numbers(shelf.next(of: "chat", limit: 10)) == [3, 6, 9])
        #expect(shelf.topics.isEmpty)
    }

    @Test("a topic has too much when less room than that is left for others, and a session at its bounds of everything")
    func pressure() {
        var shelf = Self.shelf(byteCount: 6)
        var limits = QueueLimits()
        (limits.pushes, limits.byteCount) = (12, 24)
        _ = shelf.take((1...5).map { Self.row($0) }) { _ in false }
        #expect(shelf.pressure(limits) == [])
        _ = shelf.take((6...7).map { Self.row($0) }) { _ in false }
        #expect(shelf.pressure(limits) == [.topic("chat")])
        _ = shelf.take((8...12).map { Self.row($0, topic: "mail") }) { _ in false }
        #expect(shelf.pressure(limits) == [.everything])
        limits.pushes = 100
        #expect(shelf.pressure(limits) == [.everything])
        limits.byteCount = 25
        #expect(shelf.pressure(limits) == [])

        limits.pushes = 12
        let begun = shelf.next(of: "chat", limit: 3)
        #expect(shelf.pressure(limits) == [.everything])
        _ = shelf.letGo(Self.numbers(begun))
        #expect(shelf.pressure(limits) == [.topic("chat"), .topic("mail")])
        // Of two whose content was left there is none any more.
        let wanted = shelf.wanted(limit: 2)
        _ = shelf.fill(wanted, [])
        #expect(wanted.count == 2)
        #expect((shelf.waiting.count, shelf.waiting.byteCount) == (7, 14))
        shelf.stop(Self.parts[0])
        #expect((shelf.waiting.count, shelf.waiting.byteCount) == (0, 0))
        #expect(Self.shelf(places: 0).pressure(limits) == [.everything])
    }

    @Test("beyond the bound of places nothing is read")
    func full() {
        var shelf = Self.shelf(byteCount: 0, places: 3)
        #expect(shelf.cursors().count == 4)
        _ = shelf.take((1...3).map { Self.row($0) }) { _ in false }
        #expect(shelf.cursors().isEmpty)
        #expect(shelf.isUnread(PushPlace(Self.parts[0], 4)))
        shelf.stop(Self.parts[0])
        #expect(shelf.cursors().count == 3)
    }

    @Test("a partition that is stopped gives nothing, and is forgotten when nothing of it is in hand")
    func stop() async {
        var shelf = Self.shelf()
        _ = shelf.take((1...20).map { Self.row($0) }) { _ in false }
        #expect(shelf.next(of: "chat", limit: 2).count == 2)
        shelf.stop(Self.parts[0])
        #expect(shelf.next(of: "chat", limit: 2).isEmpty)
        #expect(!shelf.open.contains(Self.parts[0]))
        // It comes back only when it is quiet.
        shelf.hold([FleetSnapshot.Holding(part: Self.parts[0], holder: 1, epoch: 3)])
        #expect(shelf.closed.isEmpty)
        #expect(shelf.letGo([1]).isEmpty)
        #expect(shelf.place(of: 2) == PushPlace(Self.parts[0], 2))
        await withCheckedContinuation { caller in
            let waits = shelf.wait(for: Self.parts[0], caller)
            #expect(waits)
            for waiting in shelf.letGo([2]) { waiting.resume() }
        }
        shelf.hold([FleetSnapshot.Holding(part: Self.parts[0], holder: 1, epoch: 3)])
        #expect(shelf.closed == [Self.parts[0]])
    }
}
