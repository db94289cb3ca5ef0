// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import DesktopPresenter

/// The addresses that clicks on popups want opened.
struct OpeningQueueTests {
    private func opening(_ number: Int) throws -> Opening {
        let address = try #require(PageAddress("http://localhost/\(number)"))
        return try #require(Opening(address: address, isPage: number == 1, token: nil))
    }

    private func openings(_ numbers: ClosedRange<Int>) throws -> [Opening] { try numbers.map(opening) }

    /// Takes all that is to be opened now.
    private func all(_ queue: inout OpeningQueue) -> [Opening] {
        var openings: [Opening] = []
        while let opening = queue.next() { openings.append(opening) }
        return openings
    }

    @Test func `three quick clicks open three addresses, in their order, before any program has said a word`() throws {
        var queue = OpeningQueue()
        for number in 1...3 { #expect(queue.add(try opening(number)) == nil) }
        #expect(all(&queue) == (try openings(1...3)))
        #expect(queue.add(try opening(4)) == nil)
        #expect(all(&queue) == [try opening(4)])
    }

    @Test func `eight programs run at the same time, and what waits goes on when one of them is known`() throws {
        var queue = OpeningQueue()
        for number in 1...8 { #expect(queue.add(try opening(number)) == nil) }
        #expect(all(&queue) == (try openings(1...8)))
        for number in 9...10 { #expect(queue.add(try opening(number)) == nil) }
        #expect(queue.next() == nil)
        queue.takeVerdict()
        #expect(all(&queue) == [try opening(9)])
    }

    @Test func `of more than eight that wait the oldest one goes, and is named`() throws {
        var queue = OpeningQueue()
        for number in 1...8 { #expect(queue.add(try opening(number)) == nil) }
        #expect(queue.add(try opening(9)) == (try opening(1)))
        #expect(queue.add(try opening(10)) == (try opening(2)))
        #expect(all(&queue) == (try openings(3...10)))
    }
}
