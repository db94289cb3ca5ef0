// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import HostRuntime

struct LaneBoardTests {
    private static func push(
        _ number: Int64,
        device: String,
        topic: String,
        pushType: PushType = .alert
    ) -> IncomingPush {
        var push = IncomingPush.sample(id: "\(number)", device: device, topic: topic, pushType: pushType)
        push.number = number
        return push
    }

    private static func board(lanesPerTopic: Int) -> LaneBoard {
        var limits = QueueLimits()
        limits.lanesPerTopic = lanesPerTopic
        return LaneBoard(limits: limits)
    }

    @Test func `two topics of one device are two lanes, and free their own turns`() {
        var board = Self.board(lanesPerTopic: 1)
        let (mail, news) = (Self.push(1, device: "a", topic: "mail"), Self.push(2, device: "a", topic: "news"))
        let started = [board.stored(mail), board.stored(news)].map { $0?.number }
        #expect(started == [1, 2])
        let next = [board.finished(mail, startsNext: true), board.finished(news, startsNext: true)].map { $0?.number }
        #expect(next == [nil, nil])
        #expect(board.lanesAtWork == 0)
        let others = [
            board.stored(Self.push(3, device: "b", topic: "mail")),
            board.stored(Self.push(4, device: "c", topic: "news")),
        ]
        #expect(others.map { $0?.number } == [3, 4])
    }

    @Test func `what comes while a topic is read is read afterwards`() throws {
        var board = Self.board(lanesPerTopic: 1)
        board.takeUp(topic: "mail")
        let first = board.nextLoad(of: "mail")
        board.takeUp(topic: "mail")
        // The answer may be older than what was announced.
        var started = board.loaded([], by: try #require(first))
        let second = board.nextLoad(of: "mail")
        started += board.loaded([], by: try #require(second))
        let third = board.nextLoad(of: "mail")
        #expect(third == nil)
        #expect(started.isEmpty)
    }

    @Test func `pushes of one device and topic are one lane, whatever their types`() {
        var board = Self.board(lanesPerTopic: 2)
        let alert = Self.push(1, device: "a", topic: "mail")
        let call = Self.push(2, device: "a", topic: "mail", pushType: .voip)
        let started = [board.stored(alert), board.stored(call)].map { $0?.number }
        #expect(started == [1, nil])
        let next = board.finished(alert, startsNext: true)?.number
        #expect(next == 2)
        let last = board.finished(call, startsNext: true)?.number
        #expect(last == nil)
        #expect(board.lanesAtWork == 0)
    }
}
