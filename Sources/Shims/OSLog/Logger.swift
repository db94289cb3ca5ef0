// SPDX-License-Identifier: Apache-2.0

/// Writes messages of one subsystem and category to the host's log.
///
/// Text and objects in a message are private unless `privacy: .public` is said, numbers are public, as on Apple's
/// platforms. A message becomes a `log` message of the worker protocol, `[subsystem:category] text`, cut at 1,024
/// characters; without a host it goes to standard error.
public struct Logger: Sendable {
    let log: OSLog

    /// The logger of a subsystem, by habit named as a domain the other way around, and a category of it.
    public init(subsystem: String, category: String) {
        log = OSLog(subsystem: subsystem, category: category)
    }

    /// The logger for messages without a subsystem.
    public init() {
        log = .default
    }

    /// A logger that writes to a log.
    public init(_ logObj: OSLog) {
        log = logObj
    }

    /// Writes at level `notice`.
    public func log(_ message: OSLogMessage) { log.write(message.text, as: .default) }

    /// Writes at the level of the type.
    public func log(level: OSLogType, _ message: OSLogMessage) { log.write(message.text, as: level) }

    /// Writes at level `debug`, as Apple's does.
    public func trace(_ message: OSLogMessage) { log.write(message.text, as: .debug) }

    /// Writes at level `debug`.
    public func debug(_ message: OSLogMessage) { log.write(message.text, as: .debug) }

    /// Writes at level `info`.
    public func info(_ message: OSLogMessage) { log.write(message.text, as: .info) }

    /// Writes at level `notice`.
    public func notice(_ message: OSLogMessage) { log.write(message.text, as: .default) }

    /// Writes at level `error`, as Apple's does.
    public func warning(_ message: OSLogMessage) { log.write(message.text, as: .error) }

    /// Writes at level `error`.
    public func error(_ message: OSLogMessage) { log.write(message.text, as: .error) }

    /// Writes at level `fault`, as Apple's does.
    public func critical(_ message: OSLogMessage) { log.write(message.text, as: .fault) }

    /// Writes at level `fault`.
    public func fault(_ message: OSLogMessage) { log.write(message.text, as: .fault) }
}
