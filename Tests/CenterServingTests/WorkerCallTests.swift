// SPDX-License-Identifier: Apache-2.0

import CenterProtocol
import CenterStore
import Foundation
import HostRuntime
import Locking
import NotificationPayload
import TestClock
import Testing
import UserNotificationCenter

@testable import CenterLink
@testable import CenterServing

/// Calls of workers over the link.
@Suite(.timeLimit(.minutes(2)))
struct WorkerCallTests {
    private let bench: Bench

    init() throws {
        bench = try Bench()
    }

    /// Makes a call while somebody hears the link.
    private func call(
        _ call: CenterCall,
        _ files: [HeldFile] = [],
        of app: String = Bench.topic
    ) async -> CallAnswer {
        await withCheckedContinuation { answered in
            bench.calls.call(call, files, of: OwnedApp(topic: app)) { answered.resume(returning: $0) }
        }
    }

    /// Runs the body while the host hears what the centre says, and gives up what takes too long.
    private func withHeardLink(
        _ registry: LinkRegistry = Bench.registry(),
        _ body: (CenterConnection) async throws -> Void
    ) async throws {
        try await bench.withLink(registry) { link in
            let hearing = Task { while await link.answers() != nil {} }
            let serving = Task { await link.serve() }
            try await body(link)
            await link.close()
            serving.cancel()
            await hearing.value
            await serving.value
        }
    }

    @Test func `an extension lists, removes and adds what the app would`() async throws {
        try await withHeardLink { link in
            for number in 1...3 { #expect(await link.send(Bench.record(Int64(number), title: "\(number)"))) }
            // Behind the records: they are there for it.
            guard case .delivered(let found, hasMore: false) = await call(.delivered(before: nil)) else {
                throw Unanswered()
            }
            #expect(found.map(\.request.identifier) == ["push-3", "push-2", "push-1"])
            #expect(await call(.removeDelivered(.named(["push-2"]))) == .done)
            let request = NotificationRequest(
                identifier: "own",
                payload: Payload(["aps": ["alert": ["title": "own"]]]),
                trigger: nil
            )
            #expect(await call(.add(request)) == .done)
            #expect(await call(.badge(7)) == .done)
            #expect(try bench.titles() == ["own", "3", "1"])
            #expect(try bench.center.store.installation(bench.chat)?.badge == 7)
        }
    }

    @Test func `the file of an extension's request is kept, and closed once it is`() async throws {
        try await withHeardLink { _ in
            let path = bench.folder + "/picture.png"
            let bytes = [0x89] + Array("PNG\r\n\u{1A}\n".utf8) + [UInt8](repeating: 0, count: 92)
            try Data(bytes).write(to: URL(fileURLWithPath: path))
            let isClosed = Locked(false)
            func file() -> HeldFile {
                HeldFile(open(path, O_RDONLY | O_CLOEXEC)) { isClosed.withLock { $0 = true } }
            }
            let request = NotificationRequest(
                identifier: "own",
                payload: Payload(["aps": ["alert": "own"]]),
                attachments: [RequestAttachment(identifier: "photo", type: "public.png", source: .descriptor(0))]
            )
            #expect(await call(.add(request), [file()]) == .done)
            guard case .delivered(let found, hasMore: false) = await call(.delivered(before: nil)) else {
                throw Unanswered()
            }
            #expect(found.first?.request.files.map(\.byteCount) == [100])
            while !isClosed.withLock(\.self) { try await Task.turn() }
        }
    }

    @Test func `an extension adds a request that waits for a place`() async throws {
        try await withHeardLink { _ in
            let trigger = RequestTrigger.region(Track.home, .init(identifier: "home"))
            let payload = Payload(["aps": ["alert": ["title": "Milk"]]])
            let request = NotificationRequest(identifier: "milk", payload: payload, trigger: trigger)
            #expect(await call(.add(request)) == .done)
            guard case .pending(let found, hasMore: false) = await call(.pending(after: nil)) else {
                throw Unanswered()
            }
            #expect(found.map(\.request.trigger) == [trigger])
            for metres in [0.0, 0, 300, 300] {
                bench.time.advance(by: 1000)
                try await RegionWatch(bench.center).take(Track.report(metres), of: bench.me)
            }
            #expect(try bench.titles() == ["Milk"])
        }
    }

    @Test func `an extension that asks for permission hears what was decided, and nobody is asked`() async throws {
        try await withHeardLink(Bench.registry(.ask)) { _ in
            #expect(await call(.authorize([.alert])) == .granted(false))
            #expect(try bench.center.permission(of: bench.chat).question == nil)
            #expect(await call(.badge(1)) == .failed(.notAllowed))
            _ = try await bench.center.decide(.allow(true), bench.chat)
            #expect(await call(.authorize([.alert])) == .granted(true))
        }
    }

    @Test func `an app that no centre has, and a centre that is away, have calls fail at once`() async throws {
        #expect(await call(.settings) == .failed(.notAllowed))
        try await withHeardLink { link in
            #expect(await call(.settings, of: "com.example.other") == .failed(.notAllowed))
            await link.close()
            #expect(await call(.settings) == .failed(.notAllowed))
        }
        #expect(await call(.settings) == .failed(.notAllowed))
    }

    @Test func `a link that ends has every open call fail`() async throws {
        try await bench.withLink { link in
            // Nobody hears the answer.
            let open = Locked<CallAnswer?>(nil)
            bench.calls.call(.settings, of: OwnedApp(topic: Bench.topic)) { answer in open.withLock { $0 = answer } }
            // In its turn behind the call.
            #expect(await link.send(Bench.record(1)))
            await link.close()
            #expect(open.withLock(\.self) == .failed(.unanswered))
        }
    }

    @Test func `a call without an answer fails after five seconds, and a late answer is without effect`() async throws {
        try await bench.withLink { link in
            let serving = Task { await link.serve() }
            let first = Locked<CallAnswer?>(nil)
            bench.calls.call(.settings, of: OwnedApp(topic: Bench.topic)) { answer in first.withLock { $0 = answer } }
            await bench.callClock.sleeper(until: .seconds(5))
            // In its turn behind the call, which has been sent then.
            #expect(await link.send(Bench.record(1)))
            bench.callClock.advance(by: .seconds(5))
            while first.withLock(\.self) == nil { try await Task.turn() }
            #expect(first.withLock(\.self) == .failed(.unanswered))
            // The answer that has come meanwhile is heard now, and the next call has its own.
            let hearing = Task { while await link.answers() != nil {} }
            guard case .settings = await call(.settings) else { throw Unanswered() }
            await link.close()
            serving.cancel()
            await hearing.value
            await serving.value
        }
    }

    @Test func `an app that calls without end leaves room for others, also of calls that were given up`() async throws {
        try await bench.withLink { link in
            let serving = Task { await link.serve() }
            let failures = Locked<[CallFailure]>([])
            let done = Locked(0)
            func flood() {
                for _ in 0..<70 {
                    bench.calls.call(.settings, of: OwnedApp(topic: Bench.topic)) { answer in
                        if case .failed(let failure) = answer { return failures.withLock { $0.append(failure) } }
                        done.withLock { $0 += 1 }
                    }
                }
            }
            flood()
            #expect(failures.withLock(\.self) == Array(repeating: .notAllowed, count: 6))
            // Nobody hears the answers: the sixty-four that were sent are given up one after the other.
            await bench.callClock.sleeper(until: .seconds(5))
            #expect(await link.send(Bench.record(1)))
            bench.callClock.advance(by: .seconds(5))
            while failures.withLock(\.count) < 70 { try await Task.turn() }
            #expect(failures.withLock { $0.suffix(64) } == Array(repeating: .unanswered, count: 64))
            // They have their places until the centre answers.
            flood()
            #expect(failures.withLock(\.count) == 140)
            let hearing = Task { while await link.answers() != nil {} }
            while bench.calls.openCount(of: Bench.topic) > 0 { try await Task.turn() }
            guard case .settings = await call(.settings) else { throw Unanswered() }
            #expect(done.withLock(\.self) == 0)
            await link.close()
            serving.cancel()
            await hearing.value
            await serving.value
        }
    }

    @Test func `a call that was not sent in five seconds fails, and is not sent later`() async throws {
        let clock = ManualClock()
        let calls = OpenCalls(clock: HostClock(clock))
        let expiring = Task { await calls.expire { _ in Issue.record("it has no id") } }
        let answers = Locked<[CallAnswer]>([])
        let freed = Locked(0)
        // The writer is held up behind a centre that takes nothing.
        let begun = calls.begin { answer in
            answers.withLock { $0.append(answer) }
        } freed: {
            freed.withLock { $0 += 1 }
        }
        let key = try #require(begun)
        await clock.sleeper(until: .seconds(5))
        #expect(calls.isWanted(key) && answers.withLock(\.isEmpty))
        clock.advance(by: .seconds(5))
        while answers.withLock(\.isEmpty) { try await Task.turn() }
        #expect(answers.withLock(\.self) == [.failed(.notAllowed)] && freed.withLock(\.self) == 0)
        // Its turn comes, too late.
        #expect(!calls.isWanted(key))
        #expect(freed.withLock(\.self) == 1)
        expiring.cancel()
        await expiring.value
    }
}

/// A call whose answer is another one than it should be.
private struct Unanswered: Error {}
