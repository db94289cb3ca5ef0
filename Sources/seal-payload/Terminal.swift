// SPDX-License-Identifier: Apache-2.0

import Glibc

/// The voice of the command: results to standard output, talk to standard error.
enum Terminal {
    private static func report(_ failure: Failure) {
        write("seal-payload: error: \(withoutKeys(failure.message))\n", to: STDERR_FILENO)
        guard let hint = failure.hint else { return }
        write("seal-payload: hint: \(withoutKeys(hint))\n", to: STDERR_FILENO)
    }

    /// A key where a path belongs must not get into a log.
    private static func withoutKeys(_ text: String) -> String {
        text.replacing(/(?i)nse-secret-key-1[a-z0-9]*/, with: "NSE-SECRET-KEY-1…")
    }

    /// Says why, and ends the process; nothing is buffered by then.
    static func end(_ failure: Failure) -> Never {
        report(failure)
        exit(failure.code.rawValue)
    }

    static func say(_ text: String) {
        write("seal-payload: \(text)\n", to: STDERR_FILENO)
    }

    static func printResult(_ text: String) {
        write(text, to: STDOUT_FILENO)
    }

    /// A message of the argument parser in the voice of this one.
    static func lowercased(_ message: String) -> String {
        let line = (message.split(separator: "\n").first.map(String.init) ?? message)
            .replacing(". Did you mean", with: ", did you mean")
        let text = line.hasSuffix(".") ? String(line.dropLast()) : line
        return text.prefix(1).lowercased() + text.dropFirst()
    }

    /// False when the reader is gone or the disk is full; errno says which.
    @discardableResult
    static func write(_ text: String, to descriptor: Int32) -> Bool {
        var rest = Array(text.utf8)[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes { Glibc.write(descriptor, $0.baseAddress, $0.count) }
            guard count >= 0 || errno == EINTR else { return false }
            rest = rest.dropFirst(max(0, count))
        }
        return true
    }
}
