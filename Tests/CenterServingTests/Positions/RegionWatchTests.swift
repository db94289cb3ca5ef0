// SPDX-License-Identifier: Apache-2.0

import CenterProtocol
import CenterStore
import Foundation
import NotificationPayload
import Testing
import UserNotificationCenter

@testable import CenterServing

/// Requests that wait for a place, and reports of where their owner is.
@Suite(.timeLimit(.minutes(2)))
struct RegionWatchTests {
    private static let uuid = "E2C56DB5-DFFB-48D2-B060-D0F5A71096E0"
    private static let shelf = BeaconSighting(uuid: uuid, major: 1, minor: 2)

    private let bench: Bench

    init() async throws {
        bench = try await Bench.with()
    }

    private func add(
        _ identifier: String = "home",
        _ trigger: RequestTrigger? = nil,
        onEntry: Bool = true,
        onExit: Bool = true,
        repeats: Bool = false
    ) async throws -> CallAnswer {
        let crossing = RequestTrigger.Crossing(
            identifier: "home",
            onEntry: onEntry,
            onExit: onExit,
            repeats: repeats
        )
        let request = NotificationRequest(
            identifier: identifier,
            payload: Payload(["aps": ["alert": ["title": .string(identifier)]]]),
            trigger: trigger ?? .region(Track.home, crossing)
        )
        return await CallDesk(bench.center).answer(.add(request), of: try bench.chat)
    }

    private func addBeacon(repeats: Bool = false, onEntry: Bool = true) async throws {
        let crossing = RequestTrigger.Crossing(identifier: "shelf", onEntry: onEntry, onExit: true, repeats: repeats)
        #expect(try await add("shelf", .beacon(.init(uuid: Self.uuid, major: 1), crossing)) == .done)
    }

    /// Reports these places, a second apart, and returns the numbers of the list after each.
    private func walk(_ metres: Double..., accuracy: Double = 5) async throws -> [Int] {
        var counts: [Int] = []
        for metres in metres {
            bench.time.advance(by: 1000)
            try await RegionWatch(bench.center).take(Track.report(metres, accuracy: accuracy), of: bench.me)
            counts.append(try arrivals())
        }
        return counts
    }

    /// The numbers that the app's notifications have taken so far: a repeating one takes the place of the last.
    private func arrivals() throws -> Int {
        let first = Int64(3)
        return Int(max(0, (try bench.list().first?.head.number ?? first - 1) - first + 1))
    }

    private func hear(_ sightings: [BeaconSighting], after seconds: Int64 = 1) async throws -> [String] {
        bench.time.advance(by: seconds * 1000)
        try await RegionWatch(bench.center).take(PositionReport(.beacons(sightings)), of: bench.me)
        return try bench.titles()
    }

    private func look(after seconds: Int64) async throws -> [String] {
        bench.time.advance(by: seconds * 1000)
        try await RegionWatch(bench.center).look()
        return try bench.titles()
    }

    private func pending() throws -> [String] {
        try bench.center.store.pending(of: bench.chat).map(\.request.content.identifier)
    }

    // MARK: Circles

    @Test func `who comes home is told at the second fix, and the request is gone`() async throws {
        #expect(try await add() == .done)
        #expect(
            try await walk(500, 300, 100, 60, 40, 0, 300, 300, 0, 0).map { $0 > 0 } == [
                false, false, false, false, true, true, true, true, true, true,
            ]
        )
        #expect(try bench.titles() == ["home"])
        #expect(try pending() == [])
        #expect(try bench.center.store.regions(of: bench.me) == [])
    }

    @Test func `the first side that is known fires nothing, whichever it is`() async throws {
        #expect(try await add() == .done)
        #expect(try await walk(0, 0, 0, 0) == [0, 0, 0, 0])
        #expect(try await walk(300, 300).last != 0)
        #expect(try pending() == [])
    }

    @Test func `a repeating one fires at each crossing that counts, and keeps one row`() async throws {
        #expect(try await add(onExit: false, repeats: true) == .done)
        let counts = try await walk(300, 300, 0, 0, 300, 300, 0, 0)
        #expect(counts[2] == 0 && counts[3] > 0 && counts[5] == counts[3] && counts[7] > counts[3])
        #expect(try bench.titles() == ["home"])
        #expect(try pending() == ["home"])
        let delivered = try bench.list().first?.content?.trigger?["type"]?.string
        #expect(delivered == "region")
    }

    @Test func `only the direction that was asked for counts`() async throws {
        #expect(try await add(onEntry: false) == .done)
        #expect(try await walk(300, 300, 0, 0) == [0, 0, 0, 0])
        #expect(try await walk(300, 300).last != 0)
    }

    @Test func `the side of the border outlives the centre`() async throws {
        #expect(try await add() == .done)
        #expect(try await walk(300, 300, 0) == [0, 0, 0])
        let next = Center(bench.center.store, clock: bench.time.clock, logger: Bench.logger)
        try await next.adopt(Bench.registry())
        bench.time.advance(by: 1000)
        try await RegionWatch(next).take(Track.report(0), of: bench.me)
        #expect(try bench.titles() == ["home"])
    }

    @Test func `a request that is added again begins anew`() async throws {
        #expect(try await add() == .done)
        #expect(try await walk(300, 300) == [0, 0])
        #expect(try bench.center.store.regions(of: bench.me).map(\.standing) != [0])
        #expect(try await add() == .done)
        #expect(try bench.center.store.regions(of: bench.me).map(\.standing) == [0])
        #expect(try await walk(0, 0, 0) == [0, 0, 0])
        #expect(try await walk(300, 300).last != 0)
    }

    @Test(arguments: [
        (Track.report(0, accuracy: 1000.5), false), (Track.report(0, time: Bench.now - 60_001), false),
        (Track.report(0, time: Bench.now + 60_001), false), (Track.report(0, accuracy: 60), true),
        (Track.report(0, time: Bench.now - 500), true), (Track.report(0, time: Bench.now + 60_000), true),
    ])
    func `a fix that is too old or too coarse is passed over`(report: PositionReport, isTaken: Bool) async throws {
        #expect(try await add() == .done)
        let watch = RegionWatch(bench.center)
        bench.time.advance(by: -4000)
        for metres in [300.0, 300] {
            bench.time.advance(by: 1000)
            try await watch.take(Track.report(metres), of: bench.me)
        }
        let noted = try bench.center.store.regions(of: bench.me)
        bench.time.advance(by: 2000)
        try await watch.take(report, of: bench.me)
        #expect(try (bench.center.store.regions(of: bench.me) != noted) == isTaken)
    }

    @Test func `one fix that comes twice is one fix, and more than twenty in a second are passed over`() async throws {
        #expect(try await add() == .done)
        #expect(try await walk(300, 300) == [0, 0])
        let watch = RegionWatch(bench.center)
        bench.time.advance(by: 1000)
        let inside = Track.report(0, time: bench.time.clock.wall())
        for pause in [0, 10, 20, 10] as [Int64] {
            bench.time.advance(by: pause)
            try await watch.take(inside, of: bench.me)
            try await watch.take(Track.report(0), of: bench.me)
        }
        #expect(try bench.titles() == [])
        bench.time.advance(by: 10)
        try await watch.take(Track.report(0), of: bench.me)
        #expect(try bench.titles() == ["home"])
    }

    @Test func `a region of one owner is not fired by another's place`() async throws {
        #expect(try await add() == .done)
        try await bench.center.adopt(owner: "ana")
        let ana = try #require(OwnerName("ana"))
        for metres in [300.0, 300, 0, 0] {
            bench.time.advance(by: 1000)
            try await RegionWatch(bench.center).take(Track.report(metres), of: ana)
        }
        #expect(try bench.center.store.regions(of: bench.me).map(\.standing) == [0])
    }

    @Test func `an app has 20 regions, and one that it has already may be another`() async throws {
        for number in 1...20 { #expect(try await add("r\(number)") == .done) }
        #expect(try await add("r21") == .failed(.noDate))
        #expect(try await add("r7") == .done)
        #expect(try pending().count == 20)
        // One with a date is no region, and a region that it replaces makes room.
        #expect(try await add("r7", .interval(seconds: 60, repeats: false)) == .done)
        #expect(try await add("r21") == .done)
        #expect(try await add("r22") == .failed(.noDate))
    }

    @Test func `a region in which no direction counts never fires`() async throws {
        #expect(try await add(onEntry: false, onExit: false) == .failed(.noDate))
        let nothing = RequestTrigger.Crossing(identifier: "shelf", onEntry: false, onExit: false)
        #expect(try await add("shelf", .beacon(.init(uuid: Self.uuid), nothing)) == .failed(.noDate))
    }

    @Test func `nothing of a place is written`() async throws {
        #expect(try await add() == .done)
        _ = try await walk(4_321, 4_321, 50, 50, accuracy: 7.25)
        try await bench.center.close()
        let file = try #require(FileManager.default.contents(atPath: bench.folder + "/center.sqlite"))
        #expect(file.range(of: Data("-3.7".utf8)) != nil)
        for mark in ["7.25", "40.438", "40.4004"] { #expect(file.range(of: Data(mark.utf8)) == nil) }
    }

    // MARK: Beacons

    @Test func `a beacon is entered when it is heard, and left when it is not heard for half a minute`() async throws {
        try await addBeacon(repeats: true)
        // It was not there for half a minute: the first side that is known.
        #expect(try await hear([]) == [])
        #expect(try await hear([], after: 30) == [])
        #expect(try await hear([Self.shelf]) == ["shelf"])
        let entered = try arrivals()
        #expect(try await hear([Self.shelf], after: 29) == ["shelf"])
        #expect(try await look(after: 29) == ["shelf"])
        #expect(try arrivals() == entered)
        #expect(try await look(after: 1) == ["shelf"])
        #expect(try arrivals() > entered)
        #expect(try pending() == ["shelf"])
    }

    @Test func `a beacon that is heard first is no crossing, and another one is none at all`() async throws {
        try await addBeacon()
        let other = BeaconSighting(uuid: Self.uuid, major: 2, minor: 2)
        #expect(try await hear([other]) == [])
        #expect(try await hear([Self.shelf, other]) == [])
        #expect(try await hear([other], after: 29) == [])
        #expect(try await hear([other], after: 1) == ["shelf"])
        #expect(try pending() == [])
    }

    @Test func `who was near a beacon when the centre ended has left it half a minute after the next began`()
        async throws
    {
        try await addBeacon()
        #expect(try await hear([Self.shelf]) == [])
        let next = Center(bench.center.store, clock: bench.time.clock, logger: Bench.logger)
        try await next.adopt(Bench.registry())
        bench.time.advance(by: 3_600_000)
        try await RegionWatch(next).look()
        bench.time.advance(by: 29_999)
        try await RegionWatch(next).look()
        #expect(try bench.titles() == [])
        bench.time.advance(by: 1)
        try await RegionWatch(next).look()
        #expect(try bench.titles() == ["shelf"])
    }

    @Test func `a clock that is set on the wall leaves nobody's beacon`() async throws {
        try await addBeacon()
        #expect(try await hear([Self.shelf]) == [])
        bench.time.setWall(by: 3_600_000)
        #expect(try await look(after: 1) == [])
        #expect(try await look(after: 29) == ["shelf"])
    }
}
