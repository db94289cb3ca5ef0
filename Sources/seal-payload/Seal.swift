// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import E2ECrypto
import NotificationPayload

/// `seal-payload [seal]`: one body for each recipient on standard output.
struct Seal: ParsableCommand {
    static let configuration = CommandConfiguration(abstract: "Seal a payload; this is what no subcommand does.")

    @Option(name: .customShort("r"), help: ArgumentHelp("A recipient's public key.", valueName: "key"))
    var recipients: [String] = []

    @Option(name: .customShort("R"), help: ArgumentHelp("A file of public keys, one a line.", valueName: "file"))
    var recipientFiles: [String] = []

    @Option(
        name: .customShort("s"),
        help: ArgumentHelp(
            "The key file to seal in the name of; without it the payload is anonymous.",
            valueName: "file"
        )
    )
    var senderFile: String?

    @Option(help: "The app's topic: the envelope opens under no other.")
    var topic: String?

    @Option(name: .customLong("collapse-id"), help: "Bind the envelope to this apns-collapse-id.")
    var collapseID: String?

    @Option(help: ArgumentHelp("How long it may be opened: 45s, 10m, 2h, at most 30d.", valueName: "duration"))
    var ttl: DurationArgument?

    @Option(help: ArgumentHelp("Pad to the limit, not at all, or to N bytes.", valueName: "max|none|N"))
    var pad: PaddingArgument?

    @Option(name: .customShort("f"), help: ArgumentHelp("What is shown when nothing can be opened.", valueName: "text"))
    var fallback = Body.defaultFallback

    @Option(help: ArgumentHelp("A key that stays in the clear as well.", valueName: "key"))
    var keep: [String] = []

    @Option(help: ArgumentHelp("v1 or sealed-box.", valueName: "format"))
    var format: FormatArgument?

    @Option(name: .customShort("o"), help: ArgumentHelp("Write here, not to standard output.", valueName: "file"))
    var output: String?

    @Argument(help: "The payload; standard input by default.")
    var input: String?

    func run() throws {
        try checkOptions()
        let arena = try Keys.arena()
        let recipients = try recipientKeys(in: arena)
        let bytes = try Files.read(input)
        let object = try JSONObject(payload: bytes, Files.name(input))
        let body = try Body(fallback: fallback, keeping: keep, of: try Self.normalised(object, Files.name(input)))
        let content = object.serialized
        let now = Now.milliseconds
        var lines = ""
        for recipient in recipients {
            let sealer = try sealer(to: recipient, in: arena)
            lines += body.sealed(try seal(content, with: sealer, for: body, now: now)).line
        }
        try Files.write(lines, to: output)
    }

    private var sealFormat: SealFormat { format?.format ?? .v1 }

    private func checkOptions() throws(Failure) {
        guard !recipients.isEmpty || !recipientFiles.isEmpty else {
            throw .usage("no recipient", hint: "pass a public key with -r, or a file of them with -R")
        }
        switch sealFormat {
        case .v1:
            guard topic != nil else { throw .usage("missing expected argument '--topic <topic>'") }
        default:
            let given: [(String, Bool)] = [
                ("-s", senderFile != nil), ("--collapse-id", collapseID != nil), ("--ttl", ttl != nil),
                ("--pad", pad != nil),
            ]
            for (option, isGiven) in given where isGiven {
                throw .usage("a sealed box has no \(option)", hint: "use --format v1")
            }
        }
    }

    private func recipientKeys(in arena: SecretArena) throws(Failure) -> [PublicKey] {
        var keys: [PublicKey] = []
        for text in recipients { keys.append(try Keys.publicKey(text, "recipient key")) }
        for path in recipientFiles { keys += try Keys.publicKeys(inFile: path, in: arena) }
        return keys
    }

    /// The payload as its receiver will see it, so that what a receiver refuses is never sent.
    private static func normalised(_ object: JSONObject, _ name: String) throws(Failure) -> JSONObject {
        guard object["encrypted-content"] == nil else {
            throw .refused("\(name) is sealed already", hint: "seal the clear payload")
        }
        do {
            return try ContentRules.payload(from: object.serialized.span, .json, allowsCritical: true)
        } catch {
            throw .refused(
                "\(name) is no payload",
                hint: "\"aps\" is an object; without it, title, subtitle, body, thread-id and category are strings"
            )
        }
    }

    private func sealer(to recipient: PublicKey, in arena: SecretArena) throws(Failure) -> Sealer {
        guard let senderFile else { return Sealer(to: recipient, in: arena) }
        let sender = try Keys.ring(inFile: senderFile, "sender key", in: arena)
        do { return try Sealer(to: recipient, from: sender) } catch { throw .refused("\(error)") }
    }

    private func seal(
        _ content: [UInt8],
        with sealer: Sealer,
        for body: Body,
        now: Int64
    ) throws(Failure) -> String {
        do {
            switch sealFormat {
            case .sealedBox:
                return try sealer.sealBox(content.span, room: body.textRoom)
            default:
                return try sealer.seal(
                    content.span,
                    context: PushContext(topic: topic ?? "", collapseID: collapseID),
                    issued: now,
                    ttl: ttl?.seconds ?? 0,
                    padding: pad?.padding ?? .buckets,
                    room: body.textRoom
                )
            }
        } catch .tooLarge(let excess) {
            let room = sealer.contentRoom(inText: body.textRoom, format: sealFormat)
            throw .tooLarge(
                "the payload is \(excess) \(excess == 1 ? "byte" : "bytes") too large for APNs: "
                    + "it has \(content.count), there is room for \(max(0, room))",
                hint: "shorten it, or send less in the clear"
            )
        } catch .paddingTooSmall(let needed) {
            throw .refused("--pad is too small", hint: "this payload needs at least --pad \(needed)")
        } catch .badContext(let part) {
            throw .usage("\(SealError.badContext(part))")
        } catch {
            throw .refused("\(error)")
        }
    }
}
