// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import CenterAsking

/// The centre and the owner whose notifications are shown.
struct CenterPlace: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "The centre's folder, with its sockets.",
            discussion: "Without it the sockets are in nestbox in $XDG_RUNTIME_DIR."
        )
    )
    var folder: String?

    @Option(help: "The owner, as \"notification-center serve\" was told; without it the only one, me.")
    var owner: String?

    func validate() throws {
        // Anything else would be a path of its own.
        guard owner.map({ !$0.isEmpty && !$0.contains("/") && !$0.hasPrefix(".") }) ?? true else {
            throw ValidationError("\"\(owner ?? "")\" is no name of an owner")
        }
    }

    /// The command that lists the owner's notifications, for a shell.
    var list: String {
        (["notification-center", "list"] + (folder.map { ["--folder", $0] } ?? [])
            + (owner.map { ["--owner", $0] } ?? []))
            .map(Self.quoted).joined(separator: " ")
    }

    /// The words that open the page of an app, as a desktop file has them.
    func open(_ topic: String) -> [String] {
        ["notification-desktop", "open", topic] + (folder.map { ["--folder", CenterPaths(folder: $0).folder] } ?? [])
            + (owner.map { ["--owner", $0] } ?? [])
    }

    private static func quoted(_ word: String) -> String {
        let isPlain = word.utf8.allSatisfy { byte in
            byte == UInt8(ascii: "-") || byte == UInt8(ascii: "_")
                || (UInt8(ascii: ".")...UInt8(ascii: "9")).contains(byte)
                || (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte | 0x20)
        }
        return isPlain ? word : "'" + word.replacing("'", with: #"'\''"#) + "'"
    }

    /// The socket of the owner's API.
    var http: String { CenterPaths(folder: folder).httpToAsk(of: owner) }
}
