// SPDX-License-Identifier: Apache-2.0

/// A desktop file, as far as its program is started by it.
///
/// Source: Desktop Entry Specification 1.5, "Basic format of the file" and "Recognized desktop entry keys".
package struct DesktopFile: Sendable, Equatable {
    /// Bytes of a file that is read.
    package static let byteLimit = 64 << 10

    /// The reason for which a file starts nothing.
    package enum Fault: Error, Equatable {
        /// The file is no desktop file of an application, or says that it is to be taken for deleted.
        case noApplication
        /// The program draws in a terminal, which the agent has none of.
        case needsTerminal
        /// The file names no command.
        case noCommand
        /// The command is none by the rules of quoting and of field codes.
        case malformedCommand
    }

    /// The values of the group `Desktop Entry`, as they stand in the file.
    private let values: [String: String]

    /// Reads a file; `nil` means that it is longer than is read, or no text.
    package init?(_ bytes: [UInt8]) {
        guard bytes.count <= Self.byteLimit else { return nil }
        var values: [String: String] = [:]
        var isInGroup = false
        for bytes in bytes.split(separator: UInt8(ascii: "\n")) where bytes.first != UInt8(ascii: "#") {
            guard let line = String(validating: bytes, as: UTF8.self)?.trimmingBlanks else { return nil }
            if line.utf8.first == UInt8(ascii: "[") {
                isInGroup = line == "[Desktop Entry]"
            } else if isInGroup, let equals = line.utf8.firstIndex(of: UInt8(ascii: "=")) {
                let key = String(line[..<equals]).trimmingBlanks
                values[key] = values[key] ?? String(line[line.index(after: equals)...]).trimmingBlanks
            }
        }
        self.values = values
    }

    /// True if the program comes about by a call of its name on the bus.
    package var isActivatable: Bool { isTrue("DBusActivatable") }

    /// True if the program has this action, which a call of its name on the bus carries out.
    ///
    /// Source: Desktop Entry Specification 1.5, "Additional applications actions".
    package func offers(_ action: String) -> Bool {
        !action.isEmpty && text("Actions")?.split(separator: ";").contains { $0 == action } == true
    }

    /// The program that has to be there for the file to count; `nil` means that none is named.
    package var required: String? { text("TryExec").flatMap { $0.isEmpty ? nil : $0 } }

    /// The key by which a file of the agent's own says to which centre it belongs.
    static let centerKey = "X-Nestbox-Center"

    /// The centre to which a file of an agent belongs; `nil` means that no agent has written it.
    package var center: String? { text(Self.centerKey) }

    /// Throws if the file is not to start anything.
    package func check() throws(Fault) {
        guard text("Type") == "Application", !isTrue("Hidden") else { throw .noApplication }
    }

    /// The words that start the program, the first of which is its name or its path.
    ///
    /// `path` is that of the file, and `address` what the program is to show; `nil` means nothing.
    package func command(at path: String, showing address: PageAddress?, in language: String) throws(Fault) -> [String]
    {
        try check()
        guard !isTrue("Terminal") else { throw .needsTerminal }
        guard let line = text("Exec"), !line.isEmpty else { throw .noCommand }
        let name = text("Name[\(language)]") ?? text("Name") ?? ""
        let codes = ExecLine.Codes(address: address?.text, icon: text("Icon") ?? "", name: name, path: path)
        guard let words = ExecLine(line)?.words(codes), words.first?.isEmpty == false else { throw .malformedCommand }
        return words
    }

    private func isTrue(_ key: String) -> Bool { values[key] == "true" }

    /// The text of a value, in which some characters are spelt out.
    private func text(_ key: String) -> String? {
        guard let value = values[key] else { return nil }
        var text = String.UnicodeScalarView()
        var isEscaped = false
        for scalar in value.unicodeScalars {
            guard isEscaped else {
                if scalar == "\\" { isEscaped = true } else { text.append(scalar) }
                continue
            }
            isEscaped = false
            switch scalar {
            case "s": text.append(" ")
            case "n": text.append("\n")
            case "t": text.append("\t")
            case "r": text.append("\r")
            case "\\": text.append("\\")
            // One that the format does not know stays, for the rules of the command.
            default: text.append(contentsOf: ["\\", scalar])
            }
        }
        if isEscaped { text.append("\\") }
        return String(text)
    }
}

extension String {
    /// The text without the blanks at its ends.
    fileprivate var trimmingBlanks: String {
        let isBlank = { (scalar: Unicode.Scalar) in scalar == " " || scalar == "\t" || scalar == "\r" }
        let start = unicodeScalars.drop(while: isBlank)
        return String(start.dropLast(start.reversed().prefix(while: isBlank).count))
    }
}
