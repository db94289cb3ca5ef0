// SPDX-License-Identifier: Apache-2.0

import HostRuntime
import Locking
import Testing

@Suite(.timeLimit(.minutes(5)))
struct PushQueueTests {
    private static func push(_ number: Int, device: String = "a", byteCount: Int = 100) -> IncomingPush {
        .sample(id: "\(number)", device: device, byteCount: byteCount)
    }

    // MARK: Lanes

    @Test func `pushes of one device conclude in the order of acceptance, one at a time`() async {
        await withQueue { queue in
            #expect(await queue.verdicts((0..<100).map { Self.push($0) }) == Array(repeating: .accepted, count: 100))
            queue.drain()
            let ledger = Ledger()
            await queue.run { await ledger.conclude($0) }
            #expect(ledger.concluded == ["a": (0..<100).map { "\($0)" }])
            #expect(ledger.overlaps == 0)
            #expect(queue.count == 0)
        }
    }

    @Test func `lanes run beside each other`() async {
        await withQueue { queue in
            let (first, second) = (Signal(), Signal())
            _ = await queue.verdicts([Self.push(1, device: "a"), Self.push(2, device: "b")])
            queue.drain()
            // Each waits for the other to have begun.
            await queue.run { push in
                if push.deviceToken == "a" {
                    first.raise()
                    await second.wait()
                } else {
                    second.raise()
                    await first.wait()
                }
                return Conclusion(of: push)
            }
            #expect(queue.count == 0)
        }
    }

    @Test func `a device that hangs holds up nobody else`() async {
        await withQueue { queue in
            let release = Signal()
            let concluded = Journal<String>()
            let run = Task {
                await queue.run { push in
                    if push.deviceToken == "slow" { await release.wait() }
                    concluded.note(push.id)
                    return Conclusion(of: push)
                }
            }
            _ = await queue.verdicts([Self.push(0, device: "slow"), Self.push(1, device: "slow")])
            for number in 2..<50 { _ = await queue.verdicts([Self.push(number, device: "\(number % 5)")]) }
            #expect(Set(await concluded.next(48)) == Set((2..<50).map { "\($0)" }))
            release.raise()
            #expect(await concluded.next(1) == ["0"])
            release.raise()
            #expect(await concluded.next(1) == ["1"])
            queue.drain()
            await run.value
        }
    }

    @Test func `a lane that was empty opens again`() async {
        await withQueue { queue in
            let concluded = Journal<String>()
            let run = Task {
                await queue.run { push in
                    concluded.note(push.id)
                    return Conclusion(of: push)
                }
            }
            for number in 0..<200 {
                #expect(await queue.verdicts([Self.push(number)]) == [.accepted])
                #expect(await concluded.next(1) == ["\(number)"])
            }
            queue.drain()
            await run.value
            #expect(queue.count == 0)
        }
    }

    @Test func `a run that is cancelled returns, and what it did not conclude stays`() async {
        await withQueue { queue in
            let begun = Journal<String>()
            let run = Task {
                await queue.run { push in
                    begun.note(push.id)
                    // Nobody raises it: the wait ends with the task.
                    await Signal().wait()
                    return nil
                }
            }
            #expect(await queue.verdicts([Self.push(0, device: "a"), Self.push(1, device: "b")]).count == 2)
            #expect(Set(await begun.next(2)) == ["0", "1"])
            run.cancel()
            await run.value
            #expect(await queue.verdicts([Self.push(2, device: "c")]) == [.accepted])
            #expect(queue.count == 3)
        }
    }

    /// Devices share three ingresses; each device is fed by one, in random batches, while the queue runs.
    @Test(arguments: 0..<10)
    func `whatever comes together, each device keeps its order and each push concludes once`(seed: Int) async {
        await withQueue { queue in
            let ledger = Ledger()
            let run = Task { await queue.run { await ledger.conclude($0) } }
            let expected = await withTaskGroup(of: [String: [String]].self) { group in
                for ingress in 0..<3 {
                    group.addTask {
                        var generator = SeededGenerator(seed: UInt64(seed * 3 + ingress))
                        var accepted: [String: [String]] = [:]
                        var number = 0
                        while number < 300 {
                            let batch = (0..<Int.random(in: 1...12, using: &generator)).map { offset in
                                let device = "\(ingress).\(Int.random(in: 0..<6, using: &generator))"
                                return Self.push(number + offset, device: device)
                            }
                            number += batch.count
                            let verdicts = await queue.verdicts(batch)
                            for (push, verdict) in zip(batch, verdicts) where verdict == .accepted {
                                accepted[push.deviceToken, default: []].append(push.id)
                            }
                            if Bool.random(using: &generator) { await Task.yield() }
                        }
                        return accepted
                    }
                }
                return await group.reduce(into: [:]) { $0.merge($1) { $1 } }
            }
            queue.drain()
            await run.value
            #expect(ledger.concluded == expected)
            #expect(expected.values.joined().count >= 900)
            #expect(ledger.overlaps == 0)
            #expect(queue.count == 0)
        }
    }

    // MARK: Limits

    @Test func `beyond so many pushes of a device it is busy`() async {
        await withQueue(limits: .impatient(perDevice: 2)) { queue in
            let batch = [Self.push(1), Self.push(2), Self.push(3), Self.push(4, device: "b"), Self.push(5)]
            #expect(await queue.verdicts(batch) == [.accepted, .accepted, .deviceBusy, .accepted, .deviceBusy])
            #expect(queue.count == 3)
        }
    }

    @Test func `beyond so many pushes altogether the host has no room`() async {
        await withQueue(limits: .impatient(pushes: 4)) { queue in
            let batch = (0..<6).map { IncomingPush.sample(id: "\($0)", device: "\($0)", topic: "app\($0)") }
            #expect(
                await queue.verdicts(batch) == Array(repeating: .accepted, count: 4) + [.unavailable, .unavailable]
            )
            #expect(queue.count == 4)
        }
    }

    @Test func `a topic leaves as much room as it takes`() async {
        await withQueue(limits: .impatient(pushes: 90)) { queue in
            func flood(_ topic: String) async -> Int {
                let batch = (0..<90).map { IncomingPush.sample(id: "\($0)", device: "\(topic)\($0)", topic: topic) }
                return await queue.verdicts(batch).count { $0 == .accepted }
            }
            #expect(await flood("a") == 45)
            #expect(await flood("b") == 23)
            #expect(await flood("c") == 11)
            #expect(await flood("a") == 0)
        }
    }

    @Test func `bodies are counted to the byte`() async {
        await withQueue(limits: .impatient(byteCount: 1000)) { queue in
            #expect(await queue.verdicts([Self.push(1, byteCount: 600)]) == [.accepted])
            #expect(await queue.verdicts([Self.push(2, device: "b", byteCount: 401)]) == [.unavailable])
            #expect(await queue.verdicts([Self.push(3, device: "b", byteCount: 400)]) == [.accepted])
            #expect(await queue.verdicts([Self.push(4, device: "c", byteCount: 1)]) == [.unavailable])
            #expect(await queue.verdicts([Self.push(5, device: "c", byteCount: 0)]) == [.accepted])
        }
    }

    @Test func `a conclusion makes room again`() async {
        await withQueue(limits: .impatient(pushes: 4, byteCount: 200, perDevice: 1)) { queue in
            let begun = Journal<String>()
            let release = Signal()
            let run = Task {
                await queue.run { push in
                    begun.note(push.id)
                    await release.wait()
                    return Conclusion(of: push)
                }
            }
            #expect(await queue.verdicts([Self.push(1)]) == [.accepted])
            for number in 2..<20 {
                #expect(await begun.next(1) == ["\(number - 1)"])
                #expect(await queue.verdicts([Self.push(number)]) == [.deviceBusy])
                release.raise()
                await queue.emptied()
                #expect(await queue.verdicts([Self.push(number)]) == [.accepted])
            }
            release.raise()
            queue.drain()
            await run.value
            #expect(queue.count == 0)
        }
    }

    @Test func `a refused push is not concluded`() async {
        await withQueue(limits: .impatient(perDevice: 1)) { queue in
            #expect(await queue.verdicts([Self.push(1), Self.push(2)]) == [.accepted, .deviceBusy])
            queue.drain()
            let ledger = Ledger()
            await queue.run { await ledger.conclude($0) }
            #expect(ledger.concluded == ["a": ["1"]])
        }
    }

    @Test func `a device that gets too many at once is busy until its rate allows more`() async {
        var limits = QueueLimits.impatient()
        limits.burst = 3
        limits.pushesPerSecond = 0.001
        limits.patience = .seconds(60)
        await withQueue(limits: limits) { queue in
            let batch = (0..<4).map { Self.push($0) } + [Self.push(5, device: "b")]
            #expect(await queue.verdicts(batch) == [.accepted, .accepted, .accepted, .deviceBusy, .accepted])
        }
    }

    // MARK: Drain

    @Test func `nothing is accepted after drain`() async {
        await withQueue { queue in
            queue.drain()
            #expect(await queue.verdicts([Self.push(1)]) == [.unavailable])
            #expect(queue.count == 0)
            let ledger = Ledger()
            await queue.run { await ledger.conclude($0) }
            #expect(ledger.concluded.isEmpty)
        }
    }

    @Test func `drain ends a run that waits for pushes`() async {
        await withQueue { queue in
            let run = Task { await queue.run { Conclusion(of: $0) } }
            queue.drain()
            await run.value
        }
    }

    @Test func `drain waits for what was accepted and refuses the rest`() async {
        await withQueue { queue in
            let begun = Signal()
            let release = Signal()
            let ledger = Ledger()
            let run = Task {
                await queue.run { push in
                    if push.id == "1" {
                        begun.raise()
                        await release.wait()
                    }
                    return await ledger.conclude(push)
                }
            }
            _ = await queue.verdicts([Self.push(1), Self.push(2), Self.push(3, device: "b")])
            await begun.wait()
            queue.drain()
            queue.drain()
            #expect(await queue.verdicts([Self.push(4), Self.push(5, device: "c")]) == [.unavailable, .unavailable])
            #expect(queue.count >= 2)
            release.raise()
            await run.value
            #expect(ledger.concluded == ["a": ["1", "2"], "b": ["3"]])
            #expect(queue.count == 0)
        }
    }

    @Test(arguments: 0..<50)
    func `a drain that meets acceptance loses nothing`(round: Int) async {
        await withQueue { queue in
            let ledger = Ledger()
            let run = Task { await queue.run { await ledger.conclude($0) } }
            let accepting = Task {
                var count = 0
                for number in 0..<200 {
                    let verdicts = await queue.verdicts([Self.push(number, device: "\(number % 7)")])
                    if verdicts == [.accepted] { count += 1 }
                }
                return count
            }
            for _ in 0..<round { await Task.yield() }
            queue.drain()
            await run.value
            let acceptedCount = await accepting.value
            #expect(ledger.concluded.values.joined().count == acceptedCount)
            #expect(queue.count == 0)
        }
    }
}

/// Takes pushes as a pipeline would and notes their order by device.
private final class Ledger: Sendable {
    private struct State {
        var concluded: [String: [String]] = [:]
        var atWork: Set<String> = []
        var overlaps = 0
    }

    private let state = Locked(State())

    var concluded: [String: [String]] { state.withLock(\.concluded) }
    /// The number of times that two pushes of one device were at work together.
    var overlaps: Int { state.withLock(\.overlaps) }

    func conclude(_ push: IncomingPush) async -> Conclusion {
        state.withLock { state in
            if !state.atWork.insert(push.deviceToken).inserted { state.overlaps += 1 }
        }
        for _ in 0..<(push.id.utf8.reduce(0) { $0 &+ Int($1) } % 4) { await Task.yield() }
        state.withLock { state in
            state.atWork.remove(push.deviceToken)
            state.concluded[push.deviceToken, default: []].append(push.id)
        }
        return Conclusion(of: push)
    }
}
