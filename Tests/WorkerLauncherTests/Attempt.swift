// SPDX-License-Identifier: Apache-2.0

import CLauncherProtocol
import Foundation
import Glibc
import NotificationPayload
import WorkerProtocol

/// One thing that a hostile worker tries, and what must come of it.
struct Attempt: Sendable {
    /// The layer that holds an attempt back; without namespaces, Landlock and users of their own only the filters and
    /// the limits do.
    enum Layer: Sendable {
        case view, filter
    }

    /// The grant that the worker got: nothing, a scratch folder, or the network and a scratch folder.
    enum Grant: Sendable {
        case nothing, scratch, network

        var flags: UInt32 {
            switch self {
            case .nothing: 0
            case .scratch: LAUNCHER_SCRATCH.rawValue
            case .network: LAUNCHER_SCRATCH.rawValue | LAUNCHER_NETWORK.rawValue
            }
        }
    }

    /// Every word of an outcome must be one of these.
    struct Expected: Sendable {
        var inView: Set<String>
        /// In C, and in D as far as there is a promise.
        var without: Set<String>
    }

    /// Number in the table of attempts.
    let row: Int
    let what: String
    let layer: Layer
    let command: @Sendable (AttemptGround) -> String
    private(set) var grant = Grant.nothing
    private(set) var first: Expected
    /// Under stage 2 as well; nil: the same.
    private(set) var both: Expected?
    /// The outcomes that only a Swift worker has; `nil` means the same as for one in C.
    private(set) var swift: Set<String>?
    /// The outcomes in B, where an app's processes have one user between them; `nil` means the same as in A.
    private(set) var sharedUser: Set<String>?

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
        first = Expected(inView: expected, without: without ?? expected)
    }

    /// Makes an attempt that the filters and the limits hold back, with the same outcomes everywhere unless `without`
    /// differs.
    init(
        _ row: Int,
        _ what: String,
        _ expected: Set<String>,
        without: Set<String>? = nil,
        _ command: @escaping @Sendable (AttemptGround) -> String
    ) {
        self.init(row, what, .filter, expected, without: without, command)
    }

    func with(_ grant: Grant) -> Attempt {
        var copy = self
        copy.grant = grant
        return copy
    }

    /// Says what stage 2 makes of it.
    func both(_ expected: Set<String>, without: Set<String>? = nil) -> Attempt {
        var copy = self
        copy.both = Expected(inView: expected, without: without ?? expected)
        return copy
    }

    func inSwift(_ expected: Set<String>) -> Attempt {
        var copy = self
        copy.swift = expected
        return copy
    }

    func inB(_ expected: Set<String>) -> Attempt {
        var copy = self
        copy.sharedUser = expected
        return copy
    }

    /// True if stage 1 alone would have let the worker live, or answer otherwise.
    var needsStage2: Bool { both.map { $0.inView != first.inView || $0.without != first.without } ?? false }

    /// Returns the outcomes that are allowed to a kind of worker on a ground; `nil` where nothing is promised.
    func expected(of kind: WorkerKind, on ground: AttemptGround) -> Set<String>? {
        let profile = ground.launcher.profile
        // There is no network in C, so there is nothing to ask of it.
        guard profile != "D" || layer == .filter, grant != .network || profile < "C" else { return nil }
        if kind == .swiftBoth, let swift { return swift }
        if profile == "B", let sharedUser { return sharedUser }
        let stages = kind == .first ? first : both ?? first
        return profile < "C" ? stages.inView : stages.without
    }

    func isAsExpected(_ outcome: String, of kind: WorkerKind = .first, on ground: AttemptGround) -> Bool {
        guard let expected = expected(of: kind, on: ground) else { return true }
        let words = outcome.split(separator: " ").map(String.init)
        return !words.isEmpty && Set(words).isSubset(of: expected)
    }
}

/// A kind of worker that attacks, by its language and its filters.
enum WorkerKind: CaseIterable, Sendable {
    /// A program in C under stage 1 alone.
    case first
    /// The same when it has loaded stage 2.
    case both
    /// An extension in Swift, from inside `didReceive`.
    case swiftBoth

    var heading: String {
        switch self {
        case .first: "C, 1"
        case .both: "C, 1+2"
        case .swiftBoth: "Swift, 1+2"
        }
    }
}

/// The targets of an attempt: a launcher with a worker's bundle, a bystander, a key, another app's bundle.
final class AttemptGround {
    let launcher: LauncherUnderTest
    let bundle: Bundle
    let key: String
    let otherBundle: Bundle
    let bystander: pid_t
    /// The host's user is root, and so each app has a user of its own.
    let isRoot: Bool
    /// Listens on the loopback interface of the machine, which is not the worker's.
    let listener: Listener
    let storage: Bundle
    /// The user that the workers run as.
    private let owner: uid_t

    /// `user` is who the launcher runs as, if not who runs the tests.
    init(_ launcher: LauncherUnderTest, user: uid_t? = nil, probe: String? = nil) throws {
        self.launcher = launcher
        isRoot = (user ?? geteuid()) == 0
        listener = try Listener()
        bundle = try Bundle(["hostile-probe", "HostileExtension"])
        if let probe { try run(["cp", probe, bundle.path + "/hostile-probe"]) }
        otherBundle = try Bundle([])
        bundle.openToAll()
        // No owner and no mode holds anybody back from it.
        try bundle.add("data", "text", mode: 0o666)
        otherBundle.openToAll()
        key = try otherBundle.add("key", "a key", mode: 0o600)
        try otherBundle.add("secret", "of the other app", mode: 0o644)
        let (unused, other) = try Descriptor.pipe()
        bystander = try startProcess(OtherUser.wrapper(user) + ["sleep", "600"], descriptorThree: other)
        unused.close()
        owner = isRoot && launcher.profile != "D" ? FIRST_WORKER_USER + 1 : user ?? geteuid()
        storage = try Self.makeStorage(for: owner)
    }

    /// A folder that is a worker's scratch in C, apart from all others.
    func makeStorage() throws -> Bundle { try Self.makeStorage(for: owner) }

    /// In C it is the folder itself that a worker writes to, as the user it is.
    private static func makeStorage(for owner: uid_t) throws -> Bundle {
        let storage = try Bundle([])
        storage.openToAll()
        for name in ["", "/tmp", "/home", "/groups"] {
            mkdir(storage.path + name, 0o700)
            chown(storage.path + name, owner, owner)
        }
        return storage
    }

    deinit {
        kill(bystander, SIGKILL)
        waitpid(bystander, nil, 0)
    }

    /// The bundle as the worker sees it.
    var folder: String { launcher.hasOwnPids ? "/X.appex" : bundle.path }
    var program: String { folder + "/hostile-probe" }
    /// The path of the scratch folder as the worker sees it, if it has one.
    var scratch: String { launcher.hasOwnPids ? "/scratch" : storage.path }

    var isBystanderAlive: Bool { waitpid(bystander, nil, WNOHANG) == 0 && kill(bystander, 0) == 0 }

    /// The state of the launcher that another process could have changed: its nice value and its limits.
    var launcherState: String {
        let status = (try? String(contentsOfFile: "/proc/\(launcher.pid)/limits", encoding: .utf8)) ?? ""
        return "\(getpriority(__priority_which_t(PRIO_PROCESS.rawValue), id_t(launcher.pid)))" + status
    }

    /// Starts a worker for one attempt; its answer, or how it ended.
    func outcome(of attempt: Attempt, by kind: WorkerKind = .first) throws -> String {
        let worker = try launch(kind == .swiftBoth ? "HostileExtension" : "hostile-probe", grant: attempt.grant)
        defer { worker.closeAll() }
        let command = attempt.command(self)
        switch kind {
        case .first: try worker.tell(command)
        case .both:
            let loaded = try worker.ask("filter ", stage2(attempt.grant))
            guard loaded == "0" else { throw Unexpected("stage 2 is not loaded: \(loaded)") }
            try worker.tell(command)
        case .swiftBoth: try worker.request(command, filter: stage2(attempt.grant))
        }
        let answer = try worker.answer(within: 10)
        worker.order.socket.close()
        if answer == "stopped" || answer == "silent" { kill(worker.pid, SIGKILL) }
        let end = try launcher.nextEvent().end
        guard answer.isEmpty else { return answer }
        guard let end else { throw Unexpected("no end of the worker") }
        if end.code == 1 { return "exit-\(end.status)" }
        return end.status == SIGSYS ? "SYS" : "signal-\(end.status)"
    }

    /// Starts a program of the bundle with what it is granted, for app 1; `storage` is another folder than its own.
    func launch(
        _ program: String,
        grant: Attempt.Grant,
        scratchBytes: UInt64 = 1 << 20,
        storage: Bundle? = nil
    ) throws -> Worker {
        let flags = grant.flags
        return try launcher.start(
            program,
            in: bundle,
            slot: 1,
            flags: flags,
            scratchBytes: flags == 0 ? 0 : scratchBytes,
            storage: flags == 0 || launcher.hasOwnPids ? nil : (storage ?? self.storage).path
        )
    }

    /// The filter that goes with a grant.
    func stage2(_ grant: Attempt.Grant) throws -> [UInt8] {
        guard let stage2 = launcher.stage2.first(where: { $0.flags == grant.flags && !$0.traps }) else {
            throw Unexpected("no stage 2 for \(grant)")
        }
        return stage2.code
    }
}

extension Worker {
    /// Empty when it ended without one, `stopped`, or `silent` when it does nothing for so long.
    func answer(within seconds: Int) throws -> String {
        var watched = pollfd(fd: order.socket.number, events: Int16(POLLIN), revents: 0)
        for _ in 0..<(10 * seconds) {
            if poll(&watched, 1, 100) == 1 {
                var bytes = [UInt8](repeating: 0, count: 4096)
                let count = recv(order.socket.number, &bytes, bytes.count, 0)
                guard count > 0 else { return "" }
                return bytes[0] < 0x80
                    ? String(decoding: bytes[..<count], as: UTF8.self) : Self.content(Array(bytes[..<count]))
            }
            if isStopped { return "stopped" }
        }
        return "silent"
    }

    fileprivate var isStopped: Bool {
        var bytes = [UInt8](repeating: 0, count: 4096)
        let count = pread(status.number, &bytes, bytes.count, 0)
        return count > 0 && String(decoding: bytes[..<count], as: UTF8.self).contains("\nState:\tT")
    }

    private func receive() throws -> [UInt8] {
        var bytes = [UInt8](repeating: 0, count: 65_536)
        let count = recv(order.socket.number, &bytes, bytes.count, 0)
        guard count >= 0 else { throw SystemFailure(error: errno) }
        return Array(bytes[..<count])
    }

    private func send(_ bytes: [UInt8]) throws {
        guard Glibc.send(order.socket.number, bytes, bytes.count, Int32(MSG_NOSIGNAL)) == bytes.count else {
            throw SystemFailure(error: errno)
        }
    }

    fileprivate func ask(_ word: String, _ code: [UInt8]) throws -> String {
        try send(Array(word.utf8) + code)
        return String(decoding: try receive(), as: UTF8.self)
    }

    /// Greets a Swift extension as the host does, and sends it one notification with the attempt; no filter: nil.
    func request(_ attempt: String, filter: [UInt8]?, scratch: String? = nil) throws {
        let hello = HostMessage.hello(
            .init(
                bundleIdentifier: "com.example.hostile",
                topic: "com.example",
                scratch: scratch,
                maxConcurrentRequests: 1,
                filter: filter.map { Data($0).base64EncodedString() }
            )
        )
        try send(hello.packet.encoded())
        let answer = try receive()
        guard try Packet(decoding: answer.span).type == .ready else { throw Unexpected("no ready") }
        let request = HostMessage.Request(
            identifier: "1",
            date: "2026-11-21T00:00:00.000Z",
            payload: Payload(["aps": ["alert": "Lunch?"], "attempt": .string(attempt)]),
            budgetMilliseconds: 10_000
        )
        try send(HostMessage.request(id: 1, request).packet.encoded())
    }

    /// Returns the body of a content's alert; an empty text means that there is none.
    fileprivate static func content(_ bytes: [UInt8]) -> String {
        let packet: Packet
        do { packet = try Packet(decoding: bytes.span) } catch { return "" }
        guard packet.type == .content else { return "" }
        return packet.body["payload"]?.object?["aps"]?.object?["alert"]?.object?["body"]?.string ?? ""
    }
}
