// SPDX-License-Identifier: Apache-2.0

import Foundation
import Testing

/// One layer taken out of the launcher's source: a named attempt must then succeed, or the table proves nothing.
@Suite(.timeLimit(.minutes(3)), .enabled(if: (try? LauncherUnderTest().profile) == "A", "needs profile A"))
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
            !attempt.isAsExpected(outcome, in: ground.launcher.profile),
            "\(mutation.name), and still \(mutation.attempt): \(outcome)"
        )
    }

    @Test(arguments: ["load_filter(plan);", "restrict_files(plan);"])
    func `the self-test finds that a layer is missing`(layer: String) throws {
        let folder = try Bundle([])
        let launcher = try Self.build([("child.c", layer, ";")], in: folder)
        #expect(try LauncherUnderTest(["--profile", "C"], binary: launcher).profile == "D")
    }

    /// Compiles the launcher's sources with the edits; the path of the program.
    private static func build(_ edits: [(file: String, old: String, new: String)], in folder: Bundle) throws -> String {
        let sources = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent().appendingPathComponent("Sources").path
        try run(["cp", "-RL", sources + "/worker-launcher", folder.path + "/source"])
        for edit in edits {
            let file = folder.path + "/source/" + edit.file
            let text = try String(contentsOfFile: file, encoding: .utf8)
            guard text.components(separatedBy: edit.old).count == 2 else {
                throw Unexpected("\(edit.file) does not hold \"\(edit.old)\" once")
            }
            try text.replacingOccurrences(of: edit.old, with: edit.new)
                .write(toFile: file, atomically: true, encoding: .utf8)
        }
        let includes = ["CLauncherProtocol", "CLinux"].map { "-I\(sources)/\($0)/include" }
        let program = folder.path + "/worker-launcher"
        let files = try FileManager.default.contentsOfDirectory(atPath: folder.path + "/source").filter {
            $0.hasSuffix(".c")
        }
        try run(
            ["clang", "-std=gnu11", "-O1", "-w", "-o", program] + includes
                + files.map { folder.path + "/source/" + $0 } + [sources + "/CLinux/linux_calls.c", "-lseccomp"]
        )
        return program
    }
}
