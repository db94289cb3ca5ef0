// SPDX-License-Identifier: Apache-2.0

import CenterAsking
import Foundation
import Glibc
import NotificationPayload

/// The voice of the command: results to standard output, talk to standard error.
enum Terminal {
    static func report(_ failure: Failure) {
        say("error: \(failure.message)")
        if let hint = failure.hint { say("hint: \(hint)") }
    }

    static func say(_ text: String) {
        FileHandle.standardError.write(Data("notification-center: \(visible(text))\n".utf8))
    }

    /// Writes a line of a result; throws when the reader is gone or the disk is full.
    static func print(_ line: String) throws(Failure) {
        try write(line + "\n")
    }

    /// Writes an object as one line of JSON, of which a terminal obeys nothing either.
    static func print(_ object: JSONObject) throws(Failure) {
        let text = String(decoding: object.serialized, as: UTF8.self)
        try print(isInteractive ? escaped(text) : text)
    }

    /// JSON in which everything that `visible` spells out is an escape of JSON's own.
    static func escaped(_ json: String) -> String {
        json.unicodeScalars.reduce(into: "") { text, scalar in
            switch scalar.properties.generalCategory {
            case .control, .format, .lineSeparator, .paragraphSeparator:
                for unit in String(scalar).utf16 {
                    let digits = String(unit, radix: 16)
                    text += "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
                }
            default: text.unicodeScalars.append(scalar)
            }
        }
    }

    /// Writes a text as it is; throws when the reader is gone or the disk is full.
    static func write(_ text: String) throws(Failure) {
        do {
            try FileHandle.standardOutput.write(contentsOf: Data(text.utf8))
        } catch {
            throw Failure("nothing can be written to standard output: \(String(cString: strerror(errno)))")
        }
    }

    /// Writes the objects of a list: one line of JSON for each in a pipe, on a terminal the line for people.
    static func print(_ list: JSON?, _ line: (JSONObject) -> String) throws(Failure) {
        for case .object(let item) in list?.array ?? [] {
            try print(isInteractive ? line(item) : String(decoding: item.serialized, as: UTF8.self))
        }
    }

    /// True if a person reads the result.
    static var isInteractive: Bool { isatty(STDOUT_FILENO) == 1 }

    /// The text with everything spelt out that a terminal would obey.
    static func visible(_ text: String) -> String { ForeignText.visible(text) }
}
