// SPDX-License-Identifier: Apache-2.0

private import NotificationPayload

/// A conversation as a fuzzer writes it: a packet or an event a line.
///
/// Shape: `TYPE ID DESCRIPTORS BODY`, which are two hex digits, two decimal numbers and JSON, as in
/// `01 0 0 {"protocol":1}`. A line that begins with `=` is a packet byte for byte, and `x ID` gives up a question.
/// Every other line is left out.
struct PacketScript {
    enum Step {
        case packet([UInt8], descriptorCount: Int)
        case expiry(UInt64)
    }

    /// Steps of one script; what comes behind them is left out.
    private static let limit = 64

    let steps: [Step]

    init(_ bytes: [UInt8]) {
        steps = bytes.split(separator: UInt8(ascii: "\n")).prefix(Self.limit).compactMap(Self.step)
    }

    private static func step(_ line: ArraySlice<UInt8>) -> Step? {
        if line.first == UInt8(ascii: "=") { return .packet(Array(line.dropFirst()), descriptorCount: 0) }
        let words = line.split(separator: UInt8(ascii: " "), maxSplits: 3, omittingEmptySubsequences: false)
        if words.count == 2, words[0].elementsEqual("x".utf8) { return UInt64(text(words[1])).map(Step.expiry) }
        guard words.count == 4, let type = UInt8(text(words[0]), radix: 16), let id = UInt64(text(words[1])),
            let descriptorCount = UInt8(text(words[2]))
        else { return nil }
        var bytes: [UInt8] = []
        PacketHeader(type: type, id: id).write(to: &bytes)
        return .packet(bytes + words[3], descriptorCount: Int(descriptorCount))
    }

    private static func text(_ bytes: ArraySlice<UInt8>) -> String { String(decoding: bytes, as: UTF8.self) }
}
