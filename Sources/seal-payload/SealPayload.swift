// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import CLinux

/// The sender's command: seals payloads, makes keys, opens and checks.
@main
struct SealPayload: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "seal-payload",
        abstract: "Seal a push payload so that only its recipient can read it.",
        usage: """
            seal-payload [seal] [-r KEY | -R FILE]... [-s SENDER-KEY-FILE] --topic TOPIC [--collapse-id ID]
                         [--request-id ID] [--ttl DURATION] [--pad max|none|N] [-f FALLBACK-TEXT]
                         [--keep KEY]... [--format v1|sealed-box] [--batch] [-o OUT] [IN]
            seal-payload keygen [--paired | --format x25519|web-push] [-o FILE]
            seal-payload keygen -y [FILE]
            seal-payload keygen --rotate FILE
            seal-payload keygen --prune FILE
            seal-payload open -i KEY-FILE... [--sender PUBLIC-KEY]... --topic TOPIC [--collapse-id ID]
                         [--request-id ID] [--accept FORMAT,...]... [--at TIME] [--explain | --batch] [IN]
            seal-payload check [IN]
            seal-payload attach [-o SEALED] [--url URL] [--id ID] [--type TYPE] [--name NAME] FILE
            seal-payload attach --open ENTRY-FILE -o FILE SEALED
            """,
        discussion: """
            IN is an APNs payload, or the shorthand {"title","subtitle","body",...};
            without IN, or with "-", it is standard input. What it says moves inside;
            outside stay the fallback text, "mutable-content": 1, and what --keep
            names. The body goes to standard output, a line for each recipient.

            Exit codes:
              0 done                     3 too large for APNs
              1 refused or not opened    4 no key matches
              2 usage

            Example:
              seal-payload keygen -o recipient.key
              seal-payload keygen -y recipient.key >recipient.pub
              echo '{"title":"Alice","body":"Lunch?"}' |
                seal-payload -R recipient.pub --topic com.example.chat
            """,
        version: "seal-payload \(NESTBOX_VERSION)",
        subcommands: [Seal.self, Keygen.self, Open.self, Check.self, Attach.self],
        defaultSubcommand: Seal.self
    )

    static func main() {
        Terminal.prepare()
        do {
            var command = try parsed(Array(CommandLine.arguments.dropFirst()))
            try command.run()
        } catch let failure as Failure {
            Terminal.end(failure)
        } catch {
            if exitCode(for: error).isSuccess {
                do {
                    try Files.write(withExampleLast(fullMessage(for: error)) + "\n")
                    return
                } catch {
                    Terminal.end(error)
                }
            }
            Terminal.end(.usage(Terminal.lowercased(message(for: error))))
        }
    }

    /// The example of a help text moves to its end, where the reader is when the text has scrolled by.
    private static func withExampleLast(_ help: String) -> String {
        let blocks = help.split(separator: "\n\n", omittingEmptySubsequences: false)
        guard help.hasPrefix("OVERVIEW: "), let example = blocks.first(where: { $0.hasPrefix("Example:\n") }) else {
            return help
        }
        return (blocks.filter { $0 != example } + [example]).map { $0.trimming("\n") }.joined(separator: "\n\n")
    }

    /// Asks the one subcommand that is meant, which spares the parser from describing all of them, and the whole
    /// grammar about anything that it does not understand.
    private static func parsed(_ arguments: [String]) throws -> any ParsableCommand {
        let name = arguments.first ?? ""
        let named = configuration.subcommands.first { $0.configuration.commandName == name }
        let command = try? (named ?? Seal.self).parse(Array(arguments.dropFirst(named == nil ? 0 : 1)))
        return try command ?? parseAsRoot(arguments)
    }
}

extension Substring {
    fileprivate func trimming(_ end: Character) -> Substring {
        var text = self
        while text.last == end { text.removeLast() }
        return text
    }
}
