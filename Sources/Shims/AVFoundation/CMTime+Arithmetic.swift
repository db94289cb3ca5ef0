// SPDX-License-Identifier: Apache-2.0

public import Foundation

extension CMTime {
    /// The sum of two times.
    public static func + (left: CMTime, right: CMTime) -> CMTime { CMTimeAdd(left, right) }
    /// The difference of two times.
    public static func - (left: CMTime, right: CMTime) -> CMTime { CMTimeSubtract(left, right) }
    /// Adds a time.
    public static func += (left: inout CMTime, right: CMTime) { left = left + right }
    /// Takes a time away.
    public static func -= (left: inout CMTime, right: CMTime) { left = left - right }

    /// The time in the opposite direction.
    fileprivate var negated: CMTime {
        if isPositiveInfinity { return .negativeInfinity }
        if isNegativeInfinity { return .positiveInfinity }
        guard isNumeric else { return self }
        guard value != .min else { return .positiveInfinity }
        return CMTime(value: -value, timescale: timescale, flags: flags, epoch: epoch)
    }

    /// The parts of a second in which both times are whole, if there are some that a time can have.
    fileprivate func commonScale(_ other: CMTime) -> CMTimeScale? {
        var (one, two) = (timescale, other.timescale)
        while two != 0 { (one, two) = (two, one % two) }
        guard one > 0 else { return nil }
        let (scale, overflow) = (timescale / one).multipliedReportingOverflow(by: other.timescale)
        return overflow ? nil : scale
    }
}

/// The sum of two times.
///
/// Invalid times make it invalid, unknown ones unknown, and infinite ones infinite; two opposite infinities make it
/// invalid.
public func CMTimeAdd(_ lhs: CMTime, _ rhs: CMTime) -> CMTime {
    guard lhs.isValid, rhs.isValid else { return .invalid }
    if lhs.isIndefinite || rhs.isIndefinite { return .indefinite }
    guard lhs.isNumeric, rhs.isNumeric else {
        let isUp = lhs.isPositiveInfinity || rhs.isPositiveInfinity
        let isDown = lhs.isNegativeInfinity || rhs.isNegativeInfinity
        return isUp && isDown ? .invalid : isUp ? .positiveInfinity : .negativeInfinity
    }
    guard let scale = lhs.commonScale(rhs) else {
        return CMTime(seconds: lhs.seconds + rhs.seconds, preferredTimescale: 1_000_000_000)
    }
    let left = lhs.convertScale(scale, method: .default)
    let right = rhs.convertScale(scale, method: .default)
    let (sum, overflow) = left.value.addingReportingOverflow(right.value)
    guard !overflow else { return left.value > 0 ? .positiveInfinity : .negativeInfinity }
    let flags = left.flags.union(right.flags)
    return CMTime(value: sum, timescale: scale, flags: flags, epoch: lhs.epoch)
}

/// The difference of two times.
public func CMTimeSubtract(_ lhs: CMTime, _ rhs: CMTime) -> CMTime { CMTimeAdd(lhs, rhs.negated) }

/// The time so many times.
public func CMTimeMultiply(_ time: CMTime, multiplier: Int32) -> CMTime {
    CMTimeMultiplyByFloat64(time, multiplier: Float64(multiplier))
}

/// The time so many times, in the same parts of a second where it is a whole number of them.
public func CMTimeMultiplyByFloat64(_ time: CMTime, multiplier: Float64) -> CMTime {
    guard time.isNumeric else { return multiplier < 0 ? time.negated : time }
    guard !multiplier.isNaN else { return .invalid }
    let product = Double(time.value) * multiplier
    if let value = CMTimeValue(exactly: product) {
        return CMTime(value: value, timescale: time.timescale, flags: time.flags, epoch: time.epoch)
    }
    return CMTime(seconds: time.seconds * multiplier, preferredTimescale: max(time.timescale, 1_000_000_000))
}

/// The time by a fraction.
public func CMTimeMultiplyByRatio(_ time: CMTime, multiplier: Int32, divisor: Int32) -> CMTime {
    guard divisor != 0 else { return .invalid }
    return CMTimeMultiplyByFloat64(time, multiplier: Double(multiplier) / Double(divisor))
}

/// The time without its sign.
public func CMTimeAbsoluteValue(_ time: CMTime) -> CMTime { time < .zero ? time.negated : time }

/// The earlier of two times.
public func CMTimeMinimum(_ time1: CMTime, _ time2: CMTime) -> CMTime { min(time1, time2) }

/// The later of two times.
public func CMTimeMaximum(_ time1: CMTime, _ time2: CMTime) -> CMTime { max(time1, time2) }

/// The time in other parts of a second.
public func CMTimeConvertScale(_ time: CMTime, timescale: CMTimeScale, method: CMTimeRoundingMethod) -> CMTime {
    time.convertScale(timescale, method: method)
}

/// A number of parts of a second.
public func CMTimeMake(value: CMTimeValue, timescale: CMTimeScale) -> CMTime {
    CMTime(value: value, timescale: timescale)
}

/// Seconds as the nearest number of parts.
public func CMTimeMakeWithSeconds(_ seconds: Float64, preferredTimescale: CMTimeScale) -> CMTime {
    CMTime(seconds: seconds, preferredTimescale: preferredTimescale)
}

/// The seconds of a time.
public func CMTimeGetSeconds(_ time: CMTime) -> Float64 { time.seconds }

/// The older name of `CMTime.zero`.
public let kCMTimeZero = CMTime.zero
/// The older name of `CMTime.invalid`.
public let kCMTimeInvalid = CMTime.invalid
/// The older name of `CMTime.indefinite`.
public let kCMTimeIndefinite = CMTime.indefinite
/// The older name of `CMTime.positiveInfinity`.
public let kCMTimePositiveInfinity = CMTime.positiveInfinity
/// The older name of `CMTime.negativeInfinity`.
public let kCMTimeNegativeInfinity = CMTime.negativeInfinity

/// A beginning and a length.
///
/// Source: Apple, "CMTimeRange".
public struct CMTimeRange: Hashable, Sendable {
    /// The beginning.
    public var start: CMTime
    /// The length.
    public var duration: CMTime

    /// An invalid range.
    public init() {
        (start, duration) = (.invalid, .invalid)
    }

    /// Takes its parts.
    public init(start: CMTime, duration: CMTime) {
        (self.start, self.duration) = (start, duration)
    }

    /// From one time to another.
    public init(start: CMTime, end: CMTime) {
        (self.start, duration) = (start, end - start)
    }

    /// Nothing, at the beginning.
    public static let zero = CMTimeRange(start: .zero, duration: .zero)
    /// No range.
    public static let invalid = CMTimeRange()

    /// The end, which is not in the range.
    public var end: CMTime { start + duration }
    /// True for a range of times, of which the length is not less than 0.
    public var isValid: Bool { start.isValid && duration.isValid && duration >= .zero }
    /// True for a range that is not known.
    public var isIndefinite: Bool { isValid && (start.isIndefinite || duration.isIndefinite) }
    /// True for a range without a length.
    public var isEmpty: Bool { isValid && duration == .zero }

    /// True for a time from the beginning on, and before the end.
    public func containsTime(_ time: CMTime) -> Bool { isValid && time.isValid && time >= start && time < end }

    /// True for a range that lies in this one.
    public func containsTimeRange(_ range: CMTimeRange) -> Bool {
        isValid && range.isValid && range.start >= start && range.end <= end
    }

    /// The smallest range around both.
    public func union(_ otherRange: CMTimeRange) -> CMTimeRange {
        guard isValid else { return otherRange }
        guard otherRange.isValid else { return self }
        return CMTimeRange(start: min(start, otherRange.start), end: max(end, otherRange.end))
    }

    /// The part that both have; zero without it.
    public func intersection(_ otherRange: CMTimeRange) -> CMTimeRange {
        let (first, last) = (max(start, otherRange.start), min(end, otherRange.end))
        guard isValid, otherRange.isValid, first < last else { return .zero }
        return CMTimeRange(start: first, end: last)
    }
}

/// A range by its beginning and length.
public func CMTimeRangeMake(start: CMTime, duration: CMTime) -> CMTimeRange {
    CMTimeRange(start: start, duration: duration)
}

/// A range by its beginning and end.
public func CMTimeRangeFromTimeToTime(start: CMTime, end: CMTime) -> CMTimeRange {
    CMTimeRange(start: start, end: end)
}

/// The end of a range.
public func CMTimeRangeGetEnd(_ range: CMTimeRange) -> CMTime { range.end }

/// True for a time in a range.
public func CMTimeRangeContainsTime(_ range: CMTimeRange, time: CMTime) -> Bool { range.containsTime(time) }

extension NSValue {
    /// A time in an object, for `addBoundaryTimeObserver`.
    public convenience init(time: CMTime) {
        // A point holds two numbers: the seconds, and what the time is if it has none.
        self.init(point: CGPoint(x: time.seconds, y: 0))
    }

    /// The time that the object was made of.
    public var timeValue: CMTime { CMTime(seconds: Double(pointValue.x), preferredTimescale: 1_000_000_000) }
}
