// SPDX-License-Identifier: Apache-2.0

import E2ECrypto
import NotificationPayload

/// What `open` is given: a body, or a bare sealed text.
enum SealedInput {
    case body(Payload)
    case text([UInt8])

    init(_ input: Span<UInt8>, _ name: String) throws(Failure) {
        let isSpace: (UInt8) -> Bool = { $0 == 0x20 || (0x09...0x0D).contains($0) }
        var rest = input.indices
        while let first = rest.first, isSpace(input[first]) { rest.removeFirst() }
        guard let first = rest.first, input[first] == UInt8(ascii: "{") else {
            while let last = rest.last, isSpace(input[last]) { rest.removeLast() }
            self = .text(rest.map { input[$0] })
            return
        }
        let payload = Payload(try JSONObject(payload: input, name))
        guard SealedField.allCases.contains(where: { $0.value(in: payload.object) != nil }) else {
            throw .refused("\(name) has no \"encrypted-content\" text", hint: "only sealed payloads can be opened")
        }
        self = .body(payload)
    }

    func isWhiteSpace(at offset: Int) -> Bool {
        guard case .text(let text) = self, offset < text.count else { return false }
        return text[offset] <= 0x20
    }

    func open(with opener: Opener, _ context: PushContext, now: Int64) throws(OpenError) -> [UInt8] {
        switch self {
        case .text(let text): try opener.open(text: text.span, context: context, now: now).bytes
        case .body(let payload): try opener.open(payload: payload, context: context, now: now).bytes
        }
    }
}

extension Failure {
    init(_ error: OpenError, in input: SealedInput) {
        message = "\(error)"
        name = error.name
        code = if case .unknownKey = error { .noKeyMatches } else { .refused }
        hint =
            switch error {
            case .malformedText(let offset) where input.isWhiteSpace(at: offset):
                "white space at \(offset): join the lines of a wrapped text"
            case .unknownKey: "pass the key file with that key id with -i"
            case .unknownSender: "pass the sender's public key with --sender"
            case .contextMissing(let part): "pass it with --\(part.rawValue)"
            case .expired, .issuedInFuture: "pass the moment it came with --at"
            default: nil
            }
    }
}
