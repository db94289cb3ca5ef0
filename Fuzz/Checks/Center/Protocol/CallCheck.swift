// SPDX-License-Identifier: Apache-2.0

private import CenterProtocol
private import NotificationPayload

/// Feeds hostile JSON to the readers of calls, answers and triggers, and holds what they take against PROTOCOL.md.
///
/// The first byte says what the others are: `s` a call over a socket, `w` one of a worker, `h` one over HTTP, `t` a
/// trigger as a store has it, `a` the name of a call, a space and the answer to it. Any other is refused.
/// Source: PROTOCOL.md, "Calls" and "Names and bounds".
public enum CallCheck {
    /// Reads one input, whatever it is.
    public static func check(_ bytes: [UInt8]) -> Verdict {
        let rest = bytes.dropFirst()
        return Verdict { () throws(BrokenPromise) in
            let isTaken =
                switch bytes.first {
                case UInt8(ascii: "s"): try call(Array(rest), from: .socket)
                case UInt8(ascii: "w"): try call(Array(rest), from: .worker)
                case UInt8(ascii: "h"): try call(Array(rest), from: .http)
                case UInt8(ascii: "t"): try trigger(Array(rest))
                case UInt8(ascii: "a"): try answer(rest)
                default: false
                }
            return isTaken ? 1 : 0
        }
    }

    // MARK: Calls

    private static func call(_ bytes: [UInt8], from carrier: CallCarrier) throws(BrokenPromise) -> Bool {
        guard let body = try? JSONObject(parsing: bytes.span, depthLimit: AppPacket.depthLimit),
            let call = try? CenterCall(body, from: carrier)
        else { return false }
        try CallBounds.check(call)
        guard let read = try? JSONObject(parsing: call.body.serialized.span, depthLimit: AppPacket.depthLimit) else {
            throw BrokenPromise("what a call is written as can be read")
        }
        try expect((try? CenterCall(read, from: carrier)) == call, "a call reads the same once written")
        try expect(read == call.body, "a call's body reads the same once written")
        // A file comes over a socket as a descriptor, of a worker under its path, and over HTTP under a name.
        if case .add(let request) = call, !request.attachments.isEmpty { return true }
        try expect((try? CenterCall(read, from: .socket)) == call, "a call is one over a socket as well")
        try expect((try? CenterCall(read, from: .http)) == call, "a call is one over HTTP as well")
        do { try call.check() } catch { throw BrokenPromise("a call that is read may be sent: \(error)") }
        try packet(call, atMost: bytes.count)
        return true
    }

    /// Writing makes no text longer than six bytes a byte: U+0001 is the longest to write, and 1e18 is as bad.
    private static func packet(_ call: CenterCall, atMost byteCount: Int) throws(BrokenPromise) {
        let packet = AppPacket(.call, id: 1, body: call.body)
        guard let written = try? packet.encoded() else {
            return try expect(byteCount * 6 > AppMessageType.maximumByteCount / 2, "a short call fits a packet")
        }
        try expect(written.count <= AppMessageType.maximumByteCount, "a packet keeps its bound")
        try expect((try? AppPacket(decoding: written.span)) == packet, "a packet reads the same once written")
    }

    // MARK: Triggers and answers

    private static func trigger(_ bytes: [UInt8]) throws(BrokenPromise) -> Bool {
        guard let object = try? JSONObject(parsing: bytes.span),
            let trigger = RequestTrigger(stored: object)
        else { return false }
        guard let read = try? JSONObject(parsing: trigger.json.serialized.span) else {
            throw BrokenPromise("what a trigger is written as can be read")
        }
        try expect(RequestTrigger(stored: read) == trigger, "a trigger reads the same once written")
        if case .calendar(let components, _) = trigger, components.nameADate {
            try expect(
                components.parts.allSatisfy { $0.key.range.contains($0.value) },
                "only parts within their ranges name a date"
            )
        }
        return true
    }

    private static func answer(_ bytes: ArraySlice<UInt8>) throws(BrokenPromise) -> Bool {
        let words = bytes.split(separator: UInt8(ascii: " "), maxSplits: 1)
        guard words.count == 2, let name = CallName(rawValue: String(decoding: words[0], as: UTF8.self)),
            let body = try? JSONObject(parsing: Array(words[1]).span, depthLimit: AppPacket.depthLimit),
            let answer = try? CallAnswer(body, to: name)
        else { return false }
        try expect(answer.fits(name), "an answer that is read fits its call")
        guard let read = try? JSONObject(parsing: answer.body.serialized.span, depthLimit: AppPacket.depthLimit) else {
            throw BrokenPromise("what an answer is written as can be read")
        }
        try expect((try? CallAnswer(read, to: name)) == answer, "an answer reads the same once written")
        return true
    }
}
