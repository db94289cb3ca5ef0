// SPDX-License-Identifier: Apache-2.0

package import NotificationPayload

/// An input that a person gives to be opened: a push, or a bare sealed text.
package enum SealedInput: Sendable {
    case push(Payload)
    case text([UInt8])

    /// Throws what people give by mistake.
    package init(_ bytes: Span<UInt8>) throws(InputMistake) {
        var rest = bytes.indices
        while let first = rest.first, Self.isSpace(bytes[first]) { rest.removeFirst() }
        while let last = rest.last, Self.isSpace(bytes[last]) { rest.removeLast() }
        guard let first = rest.first else { throw .empty }
        switch bytes[first] {
        case UInt8(ascii: "{"): self = .push(try Self.push(bytes))
        case UInt8(ascii: "["): throw .noJSON(.notAnObject)
        default:
            let text = rest.map { bytes[$0] }
            if let mistake = InputMistake(text) { throw mistake }
            self = .text(text)
        }
    }

    private static func push(_ bytes: Span<UInt8>) throws(InputMistake) -> Payload {
        let object: JSONObject
        do { object = try JSONObject(parsing: bytes) } catch { throw .noJSON(error) }
        guard SealedField.allCases.contains(where: { $0.value(in: object) != nil }) else { throw .nothingSealed }
        return Payload(object)
    }

    private static func isSpace(_ byte: UInt8) -> Bool {
        byte == 0x20 || (0x09...0x0D).contains(byte)
    }
}

/// An input that holds no sealed text, and what it is instead.
package enum InputMistake: Error, Equatable, Sendable {
    case empty
    case noJSON(JSONError)
    case nothingSealed
    case byteOrderMark
    case utf16
    /// A JSON string in place of what it says.
    case quoted
    /// Head and body of a request to APNs, as tools print it, with what it says of the topic.
    case wholeRequest(topic: String?)
    case publicKey
    case secretKey

    /// Finds the mistake in a text that is no sealed text; `nil` means that the text may be one.
    init?(_ text: [UInt8]) {
        if text.starts(with: [0xEF, 0xBB, 0xBF]) {
            self = .byteOrderMark
        } else if text.starts(with: [0xFF, 0xFE]) || text.starts(with: [0xFE, 0xFF]) {
            self = .utf16
        } else if text.first == UInt8(ascii: "\"") {
            self = .quoted
        } else if let request = Self.request(text) {
            self = request
        } else if text.starts(with: "NSE-SECRET-KEY-1".utf8) || text.starts(with: "NSE-PSK-1".utf8) {
            self = .secretKey
        } else if (try? PublicKey(parsing: String(decoding: text, as: UTF8.self))) != nil,
            text.starts(with: "nse1".utf8)
        {
            self = .publicKey
        } else {
            return nil
        }
    }

    /// The head of a request has lines of a name, a colon and a value; some tools put a mark before each.
    private static func request(_ text: [UInt8]) -> InputMistake? {
        let lines = text.split(separator: UInt8(ascii: "\n")).map { line in
            String(decoding: line, as: UTF8.self).drop { " <>*[".contains($0) }
        }
        let isHead = lines.contains { line in
            let line = line.lowercased()
            return ["post /3/device/", ":method", "apns-topic:", "curl "].contains { line.hasPrefix($0) }
        }
        guard isHead else { return nil }
        let topic = lines.first { $0.lowercased().hasPrefix("apns-topic:") }?.dropFirst("apns-topic:".count)
            .filter { !$0.isWhitespace }
        // It is to be copied to a command line, so it has to look like one; upper case counts.
        let isTopic = topic?.utf8.allSatisfy { $0.isBase64URLDigit || $0 == UInt8(ascii: ".") }
        return .wholeRequest(topic: isTopic == true ? topic : nil)
    }
}

extension InputMistake: CustomStringConvertible {
    /// One clause, to stand after the name of the input.
    package var description: String {
        switch self {
        case .empty: "is empty"
        case .noJSON(.notAnObject): "is no JSON object"
        case .noJSON(let error): "is not JSON: \(error)"
        case .nothingSealed: "has no \"encrypted-content\" text"
        case .byteOrderMark: "begins with a byte order mark"
        case .utf16: "is written in UTF-16"
        case .quoted: "is a JSON string, not a body and not a sealed text"
        case .wholeRequest: "is a whole request, not its body"
        case .publicKey: "is a public key"
        case .secretKey: "is a secret key"
        }
    }

    /// The next step.
    package var next: String {
        switch self {
        case .empty: "pass a body, or a sealed text"
        case .noJSON: "pass the body as it was posted: one JSON object"
        case .nothingSealed: "only sealed payloads can be opened"
        case .byteOrderMark: "save it as UTF-8 without a byte order mark"
        case .utf16: "save it as UTF-8"
        case .quoted: "it was turned into JSON twice; pass what stands between the quotes"
        case .wholeRequest(let topic?): "pass what follows the empty line; the head says --topic \(topic)"
        case .wholeRequest(nil): "pass what follows the empty line"
        case .publicKey, .secretKey: "pass the body; keys are named with -i and --sender"
        }
    }
}
