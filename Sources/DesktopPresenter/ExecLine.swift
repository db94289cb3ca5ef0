// SPDX-License-Identifier: Apache-2.0

/// The command of a desktop file: words with quotes and field codes, and no shell.
///
/// Source: Desktop Entry Specification 1.5, "The Exec key".
struct ExecLine: Equatable {
    /// The values of the field codes.
    struct Codes {
        /// The address that the program is to show; `nil` means none.
        let address: String?
        let icon: String
        let name: String
        /// The path of the desktop file.
        let path: String
    }

    /// Words of a command.
    static let wordLimit = 256
    /// Characters that are the shell's, and have to stand in quotes.
    private static let reserved: Set<Unicode.Scalar> = [
        "'", "\\", ">", "<", "~", "|", "&", ";", "$", "*", "?", "#", "(", ")", "`",
    ]
    private static let quotedEscapes: Set<Unicode.Scalar> = ["\"", "`", "$", "\\"]

    /// The words, still with their field codes.
    private let templates: [String]

    /// Reads a command; `nil` means that its quotes are none, or that it has more words than one has.
    init?(_ line: String) {
        var words: [String] = []
        var word: String?
        var isQuoted = false
        var isEscaped = false
        // A word that is quoted is quoted as a whole.
        var isClosed = false
        for scalar in line.unicodeScalars {
            if isEscaped {
                guard Self.quotedEscapes.contains(scalar) else { return nil }
                word?.unicodeScalars.append(scalar)
                isEscaped = false
            } else if isQuoted {
                switch scalar {
                case "\"": (isQuoted, isClosed) = (false, true)
                case "\\": isEscaped = true
                case "`", "$": return nil
                default: word?.unicodeScalars.append(scalar)
                }
            } else if scalar == " " || scalar == "\t" || scalar == "\n" {
                if let word { words.append(word) }
                (word, isClosed) = (nil, false)
            } else if scalar == "\"" {
                guard word == nil else { return nil }
                (word, isQuoted) = ("", true)
            } else {
                guard !isClosed, !Self.reserved.contains(scalar) else { return nil }
                word = (word ?? "") + String(scalar)
            }
        }
        guard !isQuoted else { return nil }
        if let word { words.append(word) }
        guard !words.isEmpty, words.count <= Self.wordLimit else { return nil }
        templates = words
    }

    /// The words with the values of their field codes; `nil` means that one of the codes is none.
    func words(_ codes: Codes) -> [String]? {
        var words: [String] = []
        for template in templates {
            switch template {
            case "%u", "%U": words += codes.address.map { [$0] } ?? []
            case "%f", "%F": break
            case "%i": words += codes.icon.isEmpty ? [] : ["--icon", codes.icon]
            default:
                guard let word = Self.word(template, codes) else { return nil }
                words.append(word)
            }
        }
        return words
    }

    private static func word(_ template: String, _ codes: Codes) -> String? {
        var word = String.UnicodeScalarView()
        var rest = template.unicodeScalars[...]
        while let percent = rest.firstIndex(of: "%") {
            word += rest[..<percent]
            let after = rest.index(after: percent)
            guard after < rest.endIndex else { return nil }
            switch rest[after] {
            case "%": word.append("%")
            case "u": word += (codes.address ?? "").unicodeScalars
            case "c": word += codes.name.unicodeScalars
            case "k": word += codes.path.unicodeScalars
            // The file that it would name is none, and the others have had no meaning for long.
            case "f", "d", "D", "n", "N", "v", "m": break
            // Those for several words stand alone.
            default: return nil
            }
            rest = rest[rest.index(after: after)...]
        }
        return String(word + rest)
    }
}
