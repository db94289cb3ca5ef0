// SPDX-License-Identifier: Apache-2.0

import CenterStore
import TestClock
import Testing

@testable import CenterServing

/// Waits for an owner's next number, and who is told.
@Suite(.timeLimit(.minutes(1)))
struct OwnerPositionsTests {
    private let positions = OwnerPositions(Announcements())

    private func owner(_ name: String = "me") throws -> OwnerName { try #require(OwnerName(name)) }

    @Test func `a number that came before the wait is not lost`() async throws {
        let me = try owner()
        positions.raise(me, to: 5, at: .zero)
        await positions.wait(for: me, after: 4)
        #expect(positions.watcherCount == 0)
    }

    @Test func `all who wait for an owner are told, and nobody else`() async throws {
        let (me, ana) = (try owner(), try owner("ana"))
        try await withThrowingTaskGroup(of: String.self) { group in
            for _ in 0..<3 {
                group.addTask { [positions] in
                    await positions.wait(for: me, after: 0)
                    return "me"
                }
            }
            group.addTask { [positions] in
                await positions.wait(for: ana, after: 0)
                return "ana"
            }
            while positions.watcherCount < 4 { try await Task.turn() }
            positions.raise(me, to: 1, at: .zero)
            for _ in 0..<3 { #expect(try await group.next() == "me") }
            #expect(positions.watcherCount == 1)
            positions.raise(ana, to: 1, at: .zero)
            #expect(try await group.next() == "ana")
        }
    }

    @Test func `a number that the watcher has seen does not wake it`() async throws {
        let me = try owner()
        async let wait: Void = positions.wait(for: me, after: 7)
        while positions.watcherCount < 1 { try await Task.turn() }
        positions.raise(me, to: 7, at: .zero)
        #expect(positions.watcherCount == 1)
        positions.raise(me, to: 8, at: .zero)
        await wait
    }

    @Test func `a wait ends with its task, before it began too`() async throws {
        let me = try owner()
        let task = Task { [positions] in await positions.wait(for: me, after: 0) }
        while positions.watcherCount < 1 { try await Task.turn() }
        task.cancel()
        await task.value
        #expect(positions.watcherCount == 0)
        let other = Task { [positions] in
            withUnsafeCurrentTask { $0?.cancel() }
            await positions.wait(for: me, after: 0)
        }
        await other.value
        #expect(positions.watcherCount == 0)
    }
}
