// SPDX-License-Identifier: Apache-2.0

/// A desktop file for an app that names none, by which a desktop groups its popups and has settings for them.
///
/// Source: presenters.md §8, rule 13; Desktop Entry Specification 1.5.
package struct OwnDesktopFile: Sendable, Equatable {
    /// Unicode scalars of a name.
    private static let nameLimit = 200

    /// The name of the file in the folder of applications.
    package let name: String
    package let text: String
    /// True if the file names a picture, which has the name of the file.
    package let hasPicture: Bool

    /// Makes the file of a topic; `nil` means that its name would be none of a desktop file.
    ///
    /// `command` opens the app's page, and `center` says to which centre the file belongs.
    init?(of topic: String, called appName: String, hasPicture: Bool = false, command: [String], center: String) {
        guard let entry = Self.entry(of: topic) else { return nil }
        name = entry.id + ".desktop"
        self.hasPicture = hasPicture
        let scalars = PopupText.line(appName).unicodeScalars.prefix(Self.nameLimit)
        let lines = [
            "[Desktop Entry]", "Type=Application", "Name=" + Self.escaped(String(String.UnicodeScalarView(scalars))),
            "Icon=\(hasPicture ? entry.id : "dialog-information")",
            "Exec=" + Self.escaped(command.map(Self.quoted).joined(separator: " ")),
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
