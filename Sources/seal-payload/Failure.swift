// SPDX-License-Identifier: Apache-2.0

import E2ECrypto

/// The reason for which the command ends without its result: a message and the exit code.
struct Failure: Error, Equatable {
    /// One clause, lower case, no full stop; public facts only.
    let message: String
    var hint: String?
    let code: ExitStatus
    /// The name of the error in FORMAT.md, where it has one.
    var name: String?

    static func refused(_ message: String, hint: String? = nil) -> Failure {
        Failure(message: message, hint: hint, code: .refused)
    }

    static func usage(_ message: String, hint: String? = "see \"seal-payload --help\"") -> Failure {
        Failure(message: message, hint: hint, code: .usage)
    }

    static func tooLarge(_ message: String, hint: String? = nil) -> Failure {
        Failure(message: message, hint: hint, code: .tooLarge)
    }
}

/// The exit codes that `--help` promises.
enum ExitStatus: Int32 {
    case refused = 1
    case usage = 2
    case tooLarge = 3
    case noKeyMatches = 4
}

extension Failure {
    /// `role` says what the file was to be, as in "sender key".
    init(_ error: KeyFileError, _ role: String, _ path: String) {
        let place = "\(role) \"\(path)\""
        message =
            switch (error.problem, error.line) {
            case (.system, _): "\(place): \(error)"
            case (_, let line?): "\(place), line \(line), \(error)"
            case (_, nil): "\(place) \(error)"
            }
        hint = error.hint(forFile: path)
        code = .refused
    }

    init(_ error: KeyTextError, _ role: String) {
        message = "\(role) \(error)"
        hint = error.hint
        code = .usage
    }

    /// The cause is that of the explanation, which knows more than the error.
    init(_ error: OpenError, _ explanation: Explanation) {
        message = explanation.cause ?? "\(error)"
        hint = explanation.next
        code = if case .unknownKey = error { .noKeyMatches } else { .refused }
        name = error.name
    }

    init(_ error: SecretMemoryError) {
        message = "\(error)"
        hint = error.hint
        code = .refused
    }
}
