// SPDX-License-Identifier: Apache-2.0

import CLauncherProtocol
import Foundation
import Glibc

/// One thing that a hostile worker tries, and what must come of it.
struct Attempt: Sendable {
    /// Who holds it back; without namespaces, Landlock and users of their own only the filter and the limits do.
    enum Layer: Sendable {
        case view, filter
    }

    /// Number in the table of attempts.
    let row: Int
    let what: String
    let layer: Layer
    let command: @Sendable (AttemptGround) -> String
    /// In A and B, and in C; every word of the outcome must be one of these.
    let inView: Set<String>
    let without: Set<String>

    init(
        _ row: Int,
        _ what: String,
        _ layer: Layer,
        _ expected: Set<String>,
        without: Set<String>? = nil,
        _ command: @escaping @Sendable (AttemptGround) -> String
    ) {
        self.row = row
        self.what = what
        self.layer = layer
        self.command = command
        inView = expected
        self.without = without ?? expected
    }

    /// What the filter and the limits hold back, the same everywhere unless said otherwise.
    init(
        _ row: Int,
        _ what: String,
        _ expected: Set<String>,
        without: Set<String>? = nil,
        _ command: @escaping @Sendable (AttemptGround) -> String
    ) {
        self.init(row, what, .filter, expected, without: without, command)
    }

    /// Nil: nothing is promised.
    func expected(in profile: Character) -> Set<String>? {
        switch profile {
        case "A", "B": inView
        case "C": without
        default: layer == .filter ? without : nil
        }
    }

    func isAsExpected(_ outcome: String, in profile: Character) -> Bool {
        guard let expected = expected(in: profile) else { return true }
        let words = outcome.split(separator: " ").map(String.init)
        return !words.isEmpty && Set(words).isSubset(of: expected)
    }
}

/// What there is to attack: a launcher with a worker's bundle, a bystander, a key, another app's bundle.
final class AttemptGround {
    let launcher: LauncherUnderTest
    let bundle: Bundle
    let key: String
    let otherBundle: Bundle
    let bystander: pid_t
    let isOwnUser: Bool

    init(_ launcher: LauncherUnderTest) throws {
        self.launcher = launcher
        bundle = try Bundle(["hostile-probe"])
        otherBundle = try Bundle([])
        bundle.openToAll()
        // No owner and no mode holds anybody back from it.
        try bundle.add("data", "text", mode: 0o666)
        otherBundle.openToAll()
        key = try otherBundle.add("key", "a key", mode: 0o600)
        try otherBundle.add("secret", "of the other app", mode: 0o644)
        let (unused, other) = try Descriptor.pipe()
        bystander = try startProcess(["sleep", "600"], descriptorThree: other)
        unused.close()
        isOwnUser = geteuid() == 0
    }

    deinit {
        kill(bystander, SIGKILL)
        waitpid(bystander, nil, 0)
    }

    /// The bundle as the worker sees it.
    var folder: String { launcher.hasOwnPids ? "/X.appex" : bundle.path }
    var program: String { folder + "/hostile-probe" }

    var isBystanderAlive: Bool { waitpid(bystander, nil, WNOHANG) == 0 && kill(bystander, 0) == 0 }

    /// What another process could have changed about the launcher.
    var launcherState: String {
        let status = (try? String(contentsOfFile: "/proc/\(launcher.pid)/limits", encoding: .utf8)) ?? ""
        return "\(getpriority(__priority_which_t(PRIO_PROCESS.rawValue), id_t(launcher.pid)))" + status
    }

    /// Starts a worker for one attempt; its answer, or how it ended.
    func outcome(of attempt: Attempt) throws -> String {
        let worker = try launcher.start("hostile-probe", in: bundle, slot: 1)
        defer { worker.closeAll() }
        try worker.tell(attempt.command(self))
        let answer = try self.answer(of: worker)
        worker.order.socket.close()
        if answer == "stopped" { kill(worker.pid, SIGKILL) }
        let end = try launcher.nextEvent().end
        guard answer.isEmpty else { return answer }
        guard let end else { throw Unexpected("no end of the worker") }
        if end.code == 1 { return "exit-\(end.status)" }
        return end.status == SIGSYS ? "SYS" : "signal-\(end.status)"
    }

    /// Empty when it ended without one, `silent` when it does neither for 10 s.
    private func answer(of worker: Worker) throws -> String {
        var watched = pollfd(fd: worker.order.socket.number, events: Int16(POLLIN), revents: 0)
        for _ in 0..<100 {
            if poll(&watched, 1, 100) == 1 {
                var bytes = [UInt8](repeating: 0, count: 4096)
                let count = recv(worker.order.socket.number, &bytes, bytes.count, 0)
                return count > 0 ? String(decoding: bytes[..<count], as: UTF8.self) : ""
            }
            if worker.isStopped { return "stopped" }
        }
        return "silent"
    }
}

extension Worker {
    fileprivate var isStopped: Bool {
        var bytes = [UInt8](repeating: 0, count: 4096)
        let count = pread(status.number, &bytes, bytes.count, 0)
        return count > 0 && String(decoding: bytes[..<count], as: UTF8.self).contains("\nState:\tT")
    }
}
