// SPDX-License-Identifier: Apache-2.0

import Foundation
import Testing

@testable import FoundationCompatibility

struct NotificationSelectorTests {
    private let center = NotificationCenter()
    private let name = Notification.Name("name")

    @Test func `an observer is called for its name, or for all`() {
        let (one, all) = (Target(), Target())
        center.addObserver(one, selector: "posted:", name: name, object: nil)
        center.addObserver(all, selector: "postedObject:", name: nil, object: nil)
        center.post(name: name, object: nil)
        center.post(name: Notification.Name("other"), object: nil)
        #expect(one.calls == 1 && all.calls == 20)
    }

    @Test func `an observer of one object hears of no other`() {
        let (target, object) = (Target(), NSObject())
        center.addObserver(target, selector: "posted:", name: name, object: object)
        center.post(name: name, object: NSObject())
        center.post(name: name, object: nil)
        #expect(target.calls == 0)
        center.post(name: name, object: object)
        #expect(target.calls == 1)
    }

    @Test func `an observer is removed for one name or for all`() {
        let target = Target()
        center.addObserver(target, selector: "posted:", name: name, object: nil)
        center.addObserver(target, selector: "posted:", name: Notification.Name("other"), object: nil)
        center.removeObserver(target, name: name, object: nil)
        center.post(name: name, object: nil)
        center.post(name: Notification.Name("other"), object: nil)
        #expect(target.calls == 1)
        center.removeObserver(target)
        center.post(name: Notification.Name("other"), object: nil)
        #expect(target.calls == 1)
    }

    @Test func `an observer with a block is removed as ever`() {
        let target = Target()
        // SAFETY: posted to from this thread alone.
        nonisolated(unsafe) let counted = target
        let token = center.addObserver(forName: name, object: nil, queue: nil) { _ in counted.perform("void") }
        center.post(name: name, object: nil)
        center.removeObserver(token)
        center.post(name: name, object: nil)
        #expect(target.calls == 1)
    }

    @Test func `an observer is not kept alive, and hears nothing once it is gone`() {
        weak var gone: Target?
        do {
            let target = Target()
            gone = target
            center.addObserver(target, selector: "posted:", name: name, object: nil)
        }
        #expect(gone == nil)
        center.post(name: name, object: nil)
    }
}
