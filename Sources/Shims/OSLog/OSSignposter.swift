// SPDX-License-Identifier: Apache-2.0

import HostLog

/// The message of a signpost; it is built and dropped.
public typealias SignpostMetadata = OSLogMessage

/// Tells intervals and events with the same name apart.
public struct OSSignpostID: Sendable, Hashable, Comparable {
    /// Any number but those of `invalid` and `null`.
    public let rawValue: UInt64

    /// The one interval of its name.
    public static let exclusive = OSSignpostID(0xEEEE_B0B5_B2B2_EEEE)
    /// No identifier.
    public static let invalid = OSSignpostID(UInt64.max)
    /// No identifier.
    public static let null = OSSignpostID(0)

    /// An identifier of the caller's choice.
    public init(_ value: UInt64) {
        rawValue = value
    }

    /// An identifier that no other interval has.
    public init(log: OSLog) {
        rawValue = UInt64.random(in: 1..<UInt64.max)
    }

    /// The identifier of an object, as long as it lives.
    public init(log: OSLog, object: AnyObject) {
        rawValue = UInt64(UInt(bitPattern: ObjectIdentifier(object)))
    }

    /// Compares the numbers.
    public static func < (left: OSSignpostID, right: OSSignpostID) -> Bool { left.rawValue < right.rawValue }
}

/// The kind of a signpost: a point in time, or an end of an interval.
public struct OSSignpostType: RawRepresentable, Sendable, Hashable {
    /// Apple's number.
    public var rawValue: UInt8

    /// A type by its number.
    public init(rawValue: UInt8) {
        self.rawValue = rawValue
    }

    /// A point in time.
    public static let event = OSSignpostType(rawValue: 0)
    /// The begin of an interval.
    public static let begin = OSSignpostType(rawValue: 1)
    /// The end of an interval.
    public static let end = OSSignpostType(rawValue: 2)
}

/// An interval that has begun.
public final class OSSignpostIntervalState: Sendable {
    let signpostID: OSSignpostID

    init(_ signpostID: OSSignpostID) {
        self.signpostID = signpostID
    }

    /// The state of an interval that another part of the program began.
    public static func beginState(id: OSSignpostID) -> OSSignpostIntervalState { OSSignpostIntervalState(id) }
}

/// Measures intervals on Apple's platforms, for Instruments to show.
///
/// Here nobody reads signposts: none is written, `isEnabled` is false, and the log says so once.
public struct OSSignposter: Sendable {
    /// A signposter that writes nothing.
    public static let disabled = OSSignposter()

    /// The signposter without a subsystem.
    public init() {}
    /// The signposter of a subsystem and category.
    public init(subsystem: String, category: String) {}
    /// The signposter of a subsystem and a category with a meaning.
    public init(subsystem: String, category: OSLog.Category) {}
    /// The signposter of a log.
    public init(logHandle: OSLog) {}
    /// The signposter of a logger.
    public init(logger: Logger) {}

    /// False.
    public var isEnabled: Bool { false }

    /// An identifier that no other interval has.
    public func makeSignpostID() -> OSSignpostID { OSSignpostID(log: .default) }

    /// The identifier of an object, as long as it lives.
    public func makeSignpostID(from object: AnyObject) -> OSSignpostID { OSSignpostID(log: .default, object: object) }

    /// Begins an interval without effect.
    public func beginInterval(_ name: StaticString, id: OSSignpostID = .exclusive) -> OSSignpostIntervalState {
        SignpostWarning.write()
        return OSSignpostIntervalState(id)
    }

    /// Begins an interval without effect.
    public func beginInterval(
        _ name: StaticString,
        id: OSSignpostID = .exclusive,
        _ message: SignpostMetadata
    ) -> OSSignpostIntervalState { beginInterval(name, id: id) }

    /// Begins an interval without effect.
    public func beginAnimationInterval(
        _ name: StaticString,
        id: OSSignpostID = .exclusive
    ) -> OSSignpostIntervalState { beginInterval(name, id: id) }

    /// Ends an interval without effect.
    public func endInterval(_ name: StaticString, _ state: OSSignpostIntervalState) {}

    /// Ends an interval without effect.
    public func endInterval(_ name: StaticString, _ state: OSSignpostIntervalState, _ message: SignpostMetadata) {}

    /// Marks a point in time without effect.
    public func emitEvent(_ name: StaticString, id: OSSignpostID = .exclusive) {
        SignpostWarning.write()
    }

    /// Marks a point in time without effect.
    public func emitEvent(_ name: StaticString, id: OSSignpostID = .exclusive, _ message: SignpostMetadata) {
        SignpostWarning.write()
    }

    /// Runs the task, and nothing else.
    public func withIntervalSignpost<Result>(
        _ name: StaticString,
        id: OSSignpostID = .exclusive,
        around task: () throws -> Result
    ) rethrows -> Result {
        SignpostWarning.write()
        return try task()
    }

    /// Runs the task, and nothing else.
    public func withIntervalSignpost<Result>(
        _ name: StaticString,
        id: OSSignpostID = .exclusive,
        _ message: SignpostMetadata,
        around task: () throws -> Result
    ) rethrows -> Result {
        SignpostWarning.write()
        return try task()
    }
}

/// Marks a point in time, or an end of an interval, without effect; the log says so once.
public func os_signpost(
    _ type: OSSignpostType,
    dso: UnsafeRawPointer? = nil,
    log: OSLog,
    name: StaticString,
    signpostID: OSSignpostID = .exclusive
) {
    SignpostWarning.write()
}

/// Marks a point in time, or an end of an interval, without effect; the log says so once.
public func os_signpost(
    _ type: OSSignpostType,
    dso: UnsafeRawPointer? = nil,
    log: OSLog,
    name: StaticString,
    signpostID: OSSignpostID = .exclusive,
    _ format: StaticString,
    _ arguments: any CVarArg...
) {
    SignpostWarning.write()
}

private enum SignpostWarning {
    static func write() {
        HostLog.warnOnce("signposts have no effect: nobody reads them on this system")
    }
}
