// SPDX-License-Identifier: Apache-2.0

/// The number of a time's units.
public typealias CMTimeValue = Int64
/// The units of a second.
public typealias CMTimeScale = Int32
/// The number of a time line, which changes where a time line begins anew.
public typealias CMTimeEpoch = Int64

/// The kind of a time.
public struct CMTimeFlags: OptionSet, Hashable, Sendable {
    /// The value by which Apple knows it.
    public let rawValue: UInt32

    /// Takes the value by which Apple knows it.
    public init(rawValue: UInt32) {
        self.rawValue = rawValue
    }

    /// A time at all.
    public static let valid = CMTimeFlags(rawValue: 1)
    /// A time that was rounded.
    public static let hasBeenRounded = CMTimeFlags(rawValue: 2)
    /// Beyond all times.
    public static let positiveInfinity = CMTimeFlags(rawValue: 4)
    /// Before all times.
    public static let negativeInfinity = CMTimeFlags(rawValue: 8)
    /// Unknown.
    public static let indefinite = CMTimeFlags(rawValue: 16)
    /// Any of the three that are no numbers.
    public static let impliedValueFlagsMask: CMTimeFlags = [.positiveInfinity, .negativeInfinity, .indefinite]
}

/// The way in which a time is rounded.
public enum CMTimeRoundingMethod: UInt32, Sendable {
    case roundHalfAwayFromZero = 1
    case roundTowardZero = 2
    case roundAwayFromZero = 3
    case quickTime = 4
    case roundTowardPositiveInfinity = 5
    case roundTowardNegativeInfinity = 6
    /// The usual one.
    public static let `default` = CMTimeRoundingMethod.roundHalfAwayFromZero
}

/// A time as a number of parts of a second.
///
/// A time that is no number keeps its kind in sums; a sum beyond the numbers is infinite. Source: Apple, "CMTime".
public struct CMTime: Sendable {
    /// The number of parts.
    public var value: CMTimeValue
    /// The parts of a second.
    public var timescale: CMTimeScale
    /// The kind of the time.
    public var flags: CMTimeFlags
    /// The number of the time line.
    public var epoch: CMTimeEpoch

    /// An invalid time.
    public init() {
        (value, timescale, flags, epoch) = (0, 0, [], 0)
    }

    /// Takes its parts.
    public init(value: CMTimeValue, timescale: CMTimeScale, flags: CMTimeFlags, epoch: CMTimeEpoch) {
        (self.value, self.timescale, self.flags, self.epoch) = (value, timescale, flags, epoch)
    }

    /// A number of parts of a second; invalid for a scale of 0 or less.
    public init(value: CMTimeValue, timescale: CMTimeScale) {
        self.init(value: value, timescale: timescale, flags: timescale > 0 ? .valid : [], epoch: 0)
    }

    /// Seconds as the nearest number of parts.
    public init(seconds: Double, preferredTimescale: CMTimeScale) {
        guard preferredTimescale > 0, !seconds.isNaN else {
            self = seconds.isNaN ? .invalid : CMTime()
            return
        }
        let parts = (seconds * Double(preferredTimescale)).rounded()
        if let value = CMTimeValue(exactly: parts) {
            self.init(value: value, timescale: preferredTimescale)
            if Double(value) / Double(preferredTimescale) != seconds { flags.insert(.hasBeenRounded) }
        } else {
            self = seconds > 0 ? .positiveInfinity : .negativeInfinity
        }
    }

    /// The beginning.
    public static let zero = CMTime(value: 0, timescale: 1)
    /// No time.
    public static let invalid = CMTime()
    /// A time that is not known.
    public static let indefinite = CMTime(value: 0, timescale: 0, flags: [.valid, .indefinite], epoch: 0)
    /// Beyond all times.
    public static let positiveInfinity = CMTime(value: 0, timescale: 0, flags: [.valid, .positiveInfinity], epoch: 0)
    /// Before all times.
    public static let negativeInfinity = CMTime(value: 0, timescale: 0, flags: [.valid, .negativeInfinity], epoch: 0)

    /// True for a time at all.
    public var isValid: Bool { flags.contains(.valid) }
    /// True for what is beyond all times.
    public var isPositiveInfinity: Bool { isValid && flags.contains(.positiveInfinity) }
    /// True for what is before all times.
    public var isNegativeInfinity: Bool { isValid && flags.contains(.negativeInfinity) }
    /// True for a time that is not known.
    public var isIndefinite: Bool { isValid && flags.contains(.indefinite) }
    /// True for a number.
    public var isNumeric: Bool { isValid && flags.isDisjoint(with: .impliedValueFlagsMask) }
    /// True for a number that was rounded.
    public var hasBeenRounded: Bool { isNumeric && flags.contains(.hasBeenRounded) }

    /// Seconds; not a number for what is no time or not known.
    public var seconds: Double {
        if isNumeric { return timescale > 0 ? Double(value) / Double(timescale) : .nan }
        if isPositiveInfinity { return .infinity }
        return isNegativeInfinity ? -.infinity : .nan
    }

    /// The time in other parts of a second.
    public func convertScale(_ newTimescale: CMTimeScale, method: CMTimeRoundingMethod) -> CMTime {
        guard isNumeric, newTimescale > 0 else { return isNumeric ? .invalid : self }
        let (product, overflow) = value.multipliedReportingOverflow(by: CMTimeValue(newTimescale))
        guard !overflow, timescale > 0 else { return CMTime(seconds: seconds, preferredTimescale: newTimescale) }
        let (whole, rest) = product.quotientAndRemainder(dividingBy: CMTimeValue(timescale))
        var time = CMTime(value: whole + method.correction(rest, CMTimeValue(timescale)), timescale: newTimescale)
        time.flags = rest == 0 ? flags : flags.union(.hasBeenRounded)
        time.epoch = epoch
        return time
    }
}

extension CMTimeRoundingMethod {
    /// The unit that is added to what was cut, of a rest of `scale` parts.
    fileprivate func correction(_ rest: CMTimeValue, _ scale: CMTimeValue) -> CMTimeValue {
        guard rest != 0 else { return 0 }
        let away: CMTimeValue = rest > 0 ? 1 : -1
        return switch self {
        case .roundHalfAwayFromZero: 2 * abs(rest) >= scale ? away : 0
        case .roundTowardZero: 0
        case .roundAwayFromZero, .quickTime: away
        case .roundTowardPositiveInfinity: rest > 0 ? 1 : 0
        case .roundTowardNegativeInfinity: rest < 0 ? -1 : 0
        }
    }
}

extension CMTime: Comparable, Hashable {
    /// Compares times: invalid ones first, then negative infinity, numbers, positive infinity, and the unknown.
    public static func < (left: CMTime, right: CMTime) -> Bool { CMTimeCompare(left, right) < 0 }

    /// Tells whether both are the same time, whatever the parts.
    public static func == (left: CMTime, right: CMTime) -> Bool { CMTimeCompare(left, right) == 0 }

    /// Feeds the kind and the seconds.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(rank)
        if isNumeric { hasher.combine(seconds) }
    }

    /// The place among the kinds of times.
    fileprivate var rank: Int {
        if !isValid { return 0 }
        if isNegativeInfinity { return 1 }
        if isNumeric { return 2 }
        return isPositiveInfinity ? 3 : 4
    }
}

extension CMTime: CustomStringConvertible {
    /// The time in words.
    public var description: String {
        switch rank {
        case 0: "{INVALID}"
        case 1: "{-INFINITY}"
        case 3: "{+INFINITY}"
        case 4: "{INDEFINITE}"
        default: "{\(value)/\(timescale) = \(seconds)}"
        }
    }
}

/// Compares times: -1, 0 or 1.
public func CMTimeCompare(_ time1: CMTime, _ time2: CMTime) -> Int32 {
    guard time1.isNumeric, time2.isNumeric else {
        return time1.rank < time2.rank ? -1 : time1.rank > time2.rank ? 1 : 0
    }
    // 64 times 32 bits have room in two words.
    let left = time1.value.multipliedFullWidth(by: CMTimeValue(time2.timescale))
    let right = time2.value.multipliedFullWidth(by: CMTimeValue(time1.timescale))
    if left.high != right.high { return left.high < right.high ? -1 : 1 }
    return left.low == right.low ? 0 : left.low < right.low ? -1 : 1
}
