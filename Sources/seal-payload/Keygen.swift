// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import E2ECrypto
import Glibc
import NotificationPayload

/// `seal-payload keygen`: makes a key file, changes one, or prints the public halves of one.
struct Keygen: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "keygen",
        abstract: "Make, rotate, prune or show keys.",
        discussion: """
            A key file is a ring: its first key is current, the others still open.
            --rotate puts a new key on top and marks the former one as retired;
            --prune deletes keys retired more than 30 days ago, which is as long as
            anything sealed to them can be opened. A crash leaves the old file or
            the new one. A ring holds 16 keys: prune a full one, or delete keys by
            hand.

            Public halves go to standard error; of a web-push subscription p256dh
            and auth. Keep auth between you and the server that pushes.

            Example:
              seal-payload keygen -o my.key
              seal-payload keygen --rotate my.key
              seal-payload keygen -y my.key | head -n 1 >my.pub
            """
    )

    /// The kind of secret that a new key file holds.
    enum Kind: String, ExpressibleByArgument, CaseIterable {
        case x25519
        case webPush = "web-push"
    }

    @Option(
        name: .customShort("o"),
        help: ArgumentHelp("Write the key file here, with mode 0600; never overwrites.", valueName: "file"),
        completion: .file()
    )
    var output: String?

    @Option(help: ArgumentHelp("x25519, which is the default, or a web-push subscription.", valueName: "format"))
    var format: Kind?

    @Flag(help: "Make a secret that both sides have in place of a key pair.")
    var paired = false

    @Option(
        help: ArgumentHelp("Put a new key on top of this key file and retire the current one.", valueName: "file"),
        completion: .file()
    )
    var rotate: String?

    @Option(
        help: ArgumentHelp("Delete keys from this key file that were retired 30 days ago.", valueName: "file"),
        completion: .file()
    )
    var prune: String?

    @Flag(name: .customShort("y"), help: "Read a key file and print its public halves, the current one first.")
    var printsPublic = false

    @Argument(help: "The key file to read with -y; standard input by default.", completion: .file())
    var input: String?

    func run() throws {
        try checkOptions()
        let arena = try Keys.arena()
        if printsPublic {
            try printPublicKeys(in: arena)
        } else if let rotate {
            try rotateKeys(in: rotate, arena)
        } else if let prune {
            try pruneKeys(in: prune, arena)
        } else {
            try makeKey(in: arena)
        }
    }

    private func checkOptions() throws(Failure) {
        let changes: [(String, Bool)] = [
            ("-y", printsPublic), ("--rotate", rotate != nil), ("--prune", prune != nil),
        ].filter(\.1)
        guard changes.count < 2 else { throw .usage("\(changes[0].0) and \(changes[1].0) exclude each other") }
        if let change = changes.first?.0 {
            guard output == nil, format == nil, !paired else { throw .usage("\(change) makes no file") }
        }
        guard printsPublic || input == nil else { throw .usage("keygen reads no file without -y") }
        guard !paired || format == nil else { throw .usage("--paired and --format exclude each other") }
    }

    private func makeKey(in arena: SecretArena) throws(Failure) {
        do throws(KeyFileError) {
            let ring = try makeRing(in: arena)
            if let output, output != "-" {
                try KeyFile.create(path: output, ring: ring, created: Now.milliseconds)
            } else {
                try KeyFile.write(ring: ring, created: Now.milliseconds, to: STDOUT_FILENO)
            }
            try KeyFile.writeSubscription(of: ring, prefix: "seal-payload: ", to: STDERR_FILENO)
            for key in ring.publicKeys { Terminal.say("public key: \(key)") }
            for id in ring.pairedSecretIDs { Terminal.say("paired secret: \(id)") }
        } catch {
            throw Failure(error, "key file", output ?? "-")
        }
    }

    private func makeRing(in arena: SecretArena) throws(KeyFileError) -> KeyRing {
        guard !paired else { return try KeyRing.generatePairedSecret(in: arena) }
        return switch format ?? .x25519 {
        case .x25519: try KeyRing.generate(in: arena)
        case .webPush: try KeyRing.generateSubscription(in: arena)
        }
    }

    private func rotateKeys(in path: String, _ arena: SecretArena) throws(Failure) {
        try Keys.refuseKey(inPlaceOf: "key file", path)
        do {
            let key = try KeyFile.rotate(path: path, now: Now.milliseconds, in: arena)
            Terminal.say("public key: \(key)")
        } catch {
            throw Failure(error, "key file", path)
        }
    }

    private func pruneKeys(in path: String, _ arena: SecretArena) throws(Failure) {
        try Keys.refuseKey(inPlaceOf: "key file", path)
        let deleted: [KeyID]
        do {
            deleted = try KeyFile.prune(path: path, now: Now.milliseconds, in: arena)
        } catch {
            throw Failure(error, "key file", path)
        }
        for id in deleted { Terminal.say("deleted: \(id)") }
        if deleted.isEmpty { Terminal.say("nothing to delete: no key was retired more than 30 days ago") }
    }

    private func printPublicKeys(in arena: SecretArena) throws(Failure) {
        let ring: KeyRing
        if let input, input != "-" {
            ring = try Keys.ring(inFile: input, "key file", in: arena)
        } else {
            do {
                ring = try KeyFile.read(descriptor: STDIN_FILENO, into: arena)
            } catch {
                throw Failure(error, "key file", "-")
            }
        }
        try Files.write(ring.publicKeys.map { "\($0)\n" }.joined())
        for (key, since) in ring.retiredKeys { Terminal.say("retired \(UTCTime.text(of: since)): \(key)") }
        for id in ring.pairedSecretIDs { Terminal.say("paired secret: \(id)") }
    }
}
