// SPDX-License-Identifier: Apache-2.0

/// The urgency of a log message.
public struct OSLogType: RawRepresentable, Sendable, Hashable {
    /// Apple's number.
    public var rawValue: UInt8

    /// A type by its number; numbers without a name count as `default`.
    public init(rawValue: UInt8) {
        self.rawValue = rawValue
    }

    /// A type by its number; numbers without a name count as `default`.
    public init(_ rawValue: UInt8) {
        self.rawValue = rawValue
    }

    /// Level `notice` of the host's log.
    public static let `default` = OSLogType(0x00)
    /// Level `info` of the host's log.
    public static let info = OSLogType(0x01)
    /// Level `debug` of the host's log.
    public static let debug = OSLogType(0x02)
    /// Level `error` of the host's log.
    public static let error = OSLogType(0x10)
    /// Level `fault` of the host's log.
    public static let fault = OSLogType(0x11)
}
