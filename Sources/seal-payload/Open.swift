// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import E2ECrypto
import NotificationPayload

/// `seal-payload open`: the payload inside a body, as the app's extension would get it.
struct Open: ParsableCommand {
    static let configuration = CommandConfiguration(abstract: "Open a body, or a bare sealed text, with a key file.")

    @Option(name: .customShort("i"), help: ArgumentHelp("A key file; several are tried.", valueName: "key-file"))
    var keyFiles: [String]

    @Option(name: .customLong("sender"), help: ArgumentHelp("A known sender's public key.", valueName: "public-key"))
    var senders: [String] = []

    @Option(help: "The topic it was sealed for.")
    var topic: String

    @Option(name: .customLong("collapse-id"), help: "The apns-collapse-id it came with.")
    var collapseID: String?

    @Option(help: ArgumentHelp("Open as of this moment: Unix milliseconds or 2026-11-21T03:00:00Z.", valueName: "time"))
    var at: TimeArgument?

    @Argument(help: "The body; standard input by default.")
    var input: String?

    func run() throws {
        let arena = try Keys.arena()
        let opener = try opener(in: arena)
        let text = try SealedInput(try Files.read(input), Files.name(input))
        let payload: [UInt8]
        do throws(OpenError) {
            payload = try opener.open(
                text: text.bytes.span,
                context: PushContext(topic: topic, collapseID: collapseID),
                now: at?.milliseconds ?? Now.milliseconds
            )
        } catch {
            throw Failure(error, in: text)
        }
        try Files.write(String(decoding: payload, as: UTF8.self) + "\n", to: nil)
    }

    private func opener(in arena: SecretArena) throws(Failure) -> Opener {
        var rings: KeyRing?
        for path in keyFiles {
            let ring = try Keys.ring(inFile: path, "key file", in: arena)
            if rings == nil { rings = consume ring } else { rings?.append(ring) }
        }
        var policy = OpenPolicy()
        for sender in senders {
            policy.senders.append(.init(publicKey: try Keys.publicKey(sender, "sender key")))
        }
        guard let ring = rings.take() else { throw .usage("no key file") }
        do {
            return try Opener(keys: ring, policy: policy)
        } catch {
            throw .refused("sender key \(error)", hint: error.hint(forFile: ""))
        }
    }
}

/// A sealed text, bare or taken out of a body.
struct SealedInput {
    let bytes: [UInt8]

    init(_ input: [UInt8], _ name: String) throws(Failure) {
        let isSpace: (UInt8) -> Bool = { $0 == 0x20 || (0x09...0x0D).contains($0) }
        guard input.first(where: { !isSpace($0) }) == UInt8(ascii: "{") else {
            bytes = Array(input.drop(while: isSpace).reversed().drop(while: isSpace).reversed())
            return
        }
        guard case .string(let text)? = try JSONObject(payload: input, name)["encrypted-content"] else {
            throw .refused("\(name) has no \"encrypted-content\" text", hint: "only sealed payloads can be opened")
        }
        bytes = Array(text.utf8)
    }
}

extension Failure {
    init(_ error: OpenError, in text: SealedInput) {
        message = "\(error)"
        code = if case .unknownKey = error { .noKeyMatches } else { .refused }
        hint =
            switch error {
            case .malformedText(let offset) where offset < text.bytes.count && text.bytes[offset] <= 0x20:
                "white space at \(offset): join the lines of a wrapped text"
            case .unknownKey: "pass the key file with that key id with -i"
            case .unknownSender: "pass the sender's public key with --sender"
            case .contextMissing: "pass it with --collapse-id"
            case .expired, .issuedInFuture: "pass the moment it came with --at"
            default: nil
            }
    }
}
