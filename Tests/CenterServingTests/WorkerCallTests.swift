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
    private func call(_ call: CenterCall, of app: String = Bench.topic) async -> CallAnswer {
        await withCheckedContinuation { answered in
            bench.calls.call(call, of: app) { answered.resume(returning: $0) }
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
            async let open = call(.settings)
            // In its turn behind the call.
            #expect(await link.send(Bench.record(1)))
            await link.close()
            #expect(await open == .failed(.notAllowed))
        }
    }

    @Test func `a call without an answer fails after five seconds, and a late answer is without effect`() async throws {
        try await bench.withLink { link in
            let serving = Task { await link.serve() }
            async let first = call(.settings)
            await bench.callClock.sleeper(until: .seconds(5))
            bench.callClock.advance(by: .seconds(5))
            #expect(await first == .failed(.notAllowed))
            // The answer that has come meanwhile is heard now, and the next call has its own.
            let hearing = Task { while await link.answers() != nil {} }
            guard case .settings = await call(.settings) else { throw Unanswered() }
            await link.close()
            serving.cancel()
            await hearing.value
            await serving.value
        }
    }

    @Test func `an app that calls without end leaves room for others`() async throws {
        try await bench.withLink { link in
            let failed = Locked(0)
            let done = Locked(0)
            for _ in 0..<130 {
                bench.calls.call(.settings, of: Bench.topic) { answer in
                    if answer == .failed(.notAllowed) { failed.withLock { $0 += 1 } } else { done.withLock { $0 += 1 } }
                }
            }
            #expect(failed.withLock(\.self) == 2)
            let hearing = Task { while await link.answers() != nil {} }
            while done.withLock(\.self) < 128 { await Task.yield() }
            // There is room again.
            guard case .settings = await call(.settings) else { throw Unanswered() }
            await link.close()
            await hearing.value
        }
    }
}

/// A call whose answer is another one than it should be.
private struct Unanswered: Error {}
