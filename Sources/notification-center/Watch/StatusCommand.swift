// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import CenterAsking
import NIOHTTP1
import NotificationPayload

struct StatusCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "status",
        abstract: "Shows one line about what is new, for a status bar or a prompt.",
        discussion: """
            The format's words in braces are replaced: {unseen} by the number of notifications that nobody has seen,
            {badge} by the sum of the apps' badges, {app}, {title} and {id} by those of the newest notification. Without
            a notification the last three are empty.

            Example:
              notification-center status --format '{unseen} {app}'
            """
    )

    @OptionGroup var folder: OwnerFolder

    @Option(help: "The line, with words in braces.")
    var format = "{unseen}"

    func run() async throws {
        let line = try StatusLine(format)
        try Terminal.print(line.text(of: try await CenterClient(folder).ask(.GET, "/v1/front?limit=1")))
    }
}

/// A format with words in braces, and the line that it makes of a front page.
struct StatusLine {
    private enum Word: String, CaseIterable {
        case unseen, badge, app, title, id
    }

    private enum Piece {
        case text(String)
        case word(Word)
    }

    private let pieces: [Piece]

    /// - Throws: `Failure` for a word that there is not; two opening braces stand for one.
    init(_ format: String) throws(Failure) {
        var pieces: [Piece] = []
        var rest = format[...]
        while let brace = rest.firstIndex(of: "{") {
            pieces.append(.text(String(rest[..<brace])))
            rest = rest[rest.index(after: brace)...]
            if rest.first == "{" {
                pieces.append(.text("{"))
                rest = rest.dropFirst()
                continue
            }
            let name = rest.prefix { $0 != "}" }
            guard name.endIndex < rest.endIndex, let word = Word(rawValue: String(name)) else {
                throw Failure(
                    "the format has \"{\(name)\", which is no word that is known",
                    hint: "the words are " + Word.allCases.map { "{\($0.rawValue)}" }.joined(separator: ", ")
                )
            }
            pieces.append(.word(word))
            rest = rest[name.endIndex...].dropFirst()
        }
        self.pieces = pieces + [.text(String(rest))]
    }

    func text(of front: JSONObject) -> String {
        let leading = front["stacks"]?.array?.first?.object?["leading"]?.object
        return pieces.map { piece in
            switch piece {
            case .text(let text): text
            case .word(.unseen): "\(front["unseen"]?.integer ?? 0)"
            case .word(.badge): "\(front["badge"]?.integer ?? 0)"
            case .word(.app): DisplayText.line(Self.name(of: leading?["app"]?.string, in: front))
            case .word(.title): DisplayText.line(Self.title(of: leading))
            case .word(.id): DisplayText.line(leading?["id"]?.string ?? "")
            }
        }.joined()
    }

    private static func name(of topic: String?, in front: JSONObject) -> String {
        let app = front["apps"]?.array?.first { $0.object?["app"]?.string == topic }
        return app?.object?["name"]?.string ?? topic ?? ""
    }

    private static func title(of notification: JSONObject?) -> String {
        let alert = notification?["payload"]?.object?["aps"]?.object?["alert"]
        return alert?.object?["title"]?.string ?? alert?.string ?? ""
    }
}
