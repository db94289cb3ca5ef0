// SPDX-License-Identifier: Apache-2.0

import CenterProtocol
import Foundation
import Glibc
import HostRuntime
import NotificationPayload
import SceneModel
import TestClock
import Testing
import WorkerProtocol

@testable import WorkerSupervisor

/// Nothing is left of views that were opened and closed.
@Suite(.timeLimit(.minutes(5)))
struct ViewTraceTests {
    /// The number of things that views use: in this process, below it, and in the host's folder.
    private struct Traces: Equatable, CustomStringConvertible {
        let descriptors: Int
        let processes: Int
        let files: Int

        init(below folder: HostFolder) throws {
            descriptors = try FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd").count
            processes = Self.countBelow(getpid())
            files = try FileManager.default.subpathsOfDirectory(atPath: folder.path).count
        }

        var description: String { "\(descriptors) descriptors, \(processes) processes, \(files) files" }

        private static func countBelow(_ pid: Int32) -> Int {
            let threads = (try? FileManager.default.contentsOfDirectory(atPath: "/proc/\(pid)/task")) ?? []
            let children = threads.flatMap { thread in
                let text = try? String(contentsOfFile: "/proc/\(pid)/task/\(thread)/children", encoding: .utf8)
                return (text ?? "").split(separator: " ").compactMap { Int32($0) }
            }
            return children.count + children.map(countBelow).reduce(0, +)
        }
    }

    /// A view that shows a picture of its own, opened and then ended in one of the ways that a view ends.
    private func openAndEnd(_ ending: Int, _ harness: SupervisorHarness) async throws {
        let files: JSON = [[1, "tmp/a.png", "png(2, 3)"]]
        let view = try #require(await ShownView("files", files: files, harness))
        await view.until { $0.contains { if case .picture = $0 { true } else { false } } }
        let pid = try #require(await view.pid)
        switch ending % 3 {
        case 0: await harness.supervisor.closeView(view.number)
        case 1: kill(pid, SIGKILL)
        default: _ = try await harness.supervisor.send(.event(.node(2, .tap(at: nil))), toView: view.number)
        }
        let end = try await view.end()
        #expect(end == [.closed, .crashed, .dismissed][ending % 3])
        #expect(await harness.isGone(pid))
    }

    @Test func `views that were opened and ended leave no process, no descriptor and no file`() async throws {
        let folder = try HostFolder(temporaryBelow: "/tmp")
        defer { folder.remove() }
        let clock = HostClock(ManualClock())
        try await SupervisorHarness.withHarness(script: ShownView.script, role: .content, clock: clock, folder: folder)
        {
            harness in
            for ending in 0..<3 { try await openAndEnd(ending, harness) }
            let before = try Traces(below: folder)
            for ending in 0..<18 { try await openAndEnd(ending, harness) }
            // A descriptor that a loop still lets go of may be there for a moment.
            let limit = ContinuousClock.now + .seconds(30)
            while try Traces(below: folder) != before, ContinuousClock.now < limit { await Task.yield() }
            let after = try Traces(below: folder)
            #expect(after == before)
        }
    }

    @Test func `two owners have thirty-two views at once, each its own, and all of them end with their host`()
        async throws
    {
        let apps = (1...4).map { "com.example.app\($0)" }
        let clock = HostClock(ManualClock())
        try await SupervisorHarness.withHarness(script: ShownView.script, apps: apps, role: .content, clock: clock) {
            harness in
            var views: [ShownView] = []
            for owner in ["me", "other"] {
                for app in apps {
                    for _ in 1...4 {
                        views.append(try #require(await ShownView("wait", harness, app: app, owner: owner)))
                    }
                }
            }
            for view in views { await view.untilShown() }
            #expect(await ShownView.numbers(in: harness.supervisor).count == 32)
            // An event goes to one view alone.
            let (one, others) = (views[20], views[0..<20] + views[21...])
            _ = try await harness.supervisor.send(.event(.node(3, .value(.number(0.25)))), toView: one.number)
            await one.until { $0.count == 2 }
            #expect(try one.scene[3]?.kind == .slider(SceneRange(value: 0.25)))
            for other in others { #expect(try other.scene[3]?.kind == .slider(SceneRange(value: 1))) }
            #expect(views.allSatisfy { $0.ends.isEmpty })
            let pids = await ShownView.processes(in: harness.supervisor)
            await harness.supervisor.end()
            for pid in pids { #expect(await harness.isGone(pid)) }
            #expect(views.allSatisfy { $0.ends == [.closed] })
        }
    }
}
