// SPDX-License-Identifier: Apache-2.0

import CenterProtocol
import CenterStore
import Locking
import NotificationPayload
import TestClock
import Testing
import UserNotificationCenter

@testable import CenterServing

/// The fixes of a gpsd over a real connection, from a track that it plays, and from one that is no gpsd.
@Suite(.timeLimit(.minutes(2)))
struct GpsdTests {
    private let bench: Bench
    private let gpsd: FakeGpsd
    private let clock = ManualClock()

    init() async throws {
        bench = try Bench()
        gpsd = try FakeGpsd()
        try await bench.center.adopt(Bench.registry())
    }

    private var source: GpsdSource {
        GpsdSource(gpsd.address, owner: bench.me, clock: clock, logger: Bench.logger)
    }

    /// Reads what the pieces tell, one connection after another, each begun by `advance`; ends with so many reports.
    private func reports(of pieces: [[UInt8]], count: Int, pauses: [Duration] = []) async -> [PositionReport] {
        let (stream, continuation) = AsyncStream<PositionReport>.makeStream()
        return await withTaskGroup(of: Void.self) { group in
            group.addTask { [source] in await source.run { continuation.yield($0) } }
            group.addTask { [gpsd] in
                let asked = await gpsd.serve(pieces)
                #expect(asked == Array(repeating: GpsdLine.watch, count: pieces.count))
            }
            group.addTask { [clock] in
                for pause in pauses {
                    await clock.sleeper(until: pause)
                    clock.advance(to: pause)
                }
            }
            var found: [PositionReport] = []
            for await report in stream {
                found.append(report)
                if found.count == count { break }
            }
            group.cancelAll()
            return found
        }
    }

    private static func fix(_ latitude: Int) -> String {
        #"{"class":"TPV","mode":2,"lat":\#(latitude),"lon":2,"eph":3}"# + "\r\n"
    }

    private static func report(_ latitude: Double) throws -> PositionReport {
        PositionReport(.fix(PositionFix(try #require(Place(latitude: latitude, longitude: 2)), accuracy: 3)))
    }

    @Test func `who enters and leaves on a recorded track is told once of each`() async throws {
        let desk = CallDesk(bench.center)
        let key = try bench.chat
        for (name, onEntry) in [("enter", true), ("leave", false)] {
            let crossing = RequestTrigger.Crossing(
                identifier: "home",
                onEntry: onEntry,
                onExit: !onEntry,
                repeats: true
            )
            let request = NotificationRequest(
                identifier: name,
                payload: .init(["aps": ["alert": ["title": .string(name)]]]),
                trigger: .region(Track.home, crossing)
            )
            #expect(await desk.answer(.add(request), of: key) == .done)
        }
        let watch = RegionWatch(bench.center)
        let arrivals = Locked<[String: [Double]]>([:])
        let seconds = Locked(0)
        await withTaskGroup(of: Void.self) { group in
            group.addTask { [gpsd] in _ = await gpsd.serve([Track.lines(from: Bench.now)]) }
            group.addTask { [source, bench] in
                await source.run { report in
                    let before = (try? bench.titles()) ?? []
                    try? await watch.take(report, of: bench.me)
                    let second = seconds.withLock { second in
                        defer { second += 1 }
                        return second
                    }
                    for title in (try? bench.titles()) ?? [] where !before.contains(title) {
                        arrivals.withLock { $0[title, default: []].append(Track.metres[second]) }
                    }
                    bench.time.advance(by: 1000)
                }
            }
            // The track has been told when gpsd is away.
            await clock.sleeper(until: .seconds(1))
            group.cancelAll()
        }
        #expect(seconds.withLock(\.self) == Track.metres.count)
        // The second fix in a row that is 20 m beyond the border of 100 m.
        #expect(arrivals.withLock(\.self) == ["enter": [-50], "leave": [150]])
        // One number for each of them: neither came twice.
        #expect(try bench.list().count == 2)
    }

    @Test func `a gpsd that ends is called again, after twice as long each time, and anew once it was heard`()
        async throws
    {
        let good = Array(Self.fix(1).utf8)
        let pieces = [[], [], [], good, [], Array(Self.fix(2).utf8)]
        let pauses: [Duration] = [1, 3, 7, 8, 10].map { .seconds($0) }
        let found = await reports(of: pieces, count: 2, pauses: pauses)
        #expect(found == [try Self.report(1), try Self.report(2)])
    }

    @Test(arguments: [
        "GET / HTTP/1.1\r\n", "{}\n", "[]\n", "{\"class\":\"TPV\",\"mode\":3,\"lat\":1,\"lon\":2,\"eph\":\"x\"}\n",
        String(repeating: "x", count: GpsdLine.byteLimit + 1),
        "{\"class\":\"TPV\",\"mode\":3,\"lat\":99,\"lon\":2,\"eph\":1}\n", "\n", "\0\n",
    ])
    func `what is no line of gpsd ends the connection and nothing else`(text: String) async throws {
        // The connection stays open on the other side: it is ours that ends.
        let hostile = Array((Self.fix(1) + text + Self.fix(9)).utf8)
        let found = await reports(of: [hostile, Array(Self.fix(2).utf8)], count: 2, pauses: [.seconds(1)])
        #expect(found == [try Self.report(1), try Self.report(2)])
    }

    @Test func `a line as long as gpsd's may be is read, and one that is cut is not`() async throws {
        let filler = String(repeating: " ", count: GpsdLine.byteLimit - Self.fix(1).utf8.count + 1)
        let long = filler + Self.fix(1)
        let found = await reports(of: [Array((long + Self.fix(2) + Self.fix(3).dropLast(9)).utf8)], count: 2)
        #expect(found == [try Self.report(1), try Self.report(2)])
    }

    @Test func `one that nobody answers is called again`() async throws {
        let (stream, continuation) = AsyncStream<PositionReport>.makeStream()
        let address = gpsd.address
        let silent = try FakeGpsd(listens: false)
        let away = GpsdSource(
            silent.address,
            owner: bench.me,
            clock: clock,
            logger: Bench.logger
        )
        await withTaskGroup(of: Void.self) { group in
            group.addTask { await away.run { continuation.yield($0) } }
            for pause in [1, 3, 7, 15, 31, 63, 123, 183] {
                await clock.sleeper(until: .seconds(pause))
                clock.advance(to: .seconds(pause))
            }
            group.cancelAll()
        }
        continuation.finish()
        for await report in stream { Issue.record("\(report) of \(address)") }
        withExtendedLifetime(silent) {}
    }

    @Test(
        arguments: [
            ("127.0.0.1:2947", "127.0.0.1:2947"), ("localhost:1", "127.0.0.1:1"), ("[::1]:65535", "[::1]:65535"),
            ("127.9.9.9:2947", "127.9.9.9:2947"), ("127.0.0.1", nil), ("127.0.0.1:", nil), ("127.0.0.1:0", nil),
            ("127.0.0.1:65536", nil), ("127.0.0.1:+1", nil), ("127.0.0.1: 1", nil), ("192.168.1.1:2947", nil),
            ("0.0.0.0:2947", nil), ("127.evil.example:2947", nil), ("gpsd.example:2947", nil), ("[::]:2947", nil),
            ("[::ffff:127.0.0.1]:2947", nil), ("::1:2947", nil), ("[127.0.0.1]:2947", nil), (":2947", nil), ("", nil),
            ("127.1:2947", nil), ("LOCALHOST:1", nil),
        ] as [(String, String?)]
    )
    func `an address is one of this machine's own`(text: String, address: String?) {
        #expect(GpsdAddress(text)?.description == address)
    }
}
