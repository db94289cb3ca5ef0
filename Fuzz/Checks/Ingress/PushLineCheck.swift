// SPDX-License-Identifier: Apache-2.0

private import HostRuntime
private import Ingress
private import NotificationPayload

private import struct Foundation.Data
private import class Foundation.JSONSerialization
private import class Foundation.NSNumber

/// The properties that hold for every stream of lines that a script may write, and for the JSON in them, checked on one
/// stream.
///
/// The first byte plus one is the length, in bytes, of the pieces in which the others are read a second time.
public enum PushLineCheck {
    /// The outcome of one input.
    public enum Result: Sendable, Equatable {
        /// At least one line was taken.
        case taken
        case refused
        /// A promise did not hold: a bug.
        case broken
    }

    private typealias Numbered = (number: Int, line: LineSplitter.Line)

    /// Above what a push may have, below what a fuzzer writes.
    private static let lineByteCountLimit = 6000
    private static let sample = SampleListener.only

    /// However they are read, the lines are the same; each is refused, or the push that its JSON says, by another
    /// reader of JSON too.
    public static func check(_ bytes: [UInt8]) -> Result {
        let stream = bytes.dropFirst()
        let lines = read(stream, inPiecesOf: max(1, stream.count))
        let again = read(stream, inPiecesOf: Int(bytes.first ?? 0) + 1)
        guard lines.elementsEqual(again, by: { $0 == $1 }), lines.elementsEqual(expected(stream), by: { $0 == $1 })
        else { return .broken }
        var result = Result.refused
        for case .text(let text) in lines.map(\.line) {
            switch check(line: text) {
            case .taken: result = .taken
            case .refused: break
            case .broken: return .broken
            }
        }
        return result
    }

    // MARK: Lines

    private static func read(_ stream: ArraySlice<UInt8>, inPiecesOf length: Int) -> [Numbered] {
        var splitter = LineSplitter(limit: lineByteCountLimit)
        var lines: [Numbered] = []
        var rest = stream
        while !rest.isEmpty {
            splitter.read(rest.prefix(length), into: &lines)
            rest = rest.dropFirst(length)
        }
        splitter.end(into: &lines)
        return lines
    }

    private static func expected(_ stream: ArraySlice<UInt8>) -> [Numbered] {
        let parts = stream.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
        return parts.enumerated().compactMap { index, part in
            if part.count > lineByteCountLimit { return (index + 1, .tooLong) }
            let isBlank = part.allSatisfy { $0 == 0x20 || $0 == 0x09 || $0 == 0x0D }
            return isBlank ? nil : (index + 1, .text(Array(part)))
        }
    }

    private static func check(line text: [UInt8]) -> Result {
        let lenient = push(text, .lenient)
        if let strict = push(text, .strict) {
            guard let lenient, strict.isSame(as: lenient) else { return .broken }
        }
        guard let lenient else { return .refused }
        guard lenient.isWhole(topic: sample.topic, token: sample.token, now: sample.now), isReadAlike(lenient, text),
            let again = push(line(of: lenient), .lenient), again.isSame(as: lenient),
            let posted = posted(lenient), posted.isSame(as: lenient), posted.body == lenient.body
        else { return .broken }
        return .taken
    }

    private static func validator(_ conformance: Conformance) -> PushValidator {
        PushValidator(tokens: sample.tokens, environment: nil, conformance: conformance)
    }

    private static func push(_ text: [UInt8], _ conformance: Conformance) -> IncomingPush? {
        let line = try? NDJSONLine(text, firstToken: { $0 == sample.topic ? sample.token : nil })
        return try? line?.push(validator: validator(conformance), freshID: sample.id, now: sample.now)
    }

    private static func line(of push: IncomingPush) -> [UInt8] {
        let headers = JSONObject(push.headers.map { ($0.name, .string($0.value)) })
        let line: JSONObject = [
            "token": .string(push.deviceToken), "headers": .object(headers), "payload": .object(push.payload.object),
        ]
        return line.serialized
    }

    /// The same push as a request over HTTP.
    private static func posted(_ push: IncomingPush) -> IncomingPush? {
        let head = try? validator(.lenient).judge(push.request, freshID: sample.id, now: sample.now)
        return try? head?.join(push.body.span, receivedAt: sample.now)
    }

    // MARK: JSON

    /// Tells whether the body that the host hands on is one document to every JSON reader, and the one that its sender
    /// wrote.
    private static func isReadAlike(_ push: IncomingPush, _ text: [UInt8]) -> Bool {
        guard let payload = try? Payload(parsing: push.body.span), payload == push.payload,
            payload.serialized == push.body,
            let line = try? JSONSerialization.jsonObject(with: Data(text)) as? [String: Any]
        else { return false }
        var theirs = line["payload"] as? [String: Any] ?? line
        if line["payload"] as? [String: Any] == nil { theirs[NDJSONLine.bundleKey] = nil }
        return isAlike(.object(push.payload.object), theirs)
    }

    private static func isAlike(_ ours: JSON, _ theirs: Any?) -> Bool {
        switch ours {
        case .null, .bool: theirs != nil
        case .integer(let integer): isNear(Double(integer), theirs)
        case .double(let double): isNear(double, theirs)
        case .string(let string): theirs as? String == string
        case .array(let array):
            (theirs as? [Any]).map { theirs in
                theirs.count == array.count && zip(array, theirs).allSatisfy { isAlike($0, $1) }
            } ?? false
        case .object(let object):
            (theirs as? [String: Any]).map { theirs in
                theirs.count == object.count && object.members.allSatisfy { isAlike($0.value, theirs[$0.key]) }
            } ?? false
        }
    }
    /// Foundation takes a long integer for a decimal and rounds it twice, to numbers beside the nearest.
    private static func isNear(_ ours: Double, _ theirs: Any?) -> Bool {
        guard let theirs = (theirs as? NSNumber)?.doubleValue else { return false }
        return abs(ours - theirs) <= 4 * ours.ulp
    }
}
