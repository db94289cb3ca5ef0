// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import Foundation

/// The command's voice: what it says to people, always on standard error.
enum Terminal {
    static let program = "extension-host"

    static func note(_ text: String) {
        write("\(program): \(text)")
    }

    static func warning(_ text: String) {
        write("\(program): warning: \(text)")
    }

    static func report(_ error: CommandError) {
        write("\(program): error: \(error.message)")
        if let hint = error.hint { write("\(program): hint: \(hint)") }
    }

    private static func write(_ line: String) {
        FileHandle.standardError.write(Data((line + "\n").utf8))
    }
}

/// Something a person can act on: what, on what, why; and the next step.
struct CommandError: Error, Equatable {
    let message: String
    let hint: String?

    init(_ message: String, hint: String? = nil) {
        self.message = message
        self.hint = hint
    }
}

extension ExitCode {
    /// Refused or failed.
    static let refused = ExitCode(1)
    static let usage = ExitCode(2)
}
