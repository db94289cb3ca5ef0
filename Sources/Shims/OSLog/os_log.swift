// SPDX-License-Identifier: Apache-2.0

/// Writes a format and its arguments to a log.
///
/// Conversions and what stands in braces before them are those of Apple's `os_log`: `%@` and `%s` are private unless
/// `%{public}@` says otherwise, numbers are public unless `%{private}d` does. An argument that is missing or of another
/// kind than its conversion is named in the text, and never read as something else.
public func os_log(
    _ message: StaticString,
    dso: UnsafeRawPointer? = nil,
    log: OSLog = .default,
    type: OSLogType = .default,
    _ args: any CVarArg...
) {
    log.write(LogFormat.text(message.description, args), as: type)
}

/// Writes a format and its arguments to a log, the type first.
public func os_log(
    _ type: OSLogType,
    dso: UnsafeRawPointer? = nil,
    log: OSLog = .default,
    _ message: StaticString,
    _ args: any CVarArg...
) {
    log.write(LogFormat.text(message.description, args), as: type)
}

/// Writes a message with interpolated values to a log.
@_disfavoredOverload
public func os_log(_ message: OSLogMessage, log: OSLog = .default, type: OSLogType = .default) {
    log.write(message.text, as: type)
}

/// Writes a message with interpolated values to a log, the type first.
@_disfavoredOverload
public func os_log(_ type: OSLogType, log: OSLog = .default, _ message: OSLogMessage) {
    log.write(message.text, as: type)
}
