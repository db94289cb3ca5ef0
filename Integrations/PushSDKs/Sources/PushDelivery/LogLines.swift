// SPDX-License-Identifier: Apache-2.0

import os

/// The lines that a module writes into the log of its extension: what it did not do, and why.
///
/// No line has a word of a notification, an address or a key.
public struct LogLines: Sendable {
    private static let said = OSAllocatedUnfairLock(initialState: Set<String>())

    private let module: String

    /// Makes the lines of a module, whose name stands before them.
    public init(module: String) { self.module = module }

    /// Writes an error.
    public func error(_ text: String) {
        Logger(subsystem: module, category: "integration").error("\(text, privacy: .public)")
    }

    /// Writes what the module does not do, once in a process.
    public func once(_ text: String) {
        guard Self.said.withLock({ $0.insert("\(module) \(text)").inserted }) else { return }
        Logger(subsystem: module, category: "integration").notice("\(text, privacy: .public)")
    }
}
