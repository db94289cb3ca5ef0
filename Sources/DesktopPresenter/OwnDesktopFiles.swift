// SPDX-License-Identifier: Apache-2.0

package import NotificationPayload

/// A desktop file for an app that names none, by which a desktop groups its popups and has settings for them.
///
/// Source: presenters.md §8, rule 13; Desktop Entry Specification 1.5.
package struct OwnDesktopFile: Sendable, Equatable {
    /// Unicode scalars of a name.
    private static let nameLimit = 200

    /// The name of the file in the folder of applications.
    package let name: String
    package let text: String

    /// Makes the file of a topic; `nil` means that its name would be none of a desktop file.
    ///
    /// `command` opens the app's page, and `center` says to which centre the file belongs.
    init?(of topic: String, called appName: String, command: [String], center: String) {
        guard let entry = Self.entry(of: topic) else { return nil }
        name = entry.id + ".desktop"
        let scalars = PopupText.line(appName).unicodeScalars.prefix(Self.nameLimit)
        let lines = [
            "[Desktop Entry]", "Type=Application", "Name=" + Self.escaped(String(String.UnicodeScalarView(scalars))),
            "Icon=dialog-information", "Exec=" + Self.escaped(command.map(Self.quoted).joined(separator: " ")),
            "NoDisplay=true", "X-GNOME-UsesNotifications=true", "\(DesktopFile.centerKey)=" + Self.escaped(center),
        ]
        text = lines.map { $0 + "\n" }.joined()
    }

    /// The id of the file of a topic; `nil` means that it would be none.
    package static func entry(of topic: String) -> DesktopEntry? {
        // One that begins with a dash would be an option of the command.
        DesktopEntry(topic) == nil ? nil : DesktopEntry("nestbox." + topic)
    }

    /// A text as a value of a desktop file has it.
    private static func escaped(_ text: String) -> String {
        var value = ""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "\\": value += "\\\\"
            case "\n": value += "\\n"
            case "\r": value += "\\r"
            case "\t": value += "\\t"
            default: value.unicodeScalars.append(scalar)
            }
        }
        return value.hasPrefix(" ") ? "\\s" + value.dropFirst() : value
    }

    /// A word as a command has it.
    private static func quoted(_ word: String) -> String {
        var quoted = "\""
        for scalar in word.unicodeScalars {
            switch scalar {
            case "\"", "`", "$", "\\": quoted += "\\" + String(scalar)
            case "%": quoted += "%%"
            default: quoted.unicodeScalars.append(scalar)
            }
        }
        return quoted + "\""
    }
}

/// The desktop files that the apps of one centre are to have.
package struct OwnDesktopFiles: Sendable {
    /// Files of one centre; of more apps the first ones by their topics have some.
    package static let limit = 256
    /// Apps of one centre.
    private static let appLimit = 1_000

    private let center: String
    private let command: @Sendable (String) -> [String]
    /// The names of the apps that name no desktop file.
    private var names: [String: String] = [:]
    private var told: [OwnDesktopFile]?

    /// Takes what a file says of its centre, and the command that opens the page of a topic.
    package init(center: String, command: @escaping @Sendable (String) -> [String]) {
        (self.center, self.command) = (center, command)
    }

    /// Takes all apps of the centre.
    package mutating func take(front: JSONObject) {
        names = [:]
        for case .object(let app) in front["apps"]?.array ?? [] { take(app: app) }
    }

    /// Takes what the centre tells of an app.
    package mutating func take(app: JSONObject) {
        guard let topic = app["app"]?.string else { return }
        let isNamed = app["desktopEntry"]?.string.flatMap(DesktopEntry.init) != nil
        guard !isNamed, app["removed"] != true, names[topic] != nil || names.count < Self.appLimit else {
            names[topic] = nil
            return
        }
        names[topic] = app["name"]?.string ?? topic
    }

    /// Returns all files that are to be there, if they are others than were returned last.
    package mutating func changes() -> [OwnDesktopFile]? {
        let files = names.sorted { $0.key < $1.key }.compactMap { topic, name in
            OwnDesktopFile(of: topic, called: name, command: command(topic), center: center)
        }
        let wanted = Array(files.prefix(Self.limit))
        guard wanted != told else { return nil }
        told = wanted
        return wanted
    }
}
