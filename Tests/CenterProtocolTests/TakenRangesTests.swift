// SPDX-License-Identifier: Apache-2.0

import NotificationPayload
import Testing

@testable import CenterProtocol

struct TakenRangesTests {
    @Test(
        arguments: [
            ([1], [1...1]), ([3, 1, 2], [1...3]), ([1, 1, 1], [1...1]), ([1, 3, 5], [1...1, 3...3, 5...5]),
            ([5, 6, 9, 8, 2, 7], [2...2, 5...9]), ([Int64.max, Int64.max - 1], [(Int64.max - 1)...Int64.max]),
            ([0, -5, 4], [4...4]),
        ] as [([Int64], [ClosedRange<Int64>])]
    )
    func `a batch becomes the fewest ranges`(numbers: [Int64], ranges: [ClosedRange<Int64>]) {
        #expect(TakenRanges(numbers)?.ranges == ranges)
    }

    @Test(arguments: [[], [0], [-1, -2]] as [[Int64]])
    func `a batch without a number is nothing to say`(numbers: [Int64]) {
        #expect(TakenRanges(numbers) == nil)
    }

    @Test func `there are 1,024 ranges at most`() throws {
        let apart = (1...1024).map { Int64($0) * 2 }
        #expect(TakenRanges(apart)?.ranges.count == 1024)
        #expect(TakenRanges(apart + [1]) == nil || TakenRanges(apart + [1])?.ranges.count == 1024)
        #expect(TakenRanges(apart + [3000]) == nil)
        let body: JSONObject = ["ranges": .array((1...1025).map { [.integer($0 * 2), .integer($0 * 2)] })]
        #expect(throws: LinkViolation.member(.taken, .tooMany("ranges", count: 1025))) {
            try CenterLinkMessage(LinkPacket(.taken, body: body), answering: nil)
        }
    }

    /// The naive model is a set of numbers.
    @Test func `ranges hold the numbers of the batch and no other`() throws {
        var random = SeededGenerator(seed: 1)
        for _ in 0..<2000 {
            let count = Int.random(in: 1...200, using: &random)
            let span = Int64.random(in: 1...400, using: &random)
            let numbers = (0..<count).map { _ in Int64.random(in: 1...span, using: &random) }
            let taken = try #require(TakenRanges(numbers))
            #expect(taken.ranges.flatMap { Array($0) } == Set(numbers).sorted())
            #expect(taken.count == UInt64(Set(numbers).count))
            #expect(zip(taken.ranges, taken.ranges.dropFirst()).allSatisfy { $0.upperBound + 1 < $1.lowerBound })
            let message = CenterLinkMessage.taken(taken)
            #expect(try CenterLinkMessage(message.packet, answering: nil) == message)
        }
    }
}

struct LinkWindowTests {
    /// The naive model is a list of numbers and lengths.
    @Test func `a window holds what is in flight, within both bounds`() {
        var random = SeededGenerator(seed: 2)
        var window = LinkWindow()
        var model: [(number: Int64, byteCount: Int)] = []
        for step in 0..<20_000 {
            // Long packets meet the bound of bytes, short ones that of records.
            let longest = step < 10_000 ? 131_072 : 2048
            if Bool.random(using: &random) || step % 3 == 0 {
                let byteCount = Int.random(in: 9...longest, using: &random)
                let hasRoom = model.count < 1024 && model.reduce(0) { $0 + $1.byteCount } + byteCount <= 4_194_304
                #expect(window.hasRoom(for: byteCount) == hasRoom)
                let number = Int64(step + 1)
                guard hasRoom else { continue }
                window.insert(number, byteCount: byteCount)
                model.append((number, byteCount))
            } else {
                let number = model.randomElement(using: &random)?.number ?? 0
                let removals = [window.remove(number), window.remove(number)]
                #expect(removals == [number != 0, false])
                model.removeAll { $0.number == number }
            }
            #expect(window.count == model.count)
            #expect(window.byteCount == model.reduce(0) { $0 + $1.byteCount })
        }
    }

    @Test func `4 MiB are full before 1,024 records are`() throws {
        var pair = try LinkPair.serving()
        var record = LinkRecord.sample()
        record.payload["text"] = .string(String(repeating: "x", count: 65_000))
        let byteCount = PacketHeader.byteCount + record.body.serialized.count
        let count = Int64(4_194_304 / byteCount)
        for number in 10..<10 + count { try pair.say(.record(number: number, record)) }
        let refused = pair.host.judge(send: .record(number: 5000, record))
        #expect(refused.failure == .windowFull(5000))
        try pair.say(.taken(10))
        #expect(try pair.say(.record(number: 5000, record)) == .record(number: 5000, record))
    }

    @Test func `a range over all numbers stops at the first that is missing`() throws {
        var window = LinkWindow()
        for number in Int64(1)...1024 { window.insert(number, byteCount: 9) }
        let taken = try #require(TakenRanges([1]))
        #expect(window.firstMissing(in: taken) == nil)
        guard
            case .taken(let all) = try CenterLinkMessage(
                LinkPacket(.taken, body: ["ranges": [[1, .integer(.max)]]]),
                answering: nil
            )
        else { return }
        #expect(all.count == UInt64(Int64.max))
        #expect(window.firstMissing(in: all) == 1025)
    }
}
