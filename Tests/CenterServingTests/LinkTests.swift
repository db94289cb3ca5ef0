// SPDX-License-Identifier: Apache-2.0

import CenterProtocol
import CenterStore
import Foundation
import HostRuntime
import NotificationPayload
import PacketSockets
import TestClock
import Testing
import UserNotificationCenter

@testable import CenterLink
@testable import CenterServing

/// The two ends of the link together: a host's connection, and the session of a centre.
@Suite(.timeLimit(.minutes(2)))
struct LinkTests {
    @Test func `a record that is taken is in the list, with what the host said of it`() async throws {
        let bench = try Bench()
        try await bench.withLink { link in
            #expect(await link.send(Bench.record(7, aps: ["thread-id": "alice", "badge": 3])))
            #expect(await link.answers(to: 1) == [.taken(7...7)])
            let listed = try bench.list()
            let notification = try #require(listed.first)
            #expect(notification.content?.identifier == "push-7")
            #expect(notification.content?.thread == "alice")
            #expect(notification.head.date == 1_795_230_000_123)
            #expect(notification.head.presentation.flags == [.banner, .list, .lock, .remote])
            #expect(notification.head.presentation.until == Bench.now + 30_000)
            #expect(try bench.center.store.installation(bench.chat)?.badge == 3)
        }
    }

    @Test func `a record that lay with its host for 30 s is a row, and alerts nobody`() async throws {
        let bench = try Bench()
        // The record is of 123 ms after the bench's time.
        for (number, age) in [(1, 30_122), (2, 30_123)] as [(Int64, Int64)] {
            bench.time.advance(by: age + Bench.now - bench.time.clock.wall())
            try await bench.withLink { link in
                #expect(await link.send(Bench.record(number, aps: ["sound": "default", "badge": .integer(number)])))
                #expect(await link.answers(to: 1) == [.taken(number...number)])
            }
            #expect(try bench.center.store.installation(bench.chat)?.badge == Int(number))
        }
        let listed = try bench.list().map(\.head)
        #expect(
            listed.map(\.presentation.flags) == [[.list, .lock, .remote], [.banner, .list, .lock, .sound, .remote]]
        )
        #expect(listed.map(\.presentation.until) == [nil, Bench.now + 30_123])
    }

    @Test func `the time that an extension took does not make a record late`() async throws {
        let bench = try Bench()
        bench.time.advance(by: 31_000)
        try await bench.withLink { link in
            #expect(await link.send(Bench.record(1, handlingMilliseconds: 30_000)))
            #expect(await link.answers(to: 1) == [.taken(1...1)])
        }
        let head = try #require(try bench.list().first?.head)
        #expect(head.presentation.flags == [.banner, .list, .lock, .remote])
        #expect(head.presentation.until == Bench.now + 60_123)
        #expect(head.date == Bench.now + 123)
    }

    @Test func `a centre that is away for long is looked for every two seconds`() async throws {
        let (bench, clock) = (try Bench(), ManualClock())
        let stream = CenterStream(
            name: "center",
            path: bench.folder + "/nobody.sock",
            journal: "00000001",
            registry: Bench.registry(),
            appFiles: [],
            tokens: bench.tokens,
            gates: bench.gates,
            calls: bench.calls,
            files: nil,
            views: NoViews(),
            clock: HostClock(clock),
            logger: Bench.logger
        )
        let search = Task { await stream.connect() == nil }
        var now = Duration.zero
        for pause in [100, 1000, 2000, 2000, 2000] {
            now += .milliseconds(pause)
            await clock.sleeper(until: now)
            clock.advance(by: .milliseconds(pause))
        }
        search.cancel()
        let isGivenUp = await search.value
        #expect(isGivenUp)
    }

    @Test func `records are taken in the order in which they were sent`() async throws {
        let bench = try Bench()
        try await bench.withLink { link in
            for number in 1...200 { #expect(await link.send(Bench.record(Int64(number), title: "\(number)"))) }
            let answers = await link.answers(to: 200)
            let taken = answers.flatMap { answer -> [Int64] in
                if case .taken(let range) = answer { Array(range) } else { [] }
            }
            #expect(taken == Array(1...200))
            let titles = try bench.titles()
            #expect(titles == (1...200).reversed().map(String.init))
        }
    }

    @Test func `a record that comes again on another link is taken again, and is there once`() async throws {
        let bench = try Bench()
        for _ in 0..<2 {
            try await bench.withLink { link in
                #expect(await link.send(Bench.record(7)))
                #expect(await link.answers(to: 1) == [.taken(7...7)])
            }
        }
        #expect(try bench.titles() == ["Alice"])
        // Another journal has numbers of its own.
        try await bench.withLink(journal: "ffffffff") { link in
            #expect(await link.send(Bench.record(7, title: "Bob", identifier: "other")))
            #expect(await link.answers(to: 1) == [.taken(7...7)])
        }
        #expect(try bench.titles() == ["Bob", "Alice"])
    }

    @Test func `what the host will not send again is forgotten`() async throws {
        let bench = try Bench()
        try await bench.withLink { link in
            #expect(await link.send(Bench.record(7)))
            _ = await link.answers(to: 1)
            await link.forget(below: 8)
            // In its order, behind what is to be forgotten.
            #expect(await link.send(Bench.record(8, title: "Bob")))
            _ = await link.answers(to: 1)
        }
        try await bench.withLink { link in
            #expect(await link.send(Bench.record(8, title: "not again")))
            #expect(await link.send(Bench.record(7, title: "a dead letter, sent again", identifier: "letter")))
            _ = await link.answers(to: 2)
        }
        #expect(try bench.titles() == ["a dead letter, sent again", "Bob", "Alice"])
    }

    @Test func `a later record of the same identifier takes the place of the former`() async throws {
        let bench = try Bench()
        try await bench.withLink { link in
            #expect(await link.send(Bench.record(1, title: "old", identifier: "lunch")))
            #expect(await link.send(Bench.record(2, title: "new", identifier: "lunch")))
            _ = await link.answers(to: 2)
        }
        #expect(try bench.titles() == ["new"])
    }

    @Test func `an app that the host did not name is refused, and the others are taken`() async throws {
        let bench = try Bench()
        try await bench.withLink { link in
            #expect(await link.send(Bench.record(1, topic: "com.example.other")))
            #expect(await link.send(Bench.record(2)))
            let answers = await link.answers(to: 2)
            #expect(answers.contains(.unfit(1, reason: "unknownApp")))
            #expect(answers.contains(.taken(2...2)))
        }
    }

    @Test func `a record that cannot be read is refused, and the link goes on`() async throws {
        let bench = try Bench()
        try await bench.withLink { link in
            let broken = Bench.record(1, [1, 2, 3])
            #expect(await link.send(broken))
            #expect(await link.answers(to: 1) == [.unfit(1, reason: "badRecord")])
            #expect(await link.send(Bench.record(2)))
            #expect(await link.answers(to: 1) == [.taken(2...2)])
        }
    }

    @Test func `files of a host that keeps none are named as refused`() async throws {
        let bench = try Bench()
        try await bench.withLink { link in
            var object = try JSONObject(parsing: Bench.record(1).record.span)
            object["attachments"] = [["identifier": "photo", "path": "/nowhere", "type": "public.jpeg", "size": 5]]
            let record = Bench.record(1, object.serialized)
            #expect(await link.send(record))
            #expect(await link.answers(to: 1) == [.taken(1...1)])
        }
        let content = try bench.list().first?.content
        let files = try #require(content).attachments
        #expect(files == [ContentAttachment(identifier: "photo", .refused(reason: "notFound"))])
    }

    @Test func `an app that nobody has allowed shows nothing, until its owner allows it`() async throws {
        let bench = try Bench()
        try await bench.withLink(Bench.registry(.ask)) { link in
            #expect(await link.send(Bench.record(1, title: "before")))
            #expect(await link.answers(to: 1) == [.taken(1...1)])
            let decided = try await bench.center.decide(.allow(true), bench.chat)
            guard case .decided(let permission) = decided else {
                Issue.record("the decision has no effect: \(decided)")
                return
            }
            #expect(permission.status == .authorized)
            #expect(await link.send(Bench.record(2, title: "after")))
            #expect(await link.answers(to: 1) == [.taken(2...2)])
        }
        #expect(try bench.titles() == ["after"])
    }

    @Test func `a permission outlives the centre`() async throws {
        let bench = try Bench()
        try await bench.withLink(Bench.registry(.ask)) { link in
            #expect(await link.send(Bench.record(1)))
            _ = await link.answers(to: 1)
            _ = try await bench.center.decide(.allow(true), bench.chat)
        }
        let next = Center(bench.center.store, clock: bench.time.clock, logger: Bench.logger)
        // No host has said anything of the app yet.
        let decided = try await next.decide(.allow(true), bench.chat)
        guard case .decided(let permission) = decided else {
            Issue.record("the app is forgotten: \(decided)")
            return
        }
        #expect(permission.status == .authorized)
    }

    @Test func `what nobody has decided is allowed once the operator grants it`() async throws {
        let bench = try Bench()
        try await bench.withLink(Bench.registry(.ask)) { link in
            #expect(await link.send(Bench.record(1, title: "before")))
            _ = await link.answers(to: 1)
        }
        try await bench.withLink(Bench.registry(.granted)) { link in
            #expect(await link.send(Bench.record(2, title: "after")))
            _ = await link.answers(to: 1)
        }
        #expect(try bench.titles() == ["after"])
        // What an owner has decided stays.
        _ = try await bench.center.decide(.allow(false), bench.chat)
        try await bench.withLink(Bench.registry(.granted)) { link in
            #expect(await link.send(Bench.record(3, title: "denied")))
            _ = await link.answers(to: 1)
        }
        #expect(try bench.titles() == ["after"])
    }

    @Test(arguments: [[0x7F], [0x20, 1], Array("GET / HTTP/1.1\r\n".utf8)] as [[UInt8]])
    func `whoever breaks the rules is ended`(bytes: [UInt8]) async throws {
        let bench = try Bench()
        let (host, other) = try PacketSocket.pair()
        async let session: Void = LinkSession(bench.center, other, clock: ContinuousClock()).run()
        #expect(host.send(bytes))
        await session
        #expect(!host.isConnected)
    }

    @Test func `a host that connects takes the place of the one before, which is ended`() async throws {
        let bench = try Bench()
        let path = bench.folder + "/link.sock"
        let server = LinkServer(bench.center, listener: try PacketListener(path: path))
        async let serving: Void = server.run(ContinuousClock())
        let first = bench.connection(try PacketSocket(connectingTo: path))
        try await first.greet(LinkHello(journal: "0a1b2c3d", floor: 0))
        try await first.introduce(Bench.registry(), [])
        let second = bench.connection(try PacketSocket(connectingTo: path))
        try await second.greet(LinkHello(journal: "0a1b2c3d", floor: 0))
        try await second.introduce(Bench.registry(), [])
        #expect(await first.answers() == nil)
        #expect(await second.send(Bench.record(1)))
        #expect(await second.answers(to: 1) == [.taken(1...1)])
        server.stop()
        await serving
        #expect(await second.answers() == nil)
    }

    @Test func `two centres cannot have one socket, and one that was left behind is replaced`() throws {
        let bench = try Bench()
        let path = bench.folder + "/link.sock"
        let listener = try PacketListener(path: path)
        #expect(throws: SocketFailure(EADDRINUSE)) { _ = try PacketListener(path: path) }
        withExtendedLifetime(listener) {}
        let file = bench.folder + "/file"
        try Data("kept".utf8).write(to: URL(fileURLWithPath: file))
        #expect(throws: SocketFailure(EADDRINUSE)) { _ = try PacketListener(path: file) }
        #expect(FileManager.default.contents(atPath: file) == Data("kept".utf8))
    }

    @Test func `a listener that was shut down takes the next one's socket from nobody`() throws {
        let bench = try Bench()
        let path = bench.folder + "/link.sock"
        var former: PacketListener? = try PacketListener(path: path)
        former?.shutDown()
        let listener = try PacketListener(path: path)
        // A thread that waited for connections may hold it until now.
        former = nil
        _ = try PacketSocket(connectingTo: path)
        withExtendedLifetime(listener) {}
    }
}
