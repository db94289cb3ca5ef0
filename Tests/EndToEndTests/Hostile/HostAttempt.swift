// SPDX-License-Identifier: Apache-2.0

import Sampling

/// One thing that a hostile worker does to its host, and what the host must make of it.
///
/// The rest of the table is in WorkerLauncherTests: what a worker tries against the kernel.
struct HostAttempt: Sendable {
    /// Number in the table of attempts.
    let row: Int
    let what: String
    /// The command to the worker, with the paths and processes of this machine filled in.
    let command: @Sendable (HostileHost) -> String
    /// In A and B.
    let inView: Set<String>
    /// In C, and in D where something is promised; nil: as in A and B.
    private(set) var without: Set<String>?
    /// Under both filters; nil: the same.
    private(set) var both: Set<String>?
    private(set) var isPromisedInD = true

    init(
        _ row: Int,
        _ what: String,
        _ expected: Set<String>,
        without: Set<String>? = nil,
        _ command: @escaping @Sendable (HostileHost) -> String
    ) {
        self.row = row
        self.what = what
        self.command = command
        inView = expected
        self.without = without
    }

    init(_ row: Int, _ what: String, _ command: String, _ expected: Set<String>, without: Set<String>? = nil) {
        self.init(row, what, expected, without: without) { _ in command }
    }

    func both(_ expected: Set<String>) -> HostAttempt {
        var copy = self
        copy.both = expected
        return copy
    }

    /// The files and signals of one user are not apart in D.
    var notInD: HostAttempt {
        var copy = self
        copy.isPromisedInD = false
        return copy
    }

    /// Returns the outcomes that are allowed to a worker in a profile; `nil` where nothing is promised.
    func expected(of worker: HostileWorker, in profile: Character) -> Set<String>? {
        guard profile != "D" || isPromisedInD else { return nil }
        if worker == .swift, let both { return both }
        return profile < "C" ? inView : without ?? inView
    }
}

/// A kind of worker that attacks, named after its program.
enum HostileWorker: String, CaseIterable, Sendable {
    /// A program in C of the few lines that any language needs; no second filter.
    case c = "hostile-probe"
    /// An extension of the SDK's, under both.
    case swift = "HostileExtension"

    var heading: String { self == .c ? "C, 1" : "Swift, 1+2" }
    var filterCount: String { self == .c ? "1" : "2" }
}

extension HostAttempt {
    private static let violation: Set = ["protocolViolation"]
    static let overdue: Set = ["budgetExceeded", "timeWillExpireIgnored"]
    /// The outcomes that any attempt may have on a machine that is busy with something else.
    static let heldUp = overdue.union(["launchFailed"])
    private static let crashed: Set = ["crashed"]

    /// The attempts of this run: at least one of each row, which both workers make in every profile.
    static let sample = Sample.of(all, atMost: 9, "attempts on the host") { "\($0.row)" }

    static let all: [HostAttempt] = [
        HostAttempt(14, "take all memory there is", "hoard", ["memoryLimitExceeded"]),
        HostAttempt(15, "a busy loop", "spin", overdue),
        HostAttempt(15, "sleep for ever", "sleep", overdue),
        HostAttempt(15, "hear the last call and ignore it", "listen-only", overdue),
        HostAttempt(15, "stop itself", "stop", ["done"], without: overdue),
        HostAttempt(16, "abort", "abort", crashed),
        HostAttempt(16, "trap", "trap", crashed),
        HostAttempt(16, "write to address 0", "null", crashed),
        HostAttempt(16, "overflow its stack", "overflow", crashed),
        HostAttempt(16, "exit without a reply", "leave", ["exitedEarly"]),
        HostAttempt(17, "a reply of 1 MB", "large-reply 1000000", ["EMSGSIZE"]),
        HostAttempt(17, "a reply of 100 KB", "large-reply 100000", violation),
        HostAttempt(17, "a second reply", "second-reply", ["first"]),
        HostAttempt(17, "5000 replies", "reply-flood", ["first"]),
        HostAttempt(17, "log messages without end", "log-flood", violation),
        HostAttempt(17, "a reply to another request", "other-request", violation),
        HostAttempt(17, "a packet without its header", "truncated-packet", violation),
        HostAttempt(17, "garbage", "garbage", violation),
        HostAttempt(17, "JSON that ends early", "truncated-json", violation),
        HostAttempt(17, "JSON 40,000 levels deep", "nested-json", violation),
        HostAttempt(17, "JSON that is no UTF-8", "other-bytes", violation),
        HostAttempt(17, "a key twice", "double-key", violation),
        HostAttempt(18, "1000 descriptors", "give-descriptors 1000", violation),
        HostAttempt(27, "1 GB on each output", "print", overdue.union(["printed"])),
        HostAttempt(30, "read another app's storage", ["ENOENT"], without: ["EACCES"]) { "read \($0.otherSecret)" }
            .notInD,
        HostAttempt(30, "see another app's worker", ["ENOENT"], without: ["done"]) {
            "read /proc/\($0.otherWorker)/status"
        }.notInD,
        HostAttempt(30, "read another app's memory", ["ENOENT"], without: ["EACCES"]) {
            "read /proc/\($0.otherWorker)/mem"
        }.notInD,
        HostAttempt(30, "kill another app's worker", ["EPERM"]) { "signal \($0.otherWorker)" }.both(["crashed-31"]),
        HostAttempt(30, "kill a thread of another app's", ["EPERM"]) { "signal-thread \($0.otherWorker)" }.notInD,
    ]
}
