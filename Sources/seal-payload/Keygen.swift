// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import E2ECrypto
import Glibc

/// `seal-payload keygen`: makes a key file, or prints the public halves of one.
struct Keygen: ParsableCommand {
    static let configuration = CommandConfiguration(abstract: "Make a key pair, or print public halves with -y.")

    @Option(
        name: .customShort("o"),
        help: ArgumentHelp("Write the key file here, with mode 0600; never overwrites.", valueName: "file")
    )
    var output: String?

    @Flag(name: .customShort("y"), help: "Read a key file and print its public halves, the current one first.")
    var printsPublic = false

    @Argument(help: "The key file to read with -y; standard input by default.")
    var input: String?

    func run() throws {
        let arena = try Keys.arena()
        if printsPublic {
            guard output == nil else { throw Failure.usage("-y makes no file") }
            try printPublicKeys(in: arena)
        } else {
            guard input == nil else { throw Failure.usage("keygen reads no file without -y") }
            try makeKey(in: arena)
        }
    }

    private func makeKey(in arena: SecretArena) throws(Failure) {
        guard let ring = KeyRing.generate(in: arena) else { throw .refused("no memory for a key") }
        do throws(KeyFileError) {
            if let output {
                try KeyFile.create(path: output, ring: ring, created: Now.text)
            } else {
                try KeyFile.write(ring: ring, created: Now.text, to: STDOUT_FILENO)
            }
        } catch {
            throw Failure(error, "key file", output ?? "-")
        }
        for key in ring.publicKeys { Terminal.say("public key: \(key)") }
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
        try Files.write(ring.publicKeys.map { "\($0)\n" }.joined(), to: nil)
    }
}
