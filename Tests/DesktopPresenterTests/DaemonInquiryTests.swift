// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import DesktopPresenter

/// Daemons that come and go, and what each states of itself.
struct DaemonInquiryTests {
    @Test func `each daemon that takes the name is asked, and the one before has gone`() {
        var inquiry = DaemonInquiry()
        let first = inquiry.take(owner: ":1.1")
        #expect(first == [.ask(":1.1")])
        let repeated = inquiry.take(owner: ":1.1")
        #expect(repeated == [])
        let half = inquiry.take(capabilities: ["body"], of: ":1.1")
        #expect(half == [])
        let whole = inquiry.take(name: "dunst", version: "1.9.0", of: ":1.1")
        #expect(whole == [.came(":1.1", DaemonFacts(name: "dunst", version: "1.9.0", capabilities: ["body"]))])
        let second = inquiry.take(owner: ":1.2")
        #expect(second == [.went, .ask(":1.2")])
        let late = inquiry.take(capabilities: ["actions"], of: ":1.1")
        #expect(late == [], "an answer of the former one is nothing")
        let gone = inquiry.take(owner: nil)
        #expect(gone == [.went])
    }

    @Test func `one that is no daemon is the end of the first search, and not behind a daemon`() {
        var inquiry = DaemonInquiry()
        #expect(inquiry.takeNoStart() == [.absent])
        _ = inquiry.take(owner: ":1.1")
        #expect(inquiry.takeNoStart() == [])
        #expect(inquiry.take(refusalOf: ":1.1") == [.absent])
        _ = inquiry.take(owner: ":1.2")
        #expect(inquiry.take(refusalOf: ":1.1") == [], "it has given the name up")
        _ = inquiry.take(capabilities: [], of: ":1.2")
        let came = inquiry.take(name: "portal", version: "1", of: ":1.2")
        #expect(came == [.came(":1.2", DaemonFacts(name: "portal", version: "1"))])
        let next = inquiry.take(owner: ":1.3")
        #expect(next == [.went, .ask(":1.3")])
        #expect(inquiry.take(refusalOf: ":1.3") == [])
        _ = inquiry.take(owner: nil)
        #expect(inquiry.takeNoStart() == [])
    }

    @Test func `of what a daemon states sixty-four short capabilities are kept`() {
        var inquiry = DaemonInquiry()
        _ = inquiry.take(owner: ":1.1")
        let long = String(repeating: "x", count: 1_000)
        _ = inquiry.take(capabilities: [long] + (0..<1_000).map { "c\($0)" }, of: ":1.1")
        let came = inquiry.take(name: long, version: "1", of: ":1.1")
        guard case .came(_, let facts) = came.first else {
            Issue.record("the daemon has not come")
            return
        }
        #expect(facts.capabilities.count == 63)
        #expect(facts.name == String(repeating: "x", count: 32))
    }
}
