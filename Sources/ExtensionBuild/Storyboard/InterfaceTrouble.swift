// SPDX-License-Identifier: Apache-2.0

import HostRuntime

/// An error or a warning about a storyboard, a xib or an asset catalogue.
package struct InterfaceTrouble: Equatable, Sendable, CustomStringConvertible {
    package enum Severity: String, Sendable {
        /// The extension is built without what is named.
        case warning
        /// The extension cannot be built.
        case error
    }

    package let severity: Severity
    package let path: String
    /// Counted from 1; nil for a whole file.
    package let line: Int?
    package let message: String

    /// "FILE:LINE: error: …", as compilers write it, in one line.
    package var description: String {
        let place = line.map { "\(path):\($0)" } ?? path
        return "\(place): \(severity.rawValue): \(message)".withoutHidden
    }
}

/// The errors and warnings of one file, in the order in which they were found.
struct InterfaceTroubles {
    /// The number of entries after which the rest is only counted.
    static let limit = 200

    let path: String
    private var found: [InterfaceTrouble] = []
    private var leftOut: (warnings: Int, errors: Int) = (0, 0)

    init(path: String) {
        self.path = path
    }

    mutating func warn(_ line: Int?, _ message: String) {
        guard found.count < Self.limit else { return leftOut.warnings += 1 }
        found.append(InterfaceTrouble(severity: .warning, path: path, line: line, message: message))
    }

    mutating func fail(_ line: Int?, _ message: String) {
        guard found.count < Self.limit else { return leftOut.errors += 1 }
        found.append(InterfaceTrouble(severity: .error, path: path, line: line, message: message))
    }

    /// All entries, and one with the number of those beyond the limit.
    var all: [InterfaceTrouble] {
        guard leftOut != (0, 0) else { return found }
        return found + [
            InterfaceTrouble(
                severity: leftOut.errors > 0 ? .error : .warning,
                path: path,
                line: nil,
                message: "\(leftOut.errors) more errors and \(leftOut.warnings) more warnings are not shown"
            )
        ]
    }
}
