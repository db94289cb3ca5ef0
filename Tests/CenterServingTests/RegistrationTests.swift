// SPDX-License-Identifier: Apache-2.0

import CenterProtocol
import Foundation
import HostRuntime
import Locking
import NotificationApp
import NotificationPayload
import PacketSockets
import TestClock
import Testing
import UserNotifications

@testable import CenterLink
@testable import CenterServing

/// Apps that register for pushes: the host behind the centre gives the tokens.
@Suite(.timeLimit(.minutes(2)))
struct RegistrationTests {
    private let bench: Bench

    init() async throws {
        bench = try Bench()
    }

    /// Serves apps and a host until the body returns; the host waits for what the centre says.
    private func serve(_ body: (RemoteNotifications) async throws -> Void) async throws {
        try await bench.withApps {
            try await bench.withLink { link in
                let listening = Task { while await link.answers() != nil {} }
                let serving = Task { await link.serve() }
                while bench.center.host.isAbsent { try await Task.turn() }
                try await body(RemoteNotifications(bench.app()))
                await link.close()
                serving.cancel()
                await listening.value
                await serving.value
            }
        }
    }

    @Test func `an app gets one token until it withdraws it`() async throws {
        try await serve { app in
            let first = try await app.register()
            #expect(first == Data([0, 1]))
            #expect(try await app.register() == first)
            try await app.unregister()
            #expect(try await app.register() == Data([0, 2]))
            #expect(bench.tokens.withdrawn.withLock(\.self) == [Bench.topic])
        }
    }

    @Test func `another connection of the app hears of a token that is new to it, once, and of its end`() async throws {
        try await serve { app in
            let other = try await RawApp(bench)
            _ = try await other.hello()
            _ = try await app.register()
            _ = try await app.register()
            try await app.unregister()
            for token in ["0001", nil] as [String?] {
                let packet = try await other.receive()
                #expect(packet?.type == .token)
                #expect(packet?.body["token"]?.string == token)
            }
        }
    }

    @Test func `an app in Swift hears of its token, and that another process of it has withdrawn it`() async throws {
        try await serve { app in
            let heard = Locked<[Data?]>([])
            let other = RemoteNotifications(bench.app())
            other.setTokenHandler { token in heard.withLock { $0.append(token) } }
            _ = try await other.register()
            try await app.unregister()
            while heard.withLock(\.count) < 2 { try await Task.turn() }
            #expect(heard.withLock(\.self) == [Data([0, 1]), nil])
        }
    }

    @Test func `an app that the host does not name hears that it has no entitlement`() async throws {
        try await serve { _ in
            let other = RemoteNotifications(bench.app("com.example.other"))
            await #expect(throws: NSError(domain: NSCocoaErrorDomain, code: 3000)) { try await other.register() }
        }
    }

    @Test func `a disk that does not take the token is an error of its own`() async throws {
        try await serve { app in
            bench.tokens.refusal.withLock { $0 = .disk }
            await #expect(throws: NSError(domain: NSPOSIXErrorDomain, code: 28)) { try await app.register() }
            await #expect(throws: NSError(domain: NSPOSIXErrorDomain, code: 28)) { try await app.unregister() }
        }
    }

    @Test func `without a host there is no token, and none when it goes while it is asked`() async throws {
        try await bench.withApps {
            let app = RemoteNotifications(bench.app())
            let none = NSError(domain: NSCocoaErrorDomain, code: 3010)
            await #expect(throws: none) { try await app.register() }
            try await bench.withLink { link in
                while bench.center.host.isAbsent { try await Task.turn() }
                bench.tokens.isHeld.withLock { $0 = true }
                let listening = Task { await link.answers() }
                let serving = Task { await link.serve() }
                let registered = Task { try await app.register() }
                while bench.tokens.waiting.withLock(\.self) == 0 { try await Task.turn() }
                await link.close()
                await #expect(throws: none) { try await registered.value }
                bench.tokens.isHeld.withLock { $0 = false }
                serving.cancel()
                _ = await listening.value
                await serving.value
            }
            #expect(bench.center.host.isAbsent)
        }
    }

    @Test func `a host that is slow with a token holds up no record, and no other call of the app`() async throws {
        try await bench.withApps {
            let center = bench.app()
            try await bench.withLink { link in
                while bench.center.host.isAbsent { try await Task.turn() }
                bench.tokens.isHeld.withLock { $0 = true }
                let serving = Task { await link.serve() }
                let registered = Task { try await RemoteNotifications(center).register() }
                let answers = Task { await link.answers(to: 1) }
                while bench.tokens.waiting.withLock(\.self) == 0 { try await Task.turn() }
                _ = await link.send(Bench.record(1))
                #expect(await answers.value == [.taken(1...1)])
                #expect(await center.deliveredNotifications().count == 1)
                bench.tokens.isHeld.withLock { $0 = false }
                let token = try await registered.value
                #expect(token == Data([0, 1]))
                serving.cancel()
                await serving.value
            }
        }
    }

    @Test func `a host that does not answer within 10 s gives no token`() async throws {
        let clock = ManualClock()
        let host = ConnectedHost()
        let asker = Mute(clock)
        host.enter(asker)
        async let answer = host.ask(LinkAsk(.register, owner: "me", topic: Bench.topic))
        await clock.sleeper(until: .seconds(10))
        clock.advance(by: .seconds(10))
        #expect(await answer == .failed(.noHost))
        // One that another host has taken the place of leaves that one alone.
        let next = Mute(clock)
        host.enter(next)
        host.leave(asker)
        #expect(!host.isAbsent)
    }
}

/// A host that answers nothing.
private final class Mute: HostAsker {
    private let clock: ManualClock

    init(_ clock: ManualClock) { self.clock = clock }

    func ask(_ ask: LinkAsk) async -> CallAnswer? { await Question<CallAnswer> {}.wait(LinkSpeaker.askLimit, clock) }
    func open(_ wish: LinkView, _ files: [PassedFile], as view: ContentView) async -> Bool { false }
    func tell(
        _ id: UInt64,
        _ files: [PassedFile],
        _ event: @escaping @Sendable () -> JSONObject?
    ) async -> Bool { false }
}

/// The device tokens of a host that has no disk.
final class BenchTokens: TokenIssuer {
    let refusal = Locked<TokenRefusal?>(nil)
    let withdrawn = Locked<[String]>([])
    /// Nobody gets an answer while it is set.
    let isHeld = Locked(false)
    /// The number of those who asked.
    let waiting = Locked(0)
    private let tokens = Locked<(known: [String: String], last: Int)>(([:], 0))

    func register(_ topic: String, for owner: String) async throws(TokenRefusal) -> String {
        waiting.withLock { $0 += 1 }
        while isHeld.withLock(\.self), !Task.isCancelled { await Task.yield() }
        if let refusal = refusal.withLock(\.self) { throw refusal }
        return tokens.withLock { tokens in
            if let known = tokens.known[topic] { return known }
            tokens.last += 1
            let made = String(format: "%04x", tokens.last)
            tokens.known[topic] = made
            return made
        }
    }

    func withdraw(_ topic: String, of owner: String) async throws(TokenRefusal) {
        if let refusal = refusal.withLock(\.self) { throw refusal }
        tokens.withLock { $0.known[topic] = nil }
        withdrawn.withLock { $0.append(topic) }
    }
}
