// SPDX-License-Identifier: Apache-2.0

package import ArgumentParser
import Foundation
import HostRuntime
import NotificationPayload

/// The command's voice: what it says to people, always on standard error.
package enum Terminal {
    package static let program = "extension-host"

    package static func note(_ text: String) {
        write("\(program): \(text)")
    }

    package static func warning(_ text: String) {
        write("\(program): warning: \(text)")
    }

    /// Says an error with its hint, in one piece: no line of the log comes between them.
    package static func report(_ error: CommandError) {
        let hint = error.hint.map { "\n\(program): hint: \($0)" } ?? ""
        write("\(program): error: \(error.message)\(hint)")
    }

    package static func hint(_ text: String) {
        write("\(program): hint: \(text)")
    }

    /// Writes another program's messages for people to standard error, without secret keys.
    package static func passOn(_ text: String) {
        if !text.isEmpty { writeRaw(text.hasSuffix("\n") ? String(text.dropLast()) : text) }
    }

    /// Standard error is a terminal that shows colours.
    package static var hasColors: Bool {
        let environment = ProcessInfo.processInfo.environment
        return isatty(STDERR_FILENO) == 1 && environment["NO_COLOR"] == nil && environment["TERM"] != "dumb"
    }

    /// One line; what files and names from outside hide in it is spelt out.
    private static func write(_ line: String) {
        let lines = line.split(separator: "\n", omittingEmptySubsequences: false)
        writeRaw(lines.map { String($0).withoutHidden }.joined(separator: "\n"))
    }

    /// Whoever does not read this is not told; the host goes on.
    private static func writeRaw(_ line: String) {
        // A key where a path belongs must not get into a log.
        let text = line.withoutSecrets + "\n"
        _ = Array(text.utf8).withUnsafeBytes { Foundation.write(STDERR_FILENO, $0.baseAddress, $0.count) }
    }
}

extension ExitCode {
    /// Refused or failed.
    package static let refused = ExitCode(1)
    package static let usage = ExitCode(2)
}
