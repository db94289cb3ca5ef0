// SPDX-License-Identifier: Apache-2.0

import CenterProtocol
import Glibc
import HostRuntime
import Locking
import NotificationPayload
import Testing

@testable import CenterLink

/// The host's end of the link under a centre's words on views, without a socket.
@Suite(.timeLimit(.minutes(1)))
struct LinkViewTests {
    /// The messages that go to the centre; nothing is out before the test says so.
    private final class Said: Sendable {
        private let messages = Locked<[HostLinkMessage]>([])
        private let waiting = Locked<[@Sendable () -> Void]>([])

        func say(_ message: HostLinkMessage, _ files: [HeldFile], _ sent: @escaping @Sendable () -> Void) {
            #expect(files.count == message.descriptorCount)
            messages.withLock { $0.append(message) }
            waiting.withLock { $0.append(sent) }
        }

        var all: [HostLinkMessage] { messages.withLock { $0 } }
    }

    private static let view = LinkView(owner: "me", topic: "com.example.chat", notification: [:], environment: [:])

    private let host = RecordingViews()
    private let said = Said()

    private func withViews(_ body: (LinkViews) async -> Void) async {
        let views = LinkViews(host) { [said] in said.say($0, $1, $2) }
        await withTaskGroup(of: Void.self) { group in
            group.addTask { await views.serve() }
            defer { group.cancelAll() }
            await body(views)
        }
    }

    @Test func `a view of an app that the centre was not told of is not opened`() async {
        await withViews { views in
            views.open(1, Self.view, [], isOffered: false)
            #expect(said.all == [.viewEnded(id: 1, .notStarted)])
        }
    }

    @Test func `an end is told once, and what comes behind it is nothing`() async {
        await withViews { views in
            views.open(1, Self.view, [], isOffered: true)
            let opened = await host.next()
            opened.report(.scene([["ack": 1]]))
            opened.report(.ended(.idle))
            opened.report(.ended(.crashed))
            opened.report(.scene([["ack": 2]]))
            views.pass(["seq": 1], [], to: 1)
            #expect(said.all == [.viewScene(id: 1, ["ack": 1]), .viewEnded(id: 1, .idle)])
        }
    }

    @Test func `a centre that reads slowly has a view closed, at a bound of bytes`() async {
        await withViews { views in
            views.open(1, Self.view, [], isOffered: true)
            let opened = await host.next()
            views.pass(["seq": 1], [], to: 1)
            #expect(await host.nextEvent() == ["seq": 1])
            let piece: JSONObject = ["title": .string(String(repeating: "a", count: 100_000))]
            for _ in 1...20 { opened.report(.scene([piece])) }
            #expect(await host.nextEnd() == opened.number)
            #expect(said.all.count == 10)
            opened.report(.ended(.closed))
            #expect(said.all.last == .viewEnded(id: 1, .closed))
        }
    }

    @Test func `a picture goes out with its file, and pictures that nobody reads have a bound`() async throws {
        let type = try #require(AttachmentType(identifier: "public.png"))
        await withViews { views in
            views.open(1, Self.view, [], isOffered: true)
            let opened = await host.next()
            let file = HeldFile(open("/dev/null", O_RDONLY | O_CLOEXEC))
            for number in 1...40 { opened.report(.picture(LinkViewFile(number: UInt32(number), type: type), file)) }
            #expect(said.all.first == .viewFile(id: 1, LinkViewFile(number: 1, type: type)))
            #expect(said.all.count == 32)
            #expect(await host.nextEnd() == opened.number)
        }
    }

    @Test func `a flood of events closes its view, and another opens all the same`() async {
        let views = LinkViews(host) { [said] in said.say($0, $1, $2) }
        views.open(1, Self.view, [], isOffered: true)
        for number in 1...2000 { views.pass(["seq": .integer(Int64(number))], [], to: 1) }
        views.open(2, Self.view, [], isOffered: true)
        await withTaskGroup(of: Void.self) { group in
            group.addTask { await views.serve() }
            defer { group.cancelAll() }
            let first = await host.next()
            #expect(await host.nextEnd() == first.number)
            #expect(await host.next().number == first.number + 1)
        }
    }

    @Test func `when the link ends its views are closed, those that open then as well`() async {
        await withViews { views in
            views.open(1, Self.view, [], isOffered: true)
            let first = await host.next()
            views.pass(["seq": 1], [], to: 1)
            _ = await host.nextEvent()
            await views.end()
            #expect(await host.nextEnd() == first.number)
            views.open(2, Self.view, [], isOffered: true)
            let second = await host.next()
            #expect(await host.nextEnd() == second.number)
        }
    }
}
