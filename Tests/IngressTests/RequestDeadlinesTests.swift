// SPDX-License-Identifier: Apache-2.0

import HostRuntime
import NIOCore
import Testing

@testable import Ingress

struct RequestDeadlinesTests {
    private final class FakeRequest: PushAnswering {
        var isComplete = false
        var number = 1
        func answer(_ acceptance: Acceptance?) {}
        func timeOut() {}
    }

    private let begin = NIODeadline.uptimeNanoseconds(1_000)
    private let patience = TimeAmount.seconds(10)

    private func deadlines(openLimit: Int = 10) -> RequestDeadlines {
        RequestDeadlines(patience: patience, openLimit: openLimit)
    }

    @Test func `a request that ends in the read that brought it is never kept`() {
        var deadlines = deadlines()
        let request = FakeRequest()
        deadlines.open(request)
        request.isComplete = true
        deadlines.readComplete(at: begin)
        #expect(deadlines.next == nil)
    }

    @Test func `a request is late when its patience is over, and only once`() {
        var deadlines = deadlines()
        let request = FakeRequest()
        deadlines.open(request)
        deadlines.readComplete(at: begin)
        #expect(deadlines.next == begin + patience)
        #expect(deadlines.takeLate(at: begin + patience - .nanoseconds(1)).isEmpty)
        #expect(deadlines.takeLate(at: begin + patience).first === request)
        #expect(deadlines.takeLate(at: begin + patience).isEmpty)
        #expect(deadlines.next == nil)
    }

    @Test func `a connection's next request has its own patience`() {
        var deadlines = deadlines()
        let connection = FakeRequest()
        deadlines.open(connection)
        deadlines.readComplete(at: begin)
        // The first request ended between reads, the second came, and has no end yet.
        connection.number = 2
        deadlines.open(connection)
        deadlines.readComplete(at: begin + .seconds(9))
        #expect(deadlines.takeLate(at: begin + .seconds(10)).isEmpty)
        #expect(deadlines.takeLate(at: begin + .seconds(19)).count == 1)
    }

    @Test func `what ended behind a request that hangs is swept out`() {
        var deadlines = deadlines(openLimit: 2)
        let hanging = FakeRequest()
        deadlines.open(hanging)
        deadlines.readComplete(at: begin)
        weak var first: FakeRequest?
        for index in 0..<5 {
            let request = FakeRequest()
            if index == 0 { first = request }
            deadlines.open(request)
            deadlines.readComplete(at: begin + .nanoseconds(Int64(index)))
            request.isComplete = true
        }
        #expect(first == nil)
        #expect(deadlines.takeLate(at: begin + patience).map { $0 === hanging } == [true])
    }
}
