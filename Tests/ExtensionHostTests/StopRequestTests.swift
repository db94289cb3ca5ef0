// SPDX-License-Identifier: Apache-2.0

import Locking
import Testing

@testable import ExtensionHost

struct StopRequestTests {
    private static let failure = CommandError("sink \"stdout\": broken pipe", hint: "start the host with a reader")

    /// The reason that counts, as text: a reason is not compared elsewhere.
    private func reason(after reasons: StopRequest.Reason...) -> String {
        let stop = StopRequest()
        for reason in reasons { stop.request(reason) }
        return switch stop.reason {
        case nil: "none"
        case .terminated?: "terminated"
        case .drained?: "drained"
        case .refused?: "refused"
        case .launcherLost?: "launcherLost"
        case .failed(let error)?: error.message
        }
    }

    @Test func `of reasons without a fault the first counts`() {
        #expect(reason() == "none")
        #expect(reason(after: .terminated, .drained) == "terminated")
        #expect(reason(after: .drained, .terminated) == "drained")
        #expect(reason(after: .refused, .terminated, .drained) == "refused")
    }

    @Test func `a fault during a drain is what the host ends with`() {
        for begun in [StopRequest.Reason.terminated, .drained, .refused] {
            #expect(reason(after: begun, .failed(Self.failure)) == Self.failure.message)
            #expect(reason(after: begun, .launcherLost) == "launcherLost")
        }
    }

    @Test func `nothing takes the place of a fault`() {
        for later in [StopRequest.Reason.terminated, .drained, .refused, .launcherLost] {
            #expect(reason(after: .failed(Self.failure), later) == Self.failure.message)
        }
        for later in [StopRequest.Reason.terminated, .drained, .refused, .failed(Self.failure)] {
            #expect(reason(after: .launcherLost, later) == "launcherLost")
        }
    }

    @Test func `a signal is heard of once, before and after another reason`() {
        let stop = StopRequest()
        let count = Locked(0)
        stop.request(.drained)
        stop.onTerminated { count.withLock { $0 += 1 } }
        #expect(count.withLock { $0 } == 0)
        stop.request(.failed(Self.failure))
        #expect(count.withLock { $0 } == 0)
        stop.request(.terminated)
        #expect(count.withLock { $0 } == 1)
        stop.request(.terminated)
        #expect(count.withLock { $0 } == 1)
    }

    @Test func `a signal that came before is heard of at once`() {
        let stop = StopRequest()
        stop.request(.terminated)
        stop.request(.launcherLost)
        let count = Locked(0)
        stop.onTerminated { count.withLock { $0 += 1 } }
        #expect(count.withLock { $0 } == 1)
    }
}
