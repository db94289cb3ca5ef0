// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import E2ECrypto

/// `seal-payload [seal]`: one body for each recipient on standard output.
struct Seal: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "seal",
        abstract: "Seal a payload; this is what no subcommand does.",
        discussion: """
            Several recipients get a body each, a line each: those of -r first,
            then those of -R, in the order given.

            With --batch each line of the input is a payload of its own, and gives
            a line for each recipient in that order, or as many {"error":...} lines.
            They are written as soon as the input pauses; a file of -o is replaced
            when the last one is answered. Exit code 1 when a line failed.

            Example:
              seal-payload keygen -o my.key
              seal-payload keygen -y my.key >my.pub
              echo '{"title":"Alice","body":"Lunch?"}' |
                seal-payload seal -R my.pub --topic com.example.chat --ttl 2h
            """
    )

    @Option(name: .customShort("r"), help: ArgumentHelp("A recipient's public key.", valueName: "key"))
    var recipients: [String] = []

    @Option(
        name: .customShort("R"),
        help: ArgumentHelp("A file of public keys, one a line.", valueName: "file"),
        completion: .file()
    )
    var recipientFiles: [String] = []

    @Option(
        name: .customShort("s"),
        help: ArgumentHelp(
            "The key file to seal in the name of; without it the payload is anonymous.",
            valueName: "file"
        ),
        completion: .file()
    )
    var senderFile: String?

    @Option(help: "The app's topic: the envelope opens under no other.")
    var topic: String?

    @Option(name: .customLong("collapse-id"), help: "Bind the envelope to this apns-collapse-id.")
    var collapseID: String?

    @Option(name: .customLong("request-id"), help: "Bind the envelope to this apns-id.")
    var requestID: String?

    @Option(help: ArgumentHelp("How long it may be opened: 45s, 10m, 2h, at most 30d.", valueName: "duration"))
    var ttl: DurationArgument?

    @Option(
        help: ArgumentHelp("Pad to the limit, not at all, or to N bytes.", valueName: "max|none|N"),
        completion: .list(["max", "none"])
    )
    var pad: PaddingArgument?

    @Option(name: .customShort("f"), help: ArgumentHelp("What is shown when nothing can be opened.", valueName: "text"))
    var fallback = Sealer.defaultFallback

    @Option(help: ArgumentHelp("A key that stays in the clear as well.", valueName: "key"))
    var keep: [String] = []

    @Option(
        help: ArgumentHelp("v1, which is the default, or sealed-box.", valueName: "format"),
        completion: .list(FormatArgument.allValueStrings)
    )
    var format: FormatArgument?

    @Flag(help: "Seal each line of the input.")
    var batch = false

    @Option(
        name: .customShort("o"),
        help: ArgumentHelp("Write here once all is sealed, not to standard output.", valueName: "file"),
        completion: .file()
    )
    var output: String?

    @Argument(help: "The payload; standard input by default.", completion: .file())
    var input: String?

    func run() throws {
        try checkOptions()
        let arena = try Keys.arena()
        let sealer = try bodySealer(in: arena)
        if batch {
            try Batch.run(from: input, to: output, lineCount: sealer.sealers.count) { (line, name) throws(Failure) in
                try sealer.seal(line, name, now: Now.milliseconds)
            }
        } else {
            let bytes = try Files.read(input)
            try Output.write(sealer.seal(bytes.span, Files.name(input), now: Now.milliseconds), to: output)
        }
    }

    private var sealFormat: SealFormat { format?.format ?? .v1 }

    private func checkOptions() throws(Failure) {
        guard !recipients.isEmpty || !recipientFiles.isEmpty else {
            throw .usage("no recipient", hint: "pass a public key with -r, or a file of them with -R")
        }
        guard sealFormat == .sealedBox else {
            guard topic != nil else { throw .usage("missing expected argument '--topic <topic>'") }
            return
        }
        let given: [(String, Bool)] = [
            ("-s", senderFile != nil), ("--collapse-id", collapseID != nil), ("--request-id", requestID != nil),
            ("--ttl", ttl != nil), ("--pad", pad != nil),
        ]
        for (option, isGiven) in given where isGiven {
            throw .usage("a sealed box has no \(option)", hint: "use --format v1")
        }
    }

    private func bodySealer(in arena: SecretArena) throws(Failure) -> BodySealer {
        try BodySealer(
            sealers: sealers(in: arena),
            format: sealFormat,
            context: PushContext(topic: topic ?? "", collapseID: collapseID, requestID: requestID),
            ttl: ttl?.seconds ?? 0,
            padding: pad?.padding ?? .buckets,
            fallback: fallback,
            keeping: keep
        )
    }

    private func sealers(in arena: SecretArena) throws(Failure) -> [Sealer] {
        var keys: [PublicKey] = []
        for text in recipients { keys.append(try Keys.publicKey(text, "recipient key")) }
        for path in recipientFiles { keys += try Keys.publicKeys(inFile: path, in: arena) }
        guard let senderFile else { return keys.map { Sealer(to: $0, in: arena) } }
        let sender = try Keys.ring(inFile: senderFile, "sender key", in: arena)
        var sealers: [Sealer] = []
        for key in keys {
            do { sealers.append(try Sealer(to: key, from: sender)) } catch { throw .refused("\(error)") }
        }
        return sealers
    }
}
