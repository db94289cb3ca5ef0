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

    /// The socket of the owner's API.
    var http: String { CenterPaths(folder: folder).http(of: owner) }
}
