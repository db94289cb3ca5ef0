// SPDX-License-Identifier: Apache-2.0

public import Foundation
import HostLog

/// A timer that has initialisers with a target; `Timer` alone has it.
///
/// The timer that they make is of a class of its own, which keeps `userInfo`: only the initialiser of a protocol can
/// return another object than the one it was called for.
public protocol TimerWithTarget {}

extension Timer: TimerWithTarget {
    /// A timer that calls a function of the target by its name, with the timer as its argument.
    ///
    /// The timer is added to the run loop of the caller's thread. The target is kept alive until the timer is
    /// invalidated or, if it does not repeat, has fired; `userInfo` as long as the timer.
    @discardableResult
    public class func scheduledTimer(
        timeInterval ti: TimeInterval,
        target aTarget: Any,
        selector aSelector: Selector,
        userInfo: Any?,
        repeats yesOrNo: Bool
    ) -> Timer {
        let timer = TargetTimer(
            fireAt: Date(timeIntervalSinceNow: ti),
            interval: ti,
            TargetTimer.Call(aTarget as AnyObject, aSelector, userInfo),
            repeats: yesOrNo
        )
        RunLoop.current.add(timer, forMode: .default)
        return timer
    }
}

extension TimerWithTarget {
    /// A timer that calls a function of the target by its name, once it is added to a run loop.
    public init(
        timeInterval ti: TimeInterval,
        target aTarget: Any,
        selector aSelector: Selector,
        userInfo: Any?,
        repeats yesOrNo: Bool
    ) {
        let start = Date(timeIntervalSinceNow: ti)
        self.init(
            fireAt: start,
            interval: ti,
            target: aTarget,
            selector: aSelector,
            userInfo: userInfo,
            repeats: yesOrNo
        )
    }

    /// The same with the date of its first call.
    public init(
        fireAt date: Date,
        interval ti: TimeInterval,
        target t: Any,
        selector s: Selector,
        userInfo ui: Any?,
        repeats rep: Bool
    ) {
        let call = TargetTimer.Call(t as AnyObject, s, ui)
        guard let timer = TargetTimer(fireAt: date, interval: ti, call, repeats: rep) as? Self else {
            // This initializer cannot fail and makes one class alone, so that only a subclass of Timer comes here.
            // Apple advises against one.
            fatalError("a subclass of Timer cannot be made with a target and a selector: make Timer itself")
        }
        self = timer
    }
}

/// A timer with a target.
private final class TargetTimer: Timer {
    // SAFETY: a run loop belongs to one thread, and calls its timers there.
    @safe final class Call: @unchecked Sendable {
        var target: AnyObject?
        let selector: Selector
        let userInfo: Any?

        init(_ target: AnyObject, _ selector: Selector, _ userInfo: Any?) {
            (self.target, self.selector, self.userInfo) = (target, selector, userInfo)
        }

        func run(_ timer: Timer) {
            guard let target else { return }
            if case .unknownName = ObjectiveCNames.send(selector, to: target, [timer]) {
                HostLog.warnOnce("\(type(of: target)) has no function \"\(selector)\" for its timer")
            }
        }
    }

    private let call: Call

    init(fireAt date: Date, interval: TimeInterval, _ call: Call, repeats: Bool) {
        self.call = call
        super.init(fire: date, interval: interval, repeats: repeats) { timer in
            call.run(timer)
            if !repeats { call.target = nil }
        }
    }

    override var userInfo: Any? { call.userInfo }

    override func invalidate() {
        super.invalidate()
        call.target = nil
    }
}
