// SPDX-License-Identifier: Apache-2.0

public import Foundation
import HostLog

/// A log of one subsystem and category.
///
/// Apple sorts by both, and an administrator switches either on and off. Here both stand before each message, and every
/// message goes to the host, which bounds their number: 64 a second, 256 at once.
public final class OSLog: NSObject, Sendable {
    /// A category with a meaning of its own.
    public struct Category: Sendable {
        let name: String

        /// Signposts that tools show as points of interest.
        public static let pointsOfInterest = Category(name: "PointsOfInterest")
        /// Signposts of a tool that the developer starts.
        public static let dynamicTracing = Category(name: "DynamicTracing")
        /// Signposts with a stack trace.
        public static let dynamicStackTracing = Category(name: "DynamicStackTracing")
    }

    /// The log for messages without a subsystem.
    public static let `default` = OSLog(source: nil, isDisabled: false)
    /// A log that writes nothing.
    public static let disabled = OSLog(source: nil, isDisabled: true)

    private let source: String?
    private let isDisabled: Bool

    private init(source: String?, isDisabled: Bool) {
        self.source = source
        self.isDisabled = isDisabled
    }

    /// The log of a subsystem, by habit named as a domain the other way around, and a category of it.
    public init(subsystem: String, category: String) {
        source = "\(subsystem):\(category)"
        isDisabled = false
    }

    /// The log of a subsystem and a category with a meaning.
    public convenience init(subsystem: String, category: Category) {
        self.init(subsystem: subsystem, category: category.name)
    }

    /// Tells whether messages of the type are written: true for every log but `disabled`.
    public func isEnabled(type: OSLogType) -> Bool { !isDisabled }

    /// False: there is nobody to read signposts.
    public var signpostsEnabled: Bool { false }

    func write(_ text: @autoclosure () -> String, as type: OSLogType) {
        guard !isDisabled else { return }
        let level: HostLog.Level =
            switch type {
            case .debug: .debug
            case .info: .info
            case .error: .error
            case .fault: .fault
            default: .notice
            }
        HostLog.write(level, source.map { "[\($0)] " + text() } ?? text())
    }
}

/// Reads the log of this process back; there is none to read, the host has it.
@available(*, unavailable, message: "an extension cannot read the host's log: look at the log of extension-host")
public final class OSLogStore: NSObject {}
