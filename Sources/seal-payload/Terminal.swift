// SPDX-License-Identifier: Apache-2.0

import Glibc
import NotificationPayload

/// The voice of the command: results to standard output, talk to standard error.
enum Terminal {
    /// Makes the descriptors of a result fail as they should: a reader that is gone is an error, not a signal, and a
    /// closed one stays closed, so that no file opened later gets its number.
    static func prepare() {
        signal(SIGPIPE, SIG_IGN)
        for descriptor in [STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO] where fcntl(descriptor, F_GETFD) < 0 {
            // Opened the wrong way round: reading and writing fail as on a closed one.
            _ = open("/dev/null", descriptor == STDIN_FILENO ? O_WRONLY : O_RDONLY)
        }
    }

    private static func report(_ failure: Failure) {
        say("error: \(failure.message)")
        if let hint = failure.hint { say("hint: \(hint)") }
    }

    /// Says why, and ends the process; nothing is buffered by then.
    static func end(_ failure: Failure) -> Never {
        report(failure)
        exit(failure.code.rawValue)
    }

    static func say(_ text: String) {
        write("seal-payload: \(ForeignText.visible(text.withoutSecrets))\n", to: STDERR_FILENO)
    }

    /// A message of the argument parser in the voice of this one.
    static func lowercased(_ message: String) -> String {
        var lines = message.split(separator: "\n").map(String.init)
        var line = lines.isEmpty ? message : lines.removeFirst()
        line = line.replacing(". Did you mean", with: ", did you mean").replacing(". Please provide", with: ": give")
        if line.hasSuffix(" the following:") {
            // A list of values, one a line behind a dash.
            let values = lines.prefix { $0.hasPrefix("  - ") }.map { "'\($0.dropFirst(4))'" }
            line = line.replacing("the following:", with: values.joined(separator: ", "))
        }
        let text = line.hasSuffix(".") ? String(line.dropLast()) : line
        return text.prefix(1).lowercased() + text.dropFirst()
    }

    @discardableResult
    static func write(_ text: String, to descriptor: Int32) -> Bool {
        write(Array(text.utf8), to: descriptor)
    }

    /// False when the reader is gone or the disk is full; errno says which.
    @discardableResult
    static func write(_ bytes: [UInt8], to descriptor: Int32) -> Bool {
        var rest = bytes[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes { Glibc.write(descriptor, $0.baseAddress, $0.count) }
            guard count >= 0 || errno == EINTR else { return false }
            rest = rest.dropFirst(max(0, count))
        }
        return true
    }
}
