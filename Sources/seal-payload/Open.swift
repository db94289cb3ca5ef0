// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import E2ECrypto
import NotificationPayload

/// `seal-payload open`: the payload inside a body, as the app's extension would get it.
struct Open: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "open",
        abstract: "Open a body, or a bare sealed text, with a key file.",
        discussion: """
            The formats of --accept are v1 and sealed-box unless it is given; it may
            be repeated.

            With --batch each line of the input is a body of its own and gives a
            line, in order: the payload, or {"error":...}. Lines do not know of each
            other: what was sent twice opens twice. Exit code 1 when a line failed.

            --explain says "ok", "wrong", or "unsure" where only the right secret
            would tell.

            Example:
              seal-payload keygen -o my.key
              seal-payload keygen -y my.key >my.pub
              echo '{"title":"Alice","body":"Lunch?"}' |
                seal-payload -R my.pub --topic com.example.chat >body.json
              seal-payload open -i my.key --topic com.example.chat body.json
            """
    )

    @Option(
        name: .customShort("i"),
        help: ArgumentHelp("A key file; several are tried.", valueName: "key-file"),
        completion: .file()
    )
    var keyFiles: [String]

    @Option(name: .customLong("sender"), help: ArgumentHelp("A known sender's public key.", valueName: "public-key"))
    var senders: [String] = []

    @Option(help: "The topic it was sealed for.")
    var topic: String

    @Option(name: .customLong("collapse-id"), help: "The apns-collapse-id it came with.")
    var collapseID: String?

    @Option(name: .customLong("request-id"), help: "The apns-id it came with.")
    var requestID: String?

    @Option(
        help: ArgumentHelp("Formats to open, with commas between, as in a host's policy.", valueName: "formats"),
        completion: .list(AcceptArgument.allValueStrings)
    )
    var accept: [AcceptArgument] = []

    @Option(help: ArgumentHelp("Open as of this moment: Unix milliseconds or 2026-11-21T03:00:00Z.", valueName: "time"))
    var at: TimeArgument?

    @Flag(help: "Say on standard error what was wanted and what was found at every step.")
    var explain = false

    @Flag(help: "Open each line of the input.")
    var batch = false

    @Argument(help: "The body; standard input by default.", completion: .file())
    var input: String?

    func run() throws {
        guard !explain || !batch else { throw Failure.usage("--explain and --batch exclude each other") }
        let arena = try Keys.arena()
        let opener = try opener(in: arena)
        if batch {
            try Batch.run(from: input, to: nil) { (line, name) throws(Failure) in
                try open(line, name, with: opener, in: arena)
            }
        } else {
            let bytes = try Files.read(input)
            try Output.write(open(bytes.span, Files.name(input), with: opener, in: arena))
        }
    }

    /// The payload in `bytes`, which messages call `name`, and a line feed.
    private func open(
        _ bytes: Span<UInt8>,
        _ name: String,
        with opener: Opener,
        in arena: SecretArena
    ) throws(Failure) -> [UInt8] {
        let input = try input(bytes, name)
        let now = at?.milliseconds ?? Now.milliseconds
        do throws(OpenError) {
            let payload = try opened(input, by: opener, now: now)
            if explain { Self.say(opener.explain(input, context: context, now: now, refusal: nil)) }
            return payload + [UInt8(ascii: "\n")]
        } catch {
            let circumstances = Opener.Circumstances(pruned: pruned(in: arena, for: error))
            let explanation = opener.explain(input, context: context, now: now, refusal: error, circumstances)
            if explain { Self.say(explanation) }
            throw Failure(error, explanation)
        }
    }

    private var context: PushContext {
        PushContext(topic: topic, collapseID: collapseID, requestID: requestID, row: 0)
    }

    private func input(_ bytes: Span<UInt8>, _ name: String) throws(Failure) -> SealedInput {
        do {
            return try SealedInput(bytes)
        } catch {
            if explain { Terminal.say("wrong: input: \(name) \(error)") }
            throw .refused("\(name) \(error)", hint: error.next)
        }
    }

    private func opened(_ input: SealedInput, by opener: Opener, now: Int64) throws(OpenError) -> [UInt8] {
        switch input {
        case .text(let text): try opener.open(text: text.span, context: context, now: now).bytes
        case .push(let payload): try opener.open(payload: payload, context: context, now: now).bytes
        }
    }

    /// Returns the deleted keys that the key files remember, with their dates; none unless `error` is an unknown key.
    private func pruned(in arena: SecretArena, for error: OpenError) -> [KeyID: Int64] {
        guard case .unknownKey = error else { return [:] }
        return keyFiles.reduce(into: [:]) { pruned, path in
            let keys = (try? KeyFile.prunedKeys(path: path, in: arena)) ?? [:]
            pruned.merge(keys, uniquingKeysWith: max)
        }
    }

    private static func say(_ explanation: Explanation) {
        for step in explanation.steps {
            let wanted = step.wanted.map { "wanted \($0), " } ?? ""
            Terminal.say("\(step.verdict.rawValue): \(step.name): \(wanted)\(step.found)")
        }
        if explanation.cause == nil, let next = explanation.next { Terminal.say("hint: \(next)") }
    }

    private func opener(in arena: SecretArena) throws(Failure) -> Opener {
        var rings: KeyRing?
        for path in keyFiles {
            let ring = try Keys.ring(inFile: path, "key file", in: arena)
            if rings == nil { rings = consume ring } else { rings?.append(ring) }
        }
        var policy = OpenPolicy()
        if !accept.isEmpty { policy.accept = Set(accept.flatMap(\.formats)) }
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
