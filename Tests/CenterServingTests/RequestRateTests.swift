// SPDX-License-Identifier: Apache-2.0

import CenterProtocol
import CenterStore
import Foundation
import NIOHTTP1
import TestClock
import Testing

@testable import CenterServing

/// The rate of requests at a port.
struct RequestRateTests {
    private static func credential(_ number: Int, of owner: String) throws -> Credential {
        Credential(
            .token,
            hash: [UInt8(number >> 8), UInt8(number & 0xFF)],
            owner: try #require(OwnerName(owner)),
            grant: "",
            made: 0
        )
    }

    /// The pauses of requests that come at one instant.
    private static func pauses(
        _ rates: inout RequestRates,
        _ credential: Credential,
        _ count: Int,
        at now: Duration = .zero
    ) -> [Duration?] {
        (0..<count).map { _ in rates.take(credential, at: now) }
    }

    @Test func `500 of a credential come at once, more wait, and what would wait for over 2 s is refused`() throws {
        var rates = RequestRates()
        let token = try Self.credential(1, of: "me")
        let atOnce = Self.pauses(&rates, token, 500)
        #expect(atOnce.allSatisfy { $0 == .zero })
        let later = Self.pauses(&rates, token, 200)
        #expect(later == (1...200).map { .milliseconds(10 * $0) })
        let refused = Self.pauses(&rates, token, 3)
        #expect(refused == [nil, nil, nil])
        // Those that were refused took nothing.
        let next = Self.pauses(&rates, token, 2, at: .milliseconds(10))
        #expect(next == [.seconds(2), nil])
    }

    @Test func `an owner has 1,000 at once with all credentials, and another owner its own`() throws {
        var rates = RequestRates()
        let tokens = try (1...4).map { try Self.credential($0, of: "me") }
        let atOnce = tokens.prefix(2).flatMap { Self.pauses(&rates, $0, 500) }
        #expect(atOnce.allSatisfy { $0 == .zero })
        let third = Self.pauses(&rates, tokens[2], 2)
        #expect(third == [.milliseconds(5), .milliseconds(10)])
        let other = Self.pauses(&rates, try Self.credential(5, of: "maria"), 1)
        #expect(other == [.zero])
    }

    @Test func `credentials that ask no more are forgotten, and those that do are not`() throws {
        var rates = RequestRates()
        let busy = try Self.credential(0, of: "me")
        let first = Self.pauses(&rates, busy, 500)
        #expect(first.allSatisfy { $0 == .zero })
        for number in 1...2000 {
            let pause = rates.take(try Self.credential(number, of: "o\(number)"), at: .milliseconds(number))
            #expect(pause == .zero)
        }
        let again = Self.pauses(&rates, busy, 1, at: .milliseconds(2000))
        #expect(again == [.zero])
        // After two seconds 200 of its 500 are free again, and not all.
        let rest = Self.pauses(&rates, busy, 200, at: .milliseconds(2000))
        #expect(rest == Array(repeating: .zero, count: 199) + [.milliseconds(10)])
    }

    @Test func `a request beyond the rate waits at the gate, and the owner's own socket has none`() async throws {
        let bench = try Bench()
        let gate = WebGate(bench.center)
        let clock = ManualClock()
        let token = Access(try Self.credential(1, of: "me"))
        for _ in 0..<500 { try await gate.wait(for: token, clock) }
        for _ in 0..<2000 { try await gate.wait(for: .full(bench.me), clock) }
        let next = Task { try await gate.wait(for: token, clock) }
        await clock.sleeper(until: .milliseconds(10))
        clock.advance(by: .milliseconds(10))
        try await next.value
    }

    @Test func `the page on the centre has the rates`() throws {
        let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent()
        let page = try String(
            contentsOf: root.appendingPathComponent("docs/notification-center.md"),
            encoding: .utf8
        )
        let (credential, owner) = (RequestRates.credential, RequestRates.owner)
        let atOnce = "\(owner.atOnce / 1000),\(String(owner.atOnce % 1000 + 1000).dropFirst())"
        let sentence =
            "\(credential.perSecond) requests a second with one credential, \(credential.atOnce) at once, "
            + "and of an owner \(owner.perSecond) and \(atOnce); others wait, "
            + "\(RequestRates.longestPause.components.seconds) s at most"
        #expect(page.contains(sentence))
    }

    @Test func `a request that would wait for too long hears 429 and when to come again`() {
        let answer = APIError.tooManyRequests.answer
        #expect(answer.status == .tooManyRequests)
        #expect(answer.headers["retry-after"] == ["1"])
    }
}
