// SPDX-License-Identifier: Apache-2.0

public import Foundation

// SAFETY: immutable after `init`.
/// Fires when some time has passed, once or over and over.
///
/// Time passes while the machine sleeps, and setting its clock does not matter.
/// Source: Apple, "UNTimeIntervalNotificationTrigger".
open class UNTimeIntervalNotificationTrigger: UNNotificationTrigger, @unchecked Sendable {
    private let seconds: TimeInterval
    // It goes on in a suspended machine.
    private let made: ContinuousClock.Instant

    /// Begins to count now.
    ///
    /// Apple raises an exception for an interval that is not above 0, and for a repeating one below 60 seconds; here
    /// both are a trap, as nothing could catch it in Swift on either platform.
    public init(timeInterval: TimeInterval, repeats: Bool) {
        precondition(timeInterval > 0, "time interval must be greater than 0")
        precondition(!repeats || timeInterval >= 60, "time interval must be at least 60 if repeating")
        seconds = timeInterval
        made = .now
        super.init(repeats: repeats)
    }

    /// Makes the trigger of a request that waits elsewhere and fires at `next`; `nil` means that it was made now.
    package init(timeInterval: TimeInterval, repeats: Bool, next: Date?) {
        seconds = timeInterval
        let left = next.map { min(max(0, $0.timeIntervalSinceNow), timeInterval) } ?? timeInterval
        made = .now - .seconds(timeInterval - left)
        super.init(repeats: repeats)
    }

    /// In seconds, as given; it does not count down.
    open var timeInterval: TimeInterval { seconds }

    /// Returns when it fires next; nil once it has fired for good.
    ///
    /// Apple's counts from the moment of asking; here it is the time left.
    open func nextTriggerDate() -> Date? {
        nextTriggerDate(after: Date(), elapsed: ContinuousClock.now - made)
    }

    /// Returns the next instant at which the trigger fires, `elapsed` after it was made and with `now` on the wall; nil
    /// once it has fired for good.
    package func nextTriggerDate(after now: Date, elapsed: Duration) -> Date? {
        let passed = elapsed / .seconds(1)
        if passed < seconds { return now.addingTimeInterval(seconds - passed) }
        return repeats ? now.addingTimeInterval(seconds - passed.truncatingRemainder(dividingBy: seconds)) : nil
    }

    // MARK: NSObject, NSSecureCoding

    /// Compares classes and everything they hold.
    open override func isEqual(_ object: Any?) -> Bool {
        super.isEqual(object) && (object as? UNTimeIntervalNotificationTrigger)?.seconds == seconds
    }

    /// Reads an archive that `encode(with:)` wrote, and begins to count anew; nil for any other archive.
    public required init?(coder: NSCoder) {
        guard coder.containsValue(forKey: "timeInterval") else { return nil }
        let interval = coder.decodeDouble(forKey: "timeInterval")
        let recurs = coder.containsValue(forKey: "repeats") && coder.decodeBool(forKey: "repeats")
        // An archive may come from anywhere: what no initializer makes is refused.
        guard interval > 0, !recurs || interval >= 60 else { return nil }
        seconds = interval
        made = .now
        super.init(coder: coder)
    }

    /// Archives interval and `repeats`.
    open override func encode(with coder: NSCoder) {
        super.encode(with: coder)
        coder.encode(seconds, forKey: "timeInterval")
    }
}
