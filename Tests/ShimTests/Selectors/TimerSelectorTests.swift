// SPDX-License-Identifier: Apache-2.0

import Foundation
import Testing

@testable import FoundationCompatibility

struct TimerSelectorTests {
    @Test func `a timer calls its target with itself and its values`() {
        let target = Target()
        let timer = Timer(timeInterval: 9, target: target, selector: "fired:", userInfo: 3, repeats: true)
        timer.fire()
        timer.fire()
        #expect(target.calls == 6)
        #expect(timer.userInfo as? Int == 3 && timer.timeInterval == 9 && timer.isValid)
        timer.invalidate()
        timer.fire()
        #expect(target.calls == 6 && !timer.isValid)
    }

    @Test func `a function without a parameter will do`() {
        let target = Target()
        Timer(fireAt: .distantFuture, interval: 1, target: target, selector: "void", userInfo: nil, repeats: true)
            .fire()
        #expect(target.calls == 1)
    }

    @Test func `a timer keeps its target alive until it is over`() {
        weak var target: Target?
        let (repeating, once): (Timer, Timer)
        do {
            let strong = Target()
            target = strong
            repeating = Timer(timeInterval: 9, target: strong, selector: "void", userInfo: nil, repeats: true)
            once = Timer(timeInterval: 9, target: strong, selector: "void", userInfo: nil, repeats: false)
        }
        once.fire()
        repeating.fire()
        #expect(target?.calls == 2)
        repeating.invalidate()
        #expect(target == nil)
    }

    @Test func `a scheduled timer comes in the run loop of its thread`() async {
        let calls = await withCheckedContinuation { caller in
            Thread.detachNewThread {
                let target = Target()
                Timer.scheduledTimer(timeInterval: 0, target: target, selector: "void", userInfo: nil, repeats: false)
                while target.calls == 0, RunLoop.current.run(mode: .default, before: .distantFuture) {}
                caller.resume(returning: target.calls)
            }
        }
        #expect(calls == 1)
    }
}
