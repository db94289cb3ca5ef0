// SPDX-License-Identifier: Apache-2.0

import NotificationPayload
import Testing

@testable import CenterProtocol

/// Valid packets, changed at random: each ends in a message or in a typed violation, and none traps.
///
/// A message that is still read says the same when it is written and read again.
struct MutationTests {
    private static let calls = CallTests.calls.map(\.0)

    private static let hostPackets: [LinkPacket] = {
        var messages: [HostLinkMessage] = [
            .hello(.sample), .record(10, files: 2), .floor(12), .told, .file(.sound), .wholeRegistry, .shutdown,
            .viewScene(id: 1, ["set": []]), .viewFile(id: 1, .sample), .viewEnded(id: 1, .gone),
        ]
        messages += calls.enumerated().map { .call(UInt64($0 + 1), $1) }
        messages += TriggerTests.triggers.enumerated().map {
            .call(UInt64($0 + 1), .add(NotificationRequest(identifier: "a", payload: .sample, trigger: $1.0)))
        }
        return messages.map(\.packet)
    }()

    private static let centerPackets: [LinkPacket] = {
        var messages: [CenterLinkMessage] = [
            .ready, .unfit(number: 10, .badRecord), .ask(1), .wholeGates, .view(2), .viewEvent(id: 1, [:]),
        ]
        if let taken = TakenRanges([1, 2, 5, 9, 10]) { messages.append(.taken(taken)) }
        messages += CallAnswerTests.answers.map { .answer(id: 1, $0.0, $0.1) }
        return messages.map(\.packet)
    }()

    private static let appPackets: [AppPacket] = {
        let messages: [AppMessage] = [
            .hello, .readyForAll, .present(id: 1, [.banner, .list]), .completed(id: 2), .finished(id: 3, .noData),
        ]
        return (messages + calls.enumerated().map { .call(id: UInt64($0 + 1), $1) }).map(\.packet)
    }()

    private static let centerAppPackets: [AppPacket] = {
        let messages: [CenterAppMessage] = [
            .welcome, .rejected, .willPresent(id: 1, .sample), .response(2), .silent(id: 3, .sample), .token("00ff"),
            .openSettings(.sample),
        ]
        return (messages + CallAnswerTests.answers.map { .answer(id: 1, $0.0, $0.1) }).map(\.packet)
    }()

    private static let hostileNumbers: [JSON] = [
        0, -1, 1.5, 1e300, -1e300, .integer(.max), .integer(.min), 9_007_199_254_740_993, true, nil, "", "a", [], [:],
        [[1, 2]], .string(String(repeating: "a", count: 300)),
    ]

    /// Changes one value somewhere in a tree, takes it out, or puts something beside it.
    private func mutate(_ value: JSON, _ random: inout SeededGenerator) -> JSON {
        let isHere = Int.random(in: 0...3, using: &random) == 0
        switch value {
        case .object(var object) where !isHere && !object.isEmpty:
            let key = object.members[Int.random(in: 0..<object.count, using: &random)].key
            switch Int.random(in: 0...9, using: &random) {
            case 0: object[key] = nil
            case 1: object[key + "x"] = object[key]
            default: object[key] = object[key].map { mutate($0, &random) }
            }
            return .object(object)
        case .array(var array) where !isHere && !array.isEmpty:
            let index = Int.random(in: 0..<array.count, using: &random)
            switch Int.random(in: 0...5, using: &random) {
            case 0: array.append(contentsOf: array)
            case 1: array.remove(at: index)
            default: array[index] = mutate(array[index], &random)
            }
            return .array(array)
        case .object, .array, .string, .integer, .double, .bool, .null:
            return Self.hostileNumbers[Int.random(in: 0..<Self.hostileNumbers.count, using: &random)]
        }
    }

    /// Bytes of a packet whose tree, header or bytes were changed.
    private func mutant<Kind>(of packet: CenterPacket<Kind>, _ random: inout SeededGenerator) throws -> [UInt8] {
        var body = packet.body
        for _ in 0..<Int.random(in: 0...2, using: &random) {
            body = mutate(.object(body), &random).object ?? body
        }
        let isAnotherType = Int.random(in: 0...19, using: &random) == 0
        let type = isAnotherType ? Kind.allCases.randomElement(using: &random) : packet.type
        let ids: [UInt64] = [0, 1, 2, 10, 1 << 63, .max]
        let id = Int.random(in: 0...9, using: &random) == 0 ? ids.randomElement(using: &random) : packet.id
        var bytes = try CenterPacket(try Required.value(type), id: try Required.value(id), body: body).encoded()
        guard Int.random(in: 0...2, using: &random) == 0 else { return bytes }
        for _ in 0..<Int.random(in: 1...3, using: &random) where !bytes.isEmpty {
            let index = Int.random(in: 0..<bytes.count, using: &random)
            switch Int.random(in: 0...3, using: &random) {
            case 0: bytes.remove(at: index)
            case 1: bytes.insert(UInt8.random(in: 0...255, using: &random), at: index)
            case 2: bytes.removeSubrange(index...)
            default: bytes[index] = UInt8.random(in: 0...255, using: &random)
            }
        }
        return bytes
    }

    @Test func `mutants of the link end in an event or a violation`() throws {
        var random = SeededGenerator(seed: 6)
        var outcomes = (events: 0, violations: 0)
        for step in 0..<3000 {
            var pair = try LinkPair.serving()
            try pair.say(.record(10))
            try pair.say(.call(1, CallAnswerTests.answers[step % CallAnswerTests.answers.count].0.sampleCall))
            try pair.say(.ask(1))
            try pair.say(.view(1))
            let descriptors = Int.random(in: 0...5, using: &random) == 0 ? 2 : 0
            let fromHost = try mutant(of: Self.hostPackets[step % Self.hostPackets.count], &random)
            let fromCenter = try mutant(of: Self.centerPackets[step % Self.centerPackets.count], &random)
            let results = [
                pair.center.judge(fromHost, descriptors: descriptors).failure, pair.host.judge(fromCenter).failure,
            ]
            for violation in results {
                if let violation {
                    outcomes.violations += 1
                    #expect(!violation.description.isEmpty)
                } else {
                    outcomes.events += 1
                }
            }
        }
        #expect(outcomes.events > 200)
        #expect(outcomes.violations > 2000)
    }

    @Test func `mutants of the app socket end in an event or a violation`() throws {
        var random = SeededGenerator(seed: 7)
        var outcomes = (events: 0, violations: 0)
        for step in 0..<3000 {
            var pair = try AppPair.open()
            try pair.say(.call(id: 1, CallAnswerTests.answers[step % CallAnswerTests.answers.count].0.sampleCall))
            let descriptors = Int.random(in: 0...5, using: &random) == 0 ? 1 : 0
            let fromApp = try mutant(of: Self.appPackets[step % Self.appPackets.count], &random)
            let fromCenter = try mutant(of: Self.centerAppPackets[step % Self.centerAppPackets.count], &random)
            let results = [
                pair.center.judge(fromApp, descriptors: descriptors).failure, pair.app.judge(fromCenter).failure,
            ]
            for violation in results {
                if let violation {
                    outcomes.violations += 1
                    #expect(!violation.description.isEmpty)
                } else {
                    outcomes.events += 1
                }
            }
        }
        #expect(outcomes.events > 200)
        #expect(outcomes.violations > 2000)
    }

    @Test func `a mutant of a call that is still one says the same again`() throws {
        var random = SeededGenerator(seed: 8)
        var readable = 0
        for step in 0..<10_000 {
            let body = mutate(.object(Self.calls[step % Self.calls.count].body), &random).object ?? [:]
            guard let call = try? CenterCall(body, from: .socket) else { continue }
            readable += 1
            #expect(try CenterCall(call.body, from: .socket) == call)
            _ = call.failure
        }
        #expect(readable > 250)
    }

    @Test func `a mutant of an answer that is still one says the same again`() throws {
        var random = SeededGenerator(seed: 9)
        var readable = 0
        for step in 0..<10_000 {
            let (name, answer, _) = CallAnswerTests.answers[step % CallAnswerTests.answers.count]
            let body = mutate(.object(answer.body), &random).object ?? [:]
            guard let read = try? CallAnswer(body, to: name) else { continue }
            readable += 1
            #expect(try CallAnswer(read.body, to: name) == read)
        }
        #expect(readable > 250)
    }

    @Test func `random bytes are no conversation`() {
        var random = SeededGenerator(seed: 10)
        for _ in 0..<5000 {
            let count = Int.random(in: 0...64, using: &random)
            let bytes = (0..<count).map { _ in UInt8.random(in: 0...255, using: &random) }
            var link = CenterLinkEnd()
            var app = CenterAppEnd()
            let results = (link.judge(bytes).failure != nil, app.judge(bytes).failure != nil)
            #expect(results == (true, true))
        }
    }
}

extension CallName {
    /// A call of that name that a worker may make, or one of settings.
    fileprivate var sampleCall: CenterCall {
        switch self {
        case .authorize: .authorize([.alert])
        case .setCategories: .setCategories([])
        case .categories: .categories
        case .add: .add(.sample)
        case .pending: .pending(after: nil)
        case .removePending: .removePending(.all)
        case .delivered: .delivered(before: nil)
        case .removeDelivered: .removeDelivered(.all)
        case .badge: .badge(1)
        case .settings, .file, .register, .withdraw: .settings
        }
    }
}
