// SPDX-License-Identifier: Apache-2.0

import NotificationPayload
import Testing

@testable import E2ECrypto

/// Nothing but the message itself opens: every small change of one is refused, as FORMAT.md says, and leaves no trace.
///
/// Three messages of each format. What is expected of each change is worked out by `MutationSubject`.
struct MutationTests {
    static let messages: [(format: SealFormat, names: [String])] = [
        (.v1, ["unpadded", "unpadded-psk", "unpadded-everything"]),
        (.sealedBox, ["sealed-box-url", "sealed-box-text", "sealed-box-empty"]),
        (.box, ["box-json", "box-text", "box-empty"]),
        (.webPush, ["web-push-rfc8291", "web-push-json", "web-push-empty"]),
        (.homeAssistant, ["home-assistant-json", "home-assistant-text", "home-assistant-old-key"]),
        (.barkGCM, ["bark-gcm-aes-128", "bark-gcm-text", "bark-gcm-message-iv"]),
        (.barkCBC, ["bark-cbc-aes-128", "bark-cbc-aes-256", "bark-cbc-example"]),
    ]

    /// Counts of the changes of one format, by their outcome.
    private struct Tally {
        var changes = 0
        var spellings = 0
        var unauthenticated = 0
        var classes: [String: Int] = [:]
    }

    @Test func `every format is here`() {
        #expect(Set(Self.messages.map(\.format)) == Set(SealFormat.allCases))
    }

    @Test(arguments: messages.map(\.format))
    func `every change is refused as the format says`(_ format: SealFormat) throws {
        let names = try #require(Self.messages.first { $0.format == format }?.names)
        let subjects = try names.map { try MutationSubject($0) }
        var tally = Tally()
        for (index, subject) in subjects.enumerated() {
            for bytes in Self.changes(of: subject.bytes, with: subjects[(index + 1) % subjects.count].bytes) {
                check(subject, subject.text(of: bytes), subject.expected(bytes), &tally)
            }
            for text in Self.changes(ofText: subject.text) {
                check(subject, text, subject.expected(ofText: text), &tally)
            }
        }
        let classes = tally.classes.sorted { $0.key < $1.key }.map { "\($0.key) \($0.value)" }.joined(separator: ", ")
        print(
            "mutations \(format): \(tally.changes) refused (\(classes)), \(tally.spellings) other spellings open"
                + (format == .barkCBC ? ", \(tally.unauthenticated) open unauthenticated" : "")
        )
        #expect(tally.changes > 4000)
        #expect(format == .barkCBC || tally.unauthenticated == 0)
    }

    /// Every bit of a context value that the envelope binds must match: of the topic, and of collapse id and request id
    /// where they are bound.
    @Test(arguments: ["unpadded", "unpadded-psk", "unpadded-everything"])
    func `an envelope opens under no other context`(_ name: String) throws {
        let subject = try MutationSubject(name)
        let text = subject.text
        let right = subject.vector.context
        var count = 0
        func expect(_ error: OpenError, _ context: PushContext) {
            #expect(throws: error) { try subject.open(text, context: context) }
            count += 1
        }
        for other in Self.others(of: right.topic) {
            var context = right
            context.topic = other
            expect((1...255).contains(other.utf8.count) ? .notOpened : .contextMissing(.topic), context)
        }
        for (part, path) in [(PushContext.Part.collapseID, \PushContext.collapseID), (.requestID, \.requestID)] {
            guard let word = right[keyPath: path] else { continue }
            for other: String? in Self.others(of: word) + [nil] {
                var context = right
                context[keyPath: path] = other
                expect((1...255).contains(other?.utf8.count ?? 0) ? .notOpened : .contextMissing(part), context)
            }
        }
        print("mutations v1, \(name): \(count) other contexts refused")
        #expect(subject.opener.replayCount == 0)
        _ = try subject.open(text)
        #expect(subject.opener.replayCount == 1)
    }

    /// Every flipped bit, the first and the last character missing or double, nothing, and too much.
    private static func others(of word: String) -> [String] {
        var others = ["", String(repeating: "x", count: 256), word + word]
        others += [String(word.dropFirst()), String(word.dropLast()), " " + word, word + "\0"]
        for offset in word.utf8.indices {
            for bit in 0..<7 {
                var changed = Array(word.utf8)
                changed[word.utf8.distance(from: word.startIndex, to: offset)] ^= 1 << bit
                others.append(String(decoding: changed, as: UTF8.self))
            }
        }
        return others
    }

    /// The iv is beside the text: GCM answers for it, CBC says other words.
    @Test(arguments: [("bark-gcm-message-iv", false), ("bark-cbc-message-iv", true)])
    func `another iv is refused, or says other words that nobody vouches for`(_ name: String, opens: Bool) throws {
        let subject = try MutationSubject(name)
        let text = subject.text
        let iv = try #require(try subject.vector.push["iv"]?.string)
        var (refused, opened) = (0, 0)
        for other in Self.others(of: iv) {
            let count = subject.opener.replayCount
            do throws(OpenError) {
                let payload = try subject.open(text, replacing: ["iv": .string(other)])
                // A bit may change no more than the case of a key, which does not count.
                #expect(payload["encryption"]?.object?["authenticated"] == false)
                opened += 1
            } catch {
                #expect(error == .notOpened)
                #expect(subject.opener.replayCount == count)
                refused += 1
            }
        }
        print("mutations \(subject.format), iv: \(refused) refused, \(opened) open unauthenticated")
        #expect((opened > 0) == opens)
    }

    private func check(
        _ subject: MutationSubject,
        _ text: [UInt8],
        _ expected: MutationSubject.Expectation,
        _ tally: inout Tally
    ) {
        let count = subject.opener.replayCount
        do throws(OpenError) {
            let payload = try subject.open(text)
            switch expected {
            case .opens:
                tally.spellings += 1
                guard payload.object == subject.payload else { break }
                return
            case .unauthenticated:
                tally.unauthenticated += 1
                guard payload["encryption"]?.object?["authenticated"] == false else { break }
                return
            case .refused: break
            }
            Issue.record("\(subject.vector.name): opened \(String(decoding: text, as: UTF8.self))")
        } catch {
            tally.changes += 1
            tally.classes[error.name, default: 0] += 1
            let isExpected = expected == .refused(error) || (expected == .unauthenticated && error == .notOpened)
            if !isExpected || subject.opener.replayCount != count {
                Issue.record(
                    "\(subject.vector.name): \(error.vectorText), not \(expected): \(String(decoding: text, as: UTF8.self))"
                )
            }
        }
    }

    /// Every flipped bit, truncation, byte removed, four bytes inserted at every place, every byte behind, and every
    /// splice with another message.
    private static func changes(of bytes: [UInt8], with other: [UInt8]) -> [[UInt8]] {
        var changes: [[UInt8]] = []
        for offset in bytes.indices {
            for bit in 0..<8 {
                var changed = bytes
                changed[offset] ^= 1 << bit
                changes.append(changed)
            }
            changes.append(Array(bytes.prefix(offset)))
            var removed = bytes
            removed.remove(at: offset)
            changes.append(removed)
        }
        for offset in 0...bytes.count {
            for byte: UInt8 in [0, 1, 0x80, 0xFF] {
                var changed = bytes
                changed.insert(byte, at: offset)
                changes.append(changed)
            }
        }
        for byte in UInt8.min...UInt8.max { changes.append(bytes + [byte]) }
        for cut in 1..<min(bytes.count, other.count) {
            changes.append(Array(bytes[..<cut] + other[cut...]))
            changes.append(Array(other[..<cut] + bytes[cut...]))
        }
        return changes.filter { $0 != bytes && $0 != other }
    }

    /// Every flipped bit of every character, and at every place a character that means something, put in, put over or
    /// left out.
    private static func changes(ofText text: [UInt8]) -> [[UInt8]] {
        var changes: [[UInt8]] = []
        let marks = Array("=. \nA+/-_\0".utf8)
        for offset in text.indices {
            for bit in 0..<7 {
                var changed = text
                changed[offset] ^= 1 << bit
                changes.append(changed)
            }
            for mark in marks {
                var changed = text
                changed[offset] = mark
                changes.append(changed)
            }
            var removed = text
            removed.remove(at: offset)
            changes.append(removed)
        }
        for offset in 0...text.count {
            for mark in marks.prefix(6) {
                var changed = text
                changed.insert(mark, at: offset)
                changes.append(changed)
            }
        }
        changes += [text + Array("==".utf8), text + Array("===".utf8), text + Array("\r\n".utf8)]
        return changes.filter { $0 != text }
    }
}
