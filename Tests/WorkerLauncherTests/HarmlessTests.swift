// SPDX-License-Identifier: Apache-2.0

import CLauncherProtocol
import Foundation
import Glibc
import Testing

/// Row 29: what decent programs do works in every profile, under stage 1 alone and under both.
@Suite(.timeLimit(.minutes(10)), .serialized)
struct HarmlessTests {
    /// Each of them starts all its workers at once, and asks them afterwards.
    private enum Fixture: CaseIterable {
        case swiftFirst, swiftBoth, handler

        var heading: String {
            switch self {
            case .swiftFirst: "Swift, 1"
            case .swiftBoth: "Swift, 1+2"
            case .handler: "C, 1"
            }
        }

        var runs: Int { self == .handler ? 1 : 3 }
    }

    @Test func `the harmless fixture succeeds in every profile`() throws {
        try run(title: geteuid() == 0 ? "as root" : "as user \(geteuid())") { profile in
            try AttemptGround(LauncherUnderTest(["--profile", "\(profile)"]))
        }
    }

    @Test(.enabled(if: geteuid() == 0, "needs root to become an ordinary user"))
    func `and for an ordinary user`() throws {
        try run(title: "as an ordinary user") { profile in
            let (launcher, folder) = try OtherUser.launcher(["--profile", "\(profile)"])
            launcher.kept.append(folder)
            return try AttemptGround(launcher, user: OtherUser.number)
        }
    }

    private func run(title: String, _ makeGround: (Character) throws -> AttemptGround) throws {
        let grounds = try ["A", "B", "C", "D"].map { (wanted: $0, ground: try makeGround($0)) }
            .filter { $0.ground.launcher.profile == $0.wanted }.map(\.ground)
        var lines: [(Fixture, Int, [String])] = []
        var workers: [[Worker]] = []
        // One for each: they run at once, and what one removes another would miss.
        var storages: [Bundle] = []
        for fixture in Fixture.allCases {
            for number in 1...fixture.runs {
                let own = try grounds.map { try $0.makeStorage() }
                workers.append(try zip(grounds, own).map { try start(fixture, on: $0, storage: $1) })
                storages += own
                lines.append((fixture, number, []))
            }
        }
        for index in lines.indices {
            lines[index].2 = try workers[index].map { try $0.answer(within: 30) }
        }
        print("harmless fixture, \(title): \(grounds.map { String($0.launcher.profile) }.joined(separator: ", "))")
        for (fixture, number, answers) in lines {
            print(" 29 \(fixture.heading), run \(number): \(answers.joined(separator: ", "))")
            #expect(answers == grounds.map { _ in "done" }, "\(title), \(fixture.heading)")
        }
        #expect(grounds.contains { $0.launcher.profile == "D" })
        for ground in grounds { try endAll(workers.joined().filter { $0.order.launcher === ground.launcher }) }
        withExtendedLifetime(storages) {}
    }

    private func start(_ fixture: Fixture, on ground: AttemptGround, storage: Bundle) throws -> Worker {
        let worker = try ground.launch(
            fixture == .handler ? "hostile-probe" : "HostileExtension",
            grant: .scratch,
            scratchBytes: 2 << 20,
            storage: storage
        )
        do {
            try worker.request(
                fixture == .handler ? "ordinary" : "harmless",
                filter: fixture == .swiftBoth ? try ground.stage2(.scratch) : nil,
                scratch: ground.launcher.hasOwnPids ? ground.scratch : storage.path
            )
        } catch {
            let place = "\(ground.launcher.profile), \(fixture.heading)"
            throw Unexpected("\(place): \(error), \(worker.outputText()), \(try ground.launcher.nextEvent())")
        }
        return worker
    }

    /// Hangs up, which is how a host says that it needs no more.
    private func endAll(_ workers: [Worker]) throws {
        for worker in workers { worker.order.socket.close() }
        for _ in workers {
            let end = try workers[0].order.launcher.nextEvent().end
            #expect(end?.code == 1 && end?.status == 0)
        }
        for worker in workers { worker.closeAll() }
    }
}
