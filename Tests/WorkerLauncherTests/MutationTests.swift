// SPDX-License-Identifier: Apache-2.0

import CLinux
import Foundation
import Testing

/// One layer taken out of the launcher's source: a named attempt must then succeed, or the table proves nothing.
@Suite(.timeLimit(.minutes(10)), .enabled(if: (try? LauncherUnderTest().profile) == "A", "needs profile A"))
struct MutationTests {
    struct Mutation: Sendable {
        let name: String
        /// File, words that stand in it once, words in their place.
        let edits: [(file: String, old: String, new: String)]
        let profile: String
        let attempt: String
    }

    static let blind = ("child_program.c", "test_confinement(plan);", ";")

    static let mutations = [
        Mutation(
            name: "stage 1 is not loaded",
            edits: [blind, ("child.c", "load_filter(plan);", ";")],
            profile: "A",
            attempt: "sockets of every family"
        ),
        Mutation(
            name: "stage 1 allows what it does not know",
            edits: [("filter_stage1.c", "otherwise = ERROR(ENOSYS)", "otherwise = SECCOMP_RET_LOG")],
            profile: "A",
            attempt: "clone3"
        ),
        Mutation(
            name: "execveat is not compared",
            edits: [("filter_stage1.c", "SECCOMP_RET_KILL_PROCESS,", "ALLOW,")],
            profile: "A",
            attempt: "execveat of its own file"
        ),
        Mutation(
            name: "another architecture is not killed",
            edits: [
                ("filter.c", "SCMP_FLTATR_ACT_BADARCH, SCMP_ACT_KILL_PROCESS", "SCMP_FLTATR_ACT_BADARCH, SCMP_ACT_LOG")
            ],
            profile: "A",
            attempt: "int 0x80"
        ),
        Mutation(
            name: "no Landlock",
            edits: [blind, ("child.c", "restrict_files(plan);", ";")],
            profile: "C",
            attempt: "read /etc/passwd"
        ),
        Mutation(
            name: "no root of its own",
            edits: [("child.c", "enter_own_root(plan);", ";")],
            profile: "A",
            attempt: "read /etc/passwd"
        ),
        Mutation(
            name: "capabilities are kept",
            edits: [("child.c", "empty_bounding_set(plan);", ";"), ("child.c", "drop_capabilities(plan);", ";")],
            profile: "A",
            attempt: "keep a capability"
        ),
        Mutation(
            name: "new code is not refused",
            edits: [("child.c", "refuse_new_code(plan);", ";")],
            profile: "A",
            attempt: "memory that is written and executed"
        ),
    ]

    @Test(arguments: mutations.indices)
    func `a layer that is missing lets its attempt through`(index: Int) throws {
        let mutation = Self.mutations[index]
        let folder = try Bundle([])
        folder.openToAll()
        let launcher = try Self.build(mutation.edits, in: folder)
        let ground = try AttemptGround(LauncherUnderTest(["--profile", mutation.profile], binary: launcher))
        try #require("\(ground.launcher.profile)" == mutation.profile)
        let attempt = try Attempt.named(mutation.attempt)
        let outcome = try ground.outcome(of: attempt)
        #expect(
            !attempt.isAsExpected(outcome, on: ground),
            "\(mutation.name), and still \(mutation.attempt): \(outcome)"
        )
    }

    /// Faults of stage 2 that the SDK's own loading could have, each with the row of the attempt that reveals it.
    static let loading = [
        ("stage 2 is loaded for one thread only", "SECCOMP_FILTER_FLAG_TSYNC, &program", "0, &program", 28),
        ("stage 2 is not loaded", "syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER", "0 * syscall(SYS_getpid", 20),
    ]

    @Test(arguments: loading.indices)
    func `a stage 2 that is not over every thread lets its attempt live`(index: Int) throws {
        let (name, old, new, row) = Self.loading[index]
        let folder = try Bundle([])
        let probe = try Self.buildProbe([("linux_filters.c", old, new)], in: folder)
        // Stage 1 lets nobody load a filter for one thread, so it takes two faults.
        let launcherFolder = try Bundle([])
        launcherFolder.openToAll()
        let permission: Edit = (
            "filter_stage1.c", "ERROR(EPERM),\n    {{ALLOW, {{0, LOW, SECCOMP_SET_MODE_FILTER}",
            "ALLOW,\n    {{ALLOW, {{0, LOW, SECCOMP_SET_MODE_FILTER}"
        )
        let launcher = try Self.build(row == 28 ? [permission] : [], in: launcherFolder)
        let ground = try AttemptGround(LauncherUnderTest(binary: launcher), probe: probe)
        let attempts = Attempt.all.filter { $0.row == row && $0.both?.inView == ["SYS"] }
        #expect(!attempts.isEmpty)
        for attempt in attempts {
            let outcome = try ground.outcome(of: attempt, by: .both)
            #expect(
                !attempt.isAsExpected(outcome, of: .both, on: ground),
                "\(name), and still \(attempt.what): \(outcome)"
            )
            #expect(attempt.isAsExpected(outcome, of: .first, on: ground), "\(name), and stage 1 is alone: \(outcome)")
        }
    }

    @Test func `stage 1 refuses a stage 2 for one thread`() throws {
        let (_, old, new, _) = Self.loading[0]
        let folder = try Bundle([])
        let probe = try Self.buildProbe([("linux_filters.c", old, new)], in: folder)
        let ground = try AttemptGround(LauncherUnderTest(), probe: probe)
        let attempt = try Attempt.named("be an ordinary program")
        #expect(throws: Unexpected("stage 2 is not loaded: \(EPERM)")) {
            try ground.outcome(of: attempt, by: .both)
        }
    }

    @Test func `a stage 2 without its rules lets its attempts live`() throws {
        let folder = try Bundle([])
        folder.openToAll()
        let launcher = try Self.build(
            [("filter_stage2.c", "trap ? SECCOMP_RET_TRAP : SECCOMP_RET_KILL_PROCESS", "SECCOMP_RET_LOG")],
            in: folder
        )
        let ground = try AttemptGround(LauncherUnderTest(binary: launcher))
        for kind in [WorkerKind.both, .swiftBoth] {
            let attempt = try Attempt.named("io_uring, bpf, perf, keys, SysV, ...")
            let outcome = try ground.outcome(of: attempt, by: kind)
            #expect(outcome == "EPERM")
            #expect(!attempt.isAsExpected(outcome, of: kind, on: ground))
        }
    }

    @Test func `a launcher that starts in the host's own confinement finds no profile with namespaces`() throws {
        let confined = [Products.path(of: "poor-machine"), "--confined"]
        #expect(try LauncherUnderTest(wrapper: confined).profile > "B")
    }

    @Test func `a host that takes descriptors has them`() throws {
        let folder = try Bundle([])
        let library = folder.path + "/linux_calls.so"
        let edits = [("linux_calls.c", Self.plainMessage, Self.messageWithRoom)]
        let copy = try Self.edit(edits, in: ["CLinux"], copiedTo: folder)
        try run(Self.clang + ["-shared", "-fPIC", "-o", library] + Self.cFiles(in: copy))
        let handle = try #require(dlopen(library, RTLD_NOW | RTLD_LOCAL))
        defer { dlclose(handle) }
        let symbol = try #require(dlsym(handle, "linux_receive_plain_packet"))
        typealias Receive = @convention(c) (Int32, UnsafeMutableRawPointer?, Int, Int32) -> Int
        let mutant = unsafeBitCast(symbol, to: Receive.self)
        let sound: Receive = { linux_receive_plain_packet($0, $1, $2, $3) }
        #expect(try GiftTests.isRefused(by: sound))
        #expect(try !GiftTests.isRefused(by: mutant))
    }

    private static let plainMessage = """
            struct msghdr message = {.msg_iov = &part, .msg_iovlen = 1};
            ssize_t received;
            do {
                received = recvmsg(socket, &message, flags);
        """
    private static let messageWithRoom = """
            union control control;
            struct msghdr message = {.msg_iov = &part, .msg_iovlen = 1, .msg_control = control.bytes,
                .msg_controllen = sizeof control.bytes};
            ssize_t received;
            do {
                received = recvmsg(socket, &message, flags);
        """

    @Test(arguments: ["load_filter(plan);", "restrict_files(plan);"])
    func `the self-test finds that a layer is missing`(layer: String) throws {
        let folder = try Bundle([])
        let launcher = try Self.build([("child.c", layer, ";")], in: folder)
        #expect(try LauncherUnderTest(["--profile", "C"], binary: launcher).profile == "D")
    }

    typealias Edit = (file: String, old: String, new: String)

    /// Compiles the launcher's sources with the edits; the path of the program.
    private static func build(_ edits: [Edit], in folder: Bundle) throws -> String {
        try link(edits, of: launcher, with: launcherObjects.get(), in: folder, to: folder.path + "/worker-launcher")
    }

    /// The same of the program that attacks.
    private static func buildProbe(_ edits: [Edit], in folder: Bundle) throws -> String {
        try link(edits, of: probe, with: probeObjects.get(), in: folder, to: folder.path + "/hostile-probe")
    }

    /// A program of C: its folders, further files, and what it is linked with.
    private struct Parts {
        let name: String
        let folders: [String]
        var files: [String] = []
        let libraries: [String]
    }

    private static let launcher = Parts(
        name: "worker-launcher",
        folders: ["worker-launcher"],
        files: ["CLinux/linux_access.c", "CLinux/linux_calls.c"],
        libraries: ["-lseccomp"]
    )
    private static let probe = Parts(
        name: "hostile-probe",
        folders: ["CLinux", "../Tests/Support/CHostileAttempts", "../Tests/Support/hostile-probe"],
        libraries: ["-pthread"]
    )
    private static let launcherObjects = Result { try compile(launcher) }
    private static let probeObjects = Result { try compile(probe) }

    /// Compiles a program's sources as they stand, once a run; the folder of the objects.
    private static func compile(_ parts: Parts) throws -> String {
        let folder = Products.path(of: "MutationTests.objects") + "/" + parts.name
        try? FileManager.default.removeItem(atPath: folder)
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        let files = try parts.folders.flatMap { try cFiles(in: sources + "/" + $0) }
        let further = parts.files.map { sources + "/" + $0 }
        // clang puts objects where it runs.
        try run(["env", "--chdir=" + folder] + clang + ["-c"] + files + further)
        return folder
    }

    /// Compiles what is edited, and links it with the objects of the rest.
    private static func link(
        _ edits: [Edit],
        of parts: Parts,
        with objects: String,
        in folder: Bundle,
        to product: String
    ) throws -> String {
        let copy = try edit(edits, in: parts.folders, copiedTo: folder)
        let edited = Set(edits.map(\.file))
        guard edited.allSatisfy({ $0.hasSuffix(".c") }) else { throw Unexpected("\(edited): others may include one") }
        let others = try FileManager.default.contentsOfDirectory(atPath: objects).filter {
            !edited.contains(String($0.dropLast(2)) + ".c")
        }
        try run(
            clang + ["-o", product] + edited.sorted().map { copy + "/" + $0 } + others.map { objects + "/" + $0 }
                + parts.libraries
        )
        return product
    }

    private static let sources = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent().appendingPathComponent("Sources").path
    private static let clang =
        ["clang", "-std=gnu11", "-O1", "-w"]
        + ["CLauncherProtocol", "CLinux", "../Tests/Support/CHostileAttempts"].map { "-I\(sources)/\($0)/include" }

    private static func cFiles(in folder: String) throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: folder).filter { $0.hasSuffix(".c") }
            .map { folder + "/" + $0 }
    }

    /// Copies sources into one folder and edits them there.
    private static func edit(_ edits: [Edit], in parts: [String], copiedTo folder: Bundle) throws -> String {
        let copy = folder.path + "/source"
        for part in parts { try run(["cp", "-RLT", sources + "/" + part, copy]) }
        for edit in edits {
            let file = copy + "/" + edit.file
            let text = try String(contentsOfFile: file, encoding: .utf8)
            guard text.components(separatedBy: edit.old).count == 2 else {
                throw Unexpected("\(edit.file) does not hold \"\(edit.old)\" once")
            }
            try text.replacingOccurrences(of: edit.old, with: edit.new)
                .write(toFile: file, atomically: true, encoding: .utf8)
        }
        return copy
    }
}
