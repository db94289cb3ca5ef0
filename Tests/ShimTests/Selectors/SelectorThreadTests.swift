// SPDX-License-Identifier: Apache-2.0

import Foundation
import Testing

@testable import FoundationCompatibility

/// On which thread a call by name runs.
@Suite(.timeLimit(.minutes(1)))
struct SelectorThreadTests {
    @Test @MainActor func `a function of the main actor is called at once on the main thread`() async {
        let target = MainTarget()
        #expect(ObjectiveCNames.send("note:", to: target, ["x"]).text == .done("noted x"))
        for await isMain in target.stream {
            #expect(isMain)
            break
        }
    }

    @Test func `elsewhere it is called on the main queue, later`() async {
        let target = await MainTarget()
        let outcome = await withCheckedContinuation { caller in
            Thread.detachNewThread {
                caller.resume(returning: ObjectiveCNames.send("note:", to: target, ["x"]).text)
            }
        }
        #expect(outcome == .later)
        for await isMain in target.stream {
            #expect(isMain)
            break
        }
    }

    @Test func `a function of no actor is called where its caller is`() async {
        let target = MixedTarget()
        let outcomes = await withCheckedContinuation { caller in
            Thread.detachNewThread {
                let here = ObjectiveCNames.send("anywhere", to: target).text
                caller.resume(returning: [here, ObjectiveCNames.send("onMain", to: target).text])
            }
        }
        #expect(outcomes == [.done(nil), .later])
        var texts = target.stream.makeAsyncIterator()
        let first = await texts.next()
        let second = await texts.next()
        #expect(first == "other false" && second == "main true")
    }

    @Test @MainActor func `a delayed call comes on the main queue, unless it is taken back`() async {
        let target = MainTarget()
        target.perform("note:", with: "gone", afterDelay: 0)
        target.perform("note:", with: "gone", afterDelay: 0)
        NSObject.cancelPreviousPerformRequests(withTarget: target)
        target.perform("note:", with: "also gone", afterDelay: 0)
        target.perform("note:", with: nil, afterDelay: 0)
        target.perform("note:", with: "comes", afterDelay: 0)
        NSObject.cancelPreviousPerformRequests(withTarget: target, selector: "note:", object: NSString("also gone"))
        NSObject.cancelPreviousPerformRequests(withTarget: target, selector: "note:", object: nil)
        NSObject.cancelPreviousPerformRequests(withTarget: target, selector: "other", object: "comes")
        // The main queue keeps the order: all that was asked for before has come by then.
        await withCheckedContinuation { caller in
            DispatchQueue.main.asyncAfter(deadline: .now()) { caller.resume() }
        }
        #expect(target.noted == ["comes"])
    }
}
