// SPDX-License-Identifier: Apache-2.0

import CenterStore
import Foundation
import HostRuntime
import NIOHTTP1
import NotificationPayload
import TestClock
import Testing

@testable import CenterLink
@testable import CenterServing

/// The events that a watcher reads: live, and after an absence.
@Suite(.timeLimit(.minutes(2)))
struct EventTests {
    /// Collects what a stream writes, and ends it after so many events.
    private func events(_ bench: Bench, after number: Int64, count: Int) async -> [String] {
        let names = AsyncStream<String>.makeStream()
        let stream = EventStream(center: bench.center, owner: bench.me, hiding: nil, clock: ContinuousClock())
        let task = Task {
            try await stream.run(after: number) { text in
                for event in text.split(separator: "\n\n") { names.continuation.yield(String(event)) }
            }
            names.continuation.finish()
        }
        var found: [String] = []
        for await event in names.stream {
            found.append(event)
            if found.count == count { break }
        }
        task.cancel()
        _ = try? await task.value
        return found
    }

    @Test func `a watcher hears of what is committed while it waits`() async throws {
        let bench = try Bench()
        let owner = try bench.center.store.owner(bench.me)
        let position = try #require(owner).position
        async let heard = events(bench, after: position, count: 2)
        while bench.center.watcherCount == 0 { try await Task.turn() }
        try await bench.withLink { link in
            #expect(await link.send(Bench.record(1)))
            _ = await link.answers(to: 1)
        }
        let events = await heard
        #expect(events.contains { $0.contains("event: app\n") })
        let delivered = try #require(events.first { $0.contains("event: delivered\n") })
        #expect(delivered.contains(#""app":"com.example.chat""#))
        #expect(bench.center.watcherCount == 0)
    }

    @Test func `many who watch hear the same, and of what was removed nobody hears any more`() async throws {
        let bench = try Bench()
        // The app is known, so that nothing but the notification changes.
        try await bench.deliver([Bench.record(1)])
        let owner = try bench.center.store.owner(bench.me)
        let position = try #require(owner).position
        let count = 20
        try await withThrowingTaskGroup(of: [String].self) { group in
            for _ in 0..<count { group.addTask { await events(bench, after: position, count: 1) } }
            while bench.center.watcherCount < count { try await Task.turn() }
            try await bench.deliver([Bench.record(2, title: "canary")])
            var heard: Set<[String]> = []
            for try await events in group { heard.insert(events) }
            #expect(heard.count == 1)
            #expect(heard.first?.first?.contains("canary") == true)
        }
        _ = try await bench.center.perform([.removeAll(bench.chat, upTo: nil, by: .app)])
        let later = await events(bench, after: position, count: 1)
        #expect(later.first?.contains("event: removed") == true)
        #expect(!later.contains { $0.contains("canary") })
    }

    @Test func `one that comes back gets the last state of each thing, once`() async throws {
        let bench = try Bench()
        let owner = try bench.center.store.owner(bench.me)
        let position = try #require(owner).position
        try await bench.withLink { link in
            for number in 1...3 { #expect(await link.send(Bench.record(Int64(number), identifier: "same"))) }
            _ = await link.answers(to: 3)
        }
        let events = await events(bench, after: position, count: 2)
        #expect(events.count { $0.contains("event: delivered\n") } == 1)
        #expect(events.count { $0.contains("event: app\n") } == 1)
    }

    /// A centre with a history of two notifications, and its owner's position.
    private func benchWithHistory() async throws -> (Bench, position: Int64) {
        let bench = try Bench()
        try await bench.deliver([Bench.record(1), Bench.record(2)])
        for item in try bench.list() { _ = try await bench.ask(.DELETE, "/v1/notifications/\(item.head.number)") }
        return (bench, try #require(try bench.center.store.owner(bench.me)).position)
    }

    @Test func `a watcher hears once of deletions from the history, however many`() async throws {
        let (bench, position) = try await benchWithHistory()
        async let heard = events(bench, after: position, count: 1)
        while bench.center.watcherCount == 0 { try await Task.turn() }
        #expect(try await bench.ask(.DELETE, "/v1/history").status == 204)
        #expect(await heard == ["event: history\ndata: {}"])
    }

    @Test func `a watcher hears that the history has aged out`() async throws {
        let (bench, position) = try await benchWithHistory()
        async let heard = events(bench, after: position, count: 1)
        while bench.center.watcherCount == 0 { try await Task.turn() }
        bench.time.advance(by: 24 * 3_600_000 + 1)
        let clock = ManualClock()
        let maintenance = Task { await bench.center.maintain(clock) }
        #expect(await heard == ["event: history\ndata: {}"])
        maintenance.cancel()
        await maintenance.value
        #expect(try bench.center.store.history(of: bench.me, limit: 9).isEmpty)
    }

    @Test func `who hears nothing is written a comment at the fifth beat, and hears events before`() async throws {
        let bench = try Bench()
        try await bench.deliver([Bench.record(1)])
        let position = try #require(try bench.center.store.owner(bench.me)).position
        let clock = ManualClock()
        let beats = Task { await bench.center.breakSilence(clock) }
        let (texts, continuation) = AsyncStream<String>.makeStream()
        let stream = EventStream(center: bench.center, owner: bench.me, hiding: nil, clock: clock)
        let watcher = Task { try await stream.run(after: position) { continuation.yield($0) } }
        while bench.center.watcherCount == 0 { try await Task.turn() }
        var heard = texts.makeAsyncIterator()
        var offset = Duration.seconds(5)
        func beat(_ count: Int) async {
            for _ in 0..<count {
                await clock.sleeper(until: offset)
                clock.advance(to: offset)
                offset += .seconds(5)
            }
            await clock.sleeper(until: offset)
        }
        await beat(4)
        try await bench.deliver([Bench.record(2)])
        #expect(await heard.next()?.contains("event: delivered\n") == true)
        // What was written begins the silence anew, with a number or without one.
        await beat(4)
        bench.center.announcements.tell(bench.me, "missed", ["count": 1])
        #expect(await heard.next()?.hasPrefix("event: missed\n") == true)
        await beat(4)
        try await bench.deliver([Bench.record(3)])
        #expect(await heard.next()?.contains("event: delivered\n") == true)
        await beat(5)
        #expect(await heard.next() == EventView.comment)
        await beat(5)
        #expect(await heard.next() == EventView.comment)
        watcher.cancel()
        beats.cancel()
        _ = try? await watcher.value
        await beats.value
    }

    @Test func `a number that was never given is answered with a reset, and the stream ends`() async throws {
        let bench = try Bench()
        #expect(await events(bench, after: 1_000_000, count: 2) == ["event: reset\ndata: {}"])
    }
}
