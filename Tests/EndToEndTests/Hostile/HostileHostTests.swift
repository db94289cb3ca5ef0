// SPDX-License-Identifier: Apache-2.0

import Foundation
import Glibc
import HostTesting
import NotificationPayload
import Sampling
import Testing

/// A hostile worker against a real host, in every profile, under stage 1 alone and under both filters: the rows of the
/// table of attempts that need a host.
@Suite(.timeLimit(.minutes(15)), .serialized)
struct HostileHostTests {
    private static let isRoot = geteuid() == 0

    @Test func `a host outlives what its workers do, in every profile of this machine`() async throws {
        let table = try await HostileTable(user: nil)
        print(table.text(title: Self.isRoot ? "as root" : "as user \(geteuid())"))
        #expect(table.profiles.contains("D"))
    }

    @Test(.enabled(if: isRoot, "needs root to become an ordinary user"))
    func `and so does the host of an ordinary user`() async throws {
        let table = try await HostileTable(user: HostileHost.user)
        print(table.text(title: "as an ordinary user"))
        #expect(table.profiles.contains("D"))
        #expect(!table.profiles.contains("B"))
    }
}

/// All attempts, by both workers, in all profiles there are.
private struct HostileTable {
    private(set) var profiles: [Character] = []
    private var columns: [[String]] = []

    private static let rows: [(row: Int, what: String)] =
        HostAttempt.sample.map { ($0.row, $0.what) } + HostileColumn.further

    init(user: uid_t?) async throws {
        for profile: Character in ["A", "B", "C", "D"] {
            let found = try await withThrowingTaskGroup(of: (Int, [String]?).self) { group in
                for (index, worker) in HostileWorker.allCases.enumerated() {
                    group.addTask {
                        let outcomes = try await HostileHost.with(worker, profile: profile, user: user) { host in
                            try await HostileColumn(worker, host).run()
                        }
                        return (index, outcomes)
                    }
                }
                return try await group.reduce(into: [:]) { $0[$1.0] = $1.1 }
            }
            guard found.count == HostileWorker.allCases.count else { continue }
            profiles.append(profile)
            columns += found.sorted { $0.key < $1.key }.map(\.value)
        }
    }

    /// For a person; all ASCII, since SwiftPM drops what it reads in pieces.
    func text(title: String) -> String {
        let headings = profiles.flatMap { profile in HostileWorker.allCases.map { "\(profile) \($0.heading)" } }
        let head = Self.cell("  # attempt on the host, \(title)", 44) + headings.map { Self.cell($0, 18) }.joined()
        let lines = Self.rows.indices.map { index in
            let number = String(repeating: " ", count: Self.rows[index].row < 10 ? 2 : 1) + "\(Self.rows[index].row) "
            return Self.cell(number + Self.rows[index].what, 44) + columns.map { Self.cell($0[index], 18) }.joined()
        }
        return ([head] + lines).joined(separator: "\n")
    }

    private static func cell(_ text: String, _ width: Int) -> String {
        text.prefix(width - 1).padding(toLength: width, withPad: " ", startingAt: 0)
    }
}

/// One host with one kind of worker, through all attempts.
private struct HostileColumn {
    /// The attempts that need more than one push and its record.
    static let further: [(row: Int, what: String)] = [
        (19, "never read its socket, 64 requests"), (23, "outlive a host that is killed"),
        (30, "leave something for the next notification"), (31, "attach links, fifos, other folders"),
    ]

    let worker: HostileWorker
    let host: HostileHost

    init(_ worker: HostileWorker, _ host: HostileHost) {
        self.worker = worker
        self.host = host
    }

    private func place(_ what: String) -> String { "\(host.profile), \(worker.heading): \(what)" }

    func run() async throws -> [String] {
        try #require(try await host.deliver("ordinary")?.outcome == "done", "\(place("before all"))")
        // Once before the count, so that what is made once is there.
        _ = try await (host.deliver("trace", to: HostileHost.once), attach())
        let before = (try await mostDescriptors(), host.memory)
        var outcomes: [String] = []
        for attempt in HostAttempt.sample {
            let expected = attempt.expected(of: worker, in: host.profile)
            outcomes.append(expected == nil ? "-" : try await outcome(of: attempt, expected: expected ?? []))
        }
        outcomes.append(try await neverRead())
        let traces = try await [
            host.deliver("trace", to: HostileHost.once), host.deliver("trace", to: HostileHost.once),
        ]
        let attached = try await attach()
        let after = (try await host.descriptorCount(atMost: before.0), host.memory)
        #expect(after.0 <= before.0, "\(place("descriptors"))")
        #expect(after.1 <= before.1 + 16_384, "\(place("memory in KiB"))")
        let last = UUID().uuidString.lowercased()
        outcomes.append(try await outlive(push: last))
        outcomes.append(expect(traces.map { $0?.outcome ?? "?" }.joined(separator: " "), "none none", "traces"))
        outcomes.append(attached)
        let rest = try await host.host.remainingRecords().map { HostileRecord(record: $0) }
        #expect(rest.count <= 1, "\(place("one record for each"))")
        // The last push's budget may end before the host is killed.
        for record in rest where record.id != last || !HostAttempt.overdue.contains(record.outcome) {
            Issue.record("\(place("one record for each")): \(record.id) \(record.outcome)")
        }
        return outcomes
    }

    /// Returns the most descriptors that the host has at ten moments of ordinary work; at one a worker may be missing.
    private func mostDescriptors() async throws -> Int {
        var most = 0
        for _ in 0..<10 {
            _ = try await host.deliver("ordinary")
            most = max(most, host.descriptorCount)
        }
        return most
    }

    private func expect(_ outcome: String, _ expected: String, _ what: String) -> String {
        if outcome != expected {
            // The reason of a start that failed is in the host's log alone.
            let notes = host.host.everythingNoted.split(separator: "\n").suffix(12).joined(separator: "\n")
            Issue.record("\(place(what)): \(outcome)\n\(notes)")
        }
        return outcome
    }

    /// The record of a push whose budget should end, beside one of another app that only sleeps and has a little more.
    ///
    /// However long both wait for a processor, what ends first is recorded first.
    private func record(beforeSleeper post: () async throws -> Void, count: Int = 1) async throws -> [HostileRecord] {
        try await post()
        try await host.post("sleep", to: HostileHost.once)
        var records: [HostileRecord] = []
        for _ in 0...count { try await host.host.nextRecord().map { records.append(HostileRecord(record: $0)) } }
        let place = records.firstIndex { $0.topic == HostileHost.once }
        guard let place else { return records }
        let sleeper = records.remove(at: place)
        // One that had no process in time has no end to be compared with, and one that a process took late may end
        // late.
        let prompt = records[place...].filter { $0.timeBeforeWork <= HostileHost.lead }
        if HostAttempt.overdue.contains(sleeper.outcome), !prompt.isEmpty {
            Issue.record("\(self.place("ended behind a push that ends later")): \(records.map(\.outcome))")
        }
        return records
    }

    /// One push with the attempt, and one that shows that the next is served.
    private func outcome(of attempt: HostAttempt, expected: Set<String>) async throws -> String {
        let command = attempt.command(host)
        let record =
            expected.isDisjoint(with: HostAttempt.overdue)
            ? try await host.deliver(command, expecting: expected)
            : try await self.record(beforeSleeper: { try await host.post(command) }).first
        let time = record?.timeAtWork ?? .zero
        let outcome = record?.outcome ?? "no record"
        if !expected.contains(outcome) { Issue.record("\(place(attempt.what)): \(outcome)") }
        if outcome == "budgetExceeded" || outcome == "timeWillExpireIgnored" {
            #expect(time >= HostileHost.budget - HostileHost.exactness, "\(place(attempt.what))")
        }
        #expect(time <= HostileHost.budget + .seconds(3), "\(place(attempt.what))")
        // Who is gone at once is not counted, and an app that shares the host's user says so behind the count.
        let sandbox = record?.sandbox ?? ""
        let count = sandbox.dropFirst().prefix { $0.isNumber }
        #expect(
            sandbox.first == host.profile && (count.isEmpty || count == worker.filterCount),
            "\(place(attempt.what))"
        )
        #expect((record?.peakByteCount ?? 0) < 48 << 20, "\(place(attempt.what))")
        let next = try await host.deliver("ordinary")?.outcome
        if next != "done" { Issue.record("\(place("after " + attempt.what)): \(next ?? "no record")") }
        return outcome
    }

    /// More than its socket holds; the host waits for none of it.
    private func neverRead() async throws -> String {
        let post = {
            try await withThrowingTaskGroup(of: Void.self) { group in
                for device in 0..<64 {
                    group.addTask {
                        try await host.post("sleep", device: device, filler: 3500)
                    }
                }
                try await group.waitForAll()
            }
        }
        let records = try await record(beforeSleeper: post, count: 64)
        #expect(records.count == 64)
        let reasons = Set(records.map { $0.record.reason ?? "?" })
        for record in records {
            #expect(record.timeAtWork ?? .zero <= HostileHost.budget + .seconds(3), "\(place("64 requests"))")
        }
        // The SDK has a thread for each request; who gets none ends by itself.
        let expected: Set = ["budgetExceeded", "timeWillExpireIgnored"]
        if !reasons.isSubset(of: worker == .c ? expected : expected.union(["exitedEarly"])) {
            Issue.record("\(place("64 requests")): \(reasons)")
        }
        #expect(try await host.deliver("ordinary")?.outcome == "done", "\(place("after 64 requests"))")
        return reasons.sorted().joined(separator: " ")
    }

    /// The worker's folder has a link and a fifo in it that no worker can have made.
    private func attach() async throws -> String {
        let home = host.folder.path + "/state/apps/\(HostileHost.attacker)/home"
        var outcome = ""
        for _ in 0..<5 {
            symlink("/etc/passwd", home + "/link")
            mkfifo(home + "/fifo", 0o666)
            let record = try await host.deliver("attach")?.record
            let kept = record?.object["attachments"]?.array?.count ?? 0
            let reasons = record?.object["refusedAttachments"]?.array?.compactMap { $0.object?["reason"]?.string } ?? []
            outcome = "\(kept) kept: " + Set(reasons).sorted().joined(separator: " ") + " \(reasons.count)"
            // What this machine held up is asked again, as by `deliver`.
            guard reasons.contains("outOfTime") else { break }
        }
        return expect(outcome, "1 kept: badName notAFile notFound 7", "attachments")
    }

    /// SIGKILL to the host, while a worker is busy with a push of that id.
    private func outlive(push id: String) async throws -> String {
        try await host.post("spin", headers: ["apns-id: \(id)"])
        var pids: [Int32] = []
        while pids.isEmpty {
            try Task.checkCancellation()
            pids = host.host.descendants(named: worker.rawValue)
        }
        let workers = pids.compactMap { WatchedProcess($0) }
        let launcher = try #require(pids.compactMap { ProcessStatus($0) }.first.flatMap { WatchedProcess($0.parent) })
        kill(host.host.process, SIGKILL)
        // The launcher goes last: whatever had to wait for a processor, nobody lives when it does not.
        var areGone = await launcher.ends(before: .now + .seconds(30))
        for worker in workers where await !worker.ends(before: .now) { areGone = false }
        return expect(areGone ? "gone" : "lives", "gone", "outlive")
    }
}
