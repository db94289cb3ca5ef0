// SPDX-License-Identifier: Apache-2.0

import Foundation
import NotificationPayload
import Testing
import WorkerProtocol

@testable import E2ECrypto

/// No message ends an opener: whatever is wrong with one, the process under its real filter refuses it by name and
/// opens the next.
@Suite(.timeLimit(.minutes(15)), .disabled(if: dlsym(nil, "__tsan_init") != nil, "a sanitizer has no filter"))
struct HostileMessageTests {
    /// For each format a message that opens and one vector for each way in which a message of that format can fail; nil
    /// where the format has nothing of the kind: a point that the sender chooses, a padding that is judged.
    private struct Row: CustomTestStringConvertible {
        let format: SealFormat
        let good: String
        let tag: String?
        let key: String
        let point: String?
        let length: String
        let padding: String?

        var faults: [String] { [tag, key, point, length, padding].compactMap(\.self) }
        var testDescription: String { format.rawValue }
    }

    private static let rows = [
        Row(
            format: .v1,
            good: "unpadded",
            tag: "tag",
            key: "other-key",
            point: "small-order-8",
            length: "short",
            padding: "inner-padding"
        ),
        Row(
            format: .sealedBox,
            good: "sealed-box-standard",
            tag: "sealed-box-tag",
            key: "sealed-box-other-key",
            point: "sealed-box-small-order",
            length: "sealed-box-short",
            padding: nil
        ),
        Row(
            format: .box,
            good: "box-json",
            tag: "box-tag",
            key: "box-other-recipient",
            point: nil,
            length: "box-short",
            padding: nil
        ),
        Row(
            format: .webPush,
            good: "web-push-rfc8291",
            tag: "web-push-tag",
            key: "web-push-other-private",
            point: "web-push-point-off-curve",
            length: "web-push-short",
            padding: "web-push-padding-not-zero"
        ),
        Row(
            format: .homeAssistant,
            good: "home-assistant-json",
            tag: "home-assistant-tag",
            key: "home-assistant-other-secret",
            point: nil,
            length: "home-assistant-short",
            padding: nil
        ),
        Row(
            format: .barkGCM,
            good: "bark-gcm-aes-128",
            tag: "bark-gcm-tag",
            key: "bark-gcm-other-key",
            point: nil,
            length: "bark-gcm-short",
            padding: nil
        ),
        Row(
            format: .barkCBC,
            good: "bark-cbc-aes-128",
            tag: nil,
            key: "bark-cbc-other-key",
            point: nil,
            length: "bark-cbc-part-block",
            padding: "bark-cbc-padding-17"
        ),
    ]

    /// Tells whether `result` is the vector's, or one that the vector may have under another clock than its own.
    private static func isDue(_ result: String, _ vector: OpenerVector) -> Bool {
        let afterTime = ["opens", "badContent", "expired", "issuedInFuture", "replayed"]
        let isDated = vector.payload?["encrypted-content"]?.string?.hasPrefix("v1.") == true
        let isForgotten = vector.openedAs != nil && vector.expectation == "opens"
        return result == vector.expectation
            || (isDated || isForgotten) && afterTime.contains(vector.expectation) && afterTime.contains(result)
    }

    @Test func `every format has its row`() {
        #expect(Self.rows.map(\.format) == SealFormat.allCases)
    }

    @Test(arguments: rows)
    private func `a forged message is refused by name, and the same process opens the next`(_ row: Row) throws {
        for name in row.faults {
            let (good, forged) = (try OpenerVector(row.good), try OpenerVector(name))
            // An opener for each, so that no fault is the first of its process by way of another.
            let opener = try VectorOpener([good, forged])
            let payload = try #require(forged.payload)
            #expect(try opener.result(of: forged, payload) == forged.expectation, "\(name)")
            let result = try opener.result(of: good, try #require(good.payload))
            #expect(Self.isDue(result, good), "after \(name): \(result)")
        }
    }

    @Test func `one opener refuses every vector as the vector says`() throws {
        let opener = try VectorOpener(OpenerVector.all)
        var counts: [String: Int] = [:]
        for vector in OpenerVector.all {
            guard let payload = vector.payload else { continue }
            if let number = vector.openedAs { _ = try opener.result(of: vector, payload, row: number) }
            let result = try opener.result(of: vector, payload)
            #expect(Self.isDue(result, vector), "\(vector.name): \(result), not \(vector.expectation)")
            counts[vector.expectation, default: 0] += 1
        }
        // A name of an error that no vector has would be an error that no filtered opener was seen to survive.
        #expect(Set(counts.keys) == Set(OpenErrorNames.all + ["opens"]))
    }

    @Test func `what depends on the clock is refused by name, and the same process opens the next`() throws {
        let folder = try KeyFolder()
        let arena = try SecretArena()
        let ring = try KeyRing.generate(in: arena)
        let path = folder.url.appending(path: "own.key").path
        try KeyFile.create(path: path, ring: ring, created: 1_795_228_800_000)
        let opener = try OpenerProcess(keyFiles: [path])
        try opener.greet(["app": "a", "keys": [4], "accept": ["v1"]])
        #expect(try opener.receive()?.type == .ready)
        let sealer = Sealer(to: try #require(ring.publicKeys.first), in: arena)
        let now = Int64(Date().timeIntervalSince1970 * 1000)
        let hour: Int64 = 3_600_000
        var id: UInt64 = 0
        func result(_ text: String) throws -> String? {
            id += 1
            let body: JSONObject = [
                "app": "a", "topic": "t", "row": .integer(Int64(id)), "payload": ["encrypted-content": .string(text)],
            ]
            try opener.send(Packet(.open, id: id, body: body))
            let answer = try #require(try opener.receive(), "the opener is gone: \(opener.exitCode())")
            return answer.type == .opened ? "opens" : answer.body["error"]?.string
        }
        func text(_ issued: Int64, _ content: String = #"{"title":"Door"}"#) throws -> String {
            try sealer.seal(Array(content.utf8).span, context: PushContext(topic: "t"), issued: issued)
        }
        for _ in 0..<3 {
            #expect(try result(text(now - 31 * 24 * hour)) == "expired")
            #expect(try result(text(now + hour)) == "issuedInFuture")
            #expect(try result(text(now, #"{"aps":1}"#)) == "badContent")
            let good = try text(now)
            #expect(try result(good) == "opens")
            #expect(try result(good) == "replayed")
        }
    }

    @Test(arguments: [1, 2, 3] as [UInt64])
    func `thousands of random changes of every format leave the process as it is`(seed: UInt64) throws {
        let goods = try Self.rows.map { try OpenerVector($0.good) }
        let opener = try VectorOpener(goods)
        var random = SeededNumbers(seed: seed)
        for _ in 0..<60 {
            for good in goods {
                var payload = try #require(good.payload)
                let field = ["encrypted_data", "ciphertext"].first { payload[$0] != nil } ?? "encrypted-content"
                let text = Array(try #require(payload[field]?.string).utf8)
                for _ in 0..<16 {
                    let changed = String(decoding: random.change(of: text), as: UTF8.self)
                    payload[field] = .string(changed)
                    try opener.send(good, payload)
                }
                for _ in 0..<16 { #expect(try !opener.receive().isEmpty) }
            }
        }
    }

    @Test func `a hundred thousand forged messages take nothing from the reserve`() throws {
        let vectors = try Self.rows.flatMap { try ($0.faults + [$0.good]).map { try OpenerVector($0) } }
        let opener = try VectorOpener(vectors)
        let forged = vectors.filter { $0.expectation != "opens" }
        let payloads = try forged.map { try #require($0.payload) }
        let before = try String(contentsOfFile: "/proc/\(opener.process.identifier)/statm", encoding: .utf8)
            .split(separator: " ").first
        var sent = 0
        while sent < 100_000 {
            let batch = sent..<min(sent + 64, 100_000)
            for number in batch { try opener.send(forged[number % forged.count], payloads[number % forged.count]) }
            for number in batch {
                let result = try opener.receive()
                guard result != forged[number % forged.count].expectation else { continue }
                Issue.record("\(forged[number % forged.count].name): \(result)")
                return
            }
            sent = batch.upperBound
        }
        let after = try String(contentsOfFile: "/proc/\(opener.process.identifier)/statm", encoding: .utf8)
            .split(separator: " ").first
        #expect(before == after)
        let good = try OpenerVector("web-push-rfc8291")
        #expect(try opener.result(of: good, try #require(good.payload)) == "opens")
    }
}

/// The names of a closed set, taken from a switch so that a new case does not compile without its place here.
enum OpenErrorNames {
    static let all: [String] = {
        let id = KeyID(reading: [UInt8](repeating: 0, count: 8).span, at: 0)
        var errors: [OpenError] = []
        var next: OpenError? = .malformedText(offset: 0)
        while let error = next {
            errors.append(error)
            next =
                switch error {
                case .malformedText: .tooShort(needed: 0, got: 0)
                case .tooShort: .tooLarge(limit: 0, got: 0)
                case .tooLarge: .unsupportedVersion(0)
                case .unsupportedVersion: .unknownFlags(0)
                case .unknownFlags: .unknownKey(id)
                case .unknownKey: .unknownSender(id)
                case .unknownSender: .formatNotAccepted(nil)
                case .formatNotAccepted: .senderRequired
                case .senderRequired: .contextMissing(.topic)
                case .contextMissing: .notOpened
                case .notOpened: .expired
                case .expired: .issuedInFuture
                case .issuedInFuture: .replayed
                case .replayed: .badContent
                case .badContent: nil
                }
        }
        return errors.map(\.name)
    }()
}

/// SplitMix64: the same numbers for the same seed, everywhere.
struct SeededNumbers: RandomNumberGenerator {
    private var state: UInt64

    init(seed: UInt64) { state = seed }

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var value = state
        value = (value ^ value >> 30) &* 0xBF58_476D_1CE4_E5B9
        value = (value ^ value >> 27) &* 0x94D0_49BB_1331_11EB
        return value ^ value >> 31
    }

    /// One to three changes of a text: another character, one fewer, one more, a shorter or a doubled text.
    mutating func change(of text: [UInt8]) -> [UInt8] {
        let characters = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_+/=.".utf8)
        var text = text
        for _ in 0..<Int.random(in: 1...3, using: &self) where !text.isEmpty {
            let place = Int.random(in: text.indices, using: &self)
            let character = characters[Int.random(in: characters.indices, using: &self)]
            switch Int.random(in: 0..<10, using: &self) {
            case 0: text.remove(at: place)
            case 1: text.insert(character, at: place)
            case 2: text.removeSubrange(place...)
            case 3: text = text.count < 4000 ? text + text[place...] : text
            default: text[place] = character
            }
        }
        return text
    }
}
