// SPDX-License-Identifier: Apache-2.0

import Foundation
import HostTesting
import Testing

/// scripts/check-documents, which is part of scripts/check: the documents pass it, and each fault is found.
@Suite(.timeLimit(.minutes(2)))
struct DocumentRulesTests {
    struct Fault: Sendable, CustomTestStringConvertible {
        let file: String
        let text: String
        let breach: String

        var testDescription: String { breach }

        static let long = String(repeating: "word ", count: 24) + "more"

        static let all = [
            Fault(
                file: "docs/a.md",
                text: "# A\n\n\(long)\n",
                breach: "docs/a.md:3 124 columns, at most 120: scripts/wrap-markdown docs/a.md"
            ),
            Fault(
                file: "README.md",
                text: String(repeating: "line\n", count: 111),
                breach: "README.md:1 111 lines, at most 110"
            ),
            Fault(
                file: "SECURITY.md",
                text: String(repeating: "one two three four five six seven eight nine ten\n", count: 50) + "more\n",
                breach: "SECURITY.md:1 501 words outside code, at most 500"
            ),
            Fault(
                file: "docs/a.md",
                text: "# A\n[there](b.md)\n",
                breach: "docs/a.md:2 links to b.md, which is not there"
            ),
            Fault(
                file: "docs/a.md",
                text: "# A\n[below](#nothing)\n",
                breach: "docs/a.md:2 links to #nothing, and no heading there is called that"
            ),
            Fault(
                file: "a.swift",
                text: "// SPDX\n/// Source: README.md, \"Nothing of\n/// the kind\".\n",
                breach: "a.swift:2 names README.md, \"Nothing of the kind\", and no heading there is called that"
            ),
            Fault(
                file: "a.swift",
                text: "// See docs/gone.md.\n",
                breach: "a.swift:1 names docs/gone.md, which is not there"
            ),
            Fault(
                file: "docs/troubleshooting.md",
                text: "| it says | what to do |\n|---|---|\n| `no … like this` | |\n",
                breach: "docs/troubleshooting.md:3 quotes no … like this, which no program says"
            ),
        ]
    }

    private static func check(_ folder: String) async throws -> (status: Int32, lines: [String]) {
        let result = try await CommandResult.run(Programs.root + "/scripts/check-documents", [folder])
        return (result.status, result.output.split(separator: "\n").map(String.init))
    }

    private static func makeFolder(_ path: String) throws {
        try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
    }

    private static let good = ["README.md": "# Read me\n\n| a table | \(Fault.long) |\n```\n\(Fault.long)\n```\n"]

    @Test func `the documents break no rule`() async throws {
        let (status, lines) = try await Self.check(Programs.root)
        #expect(lines == [])
        #expect(status == 0)
    }

    @Test func `tables and code may be wide`() async throws {
        try await TemporaryFolder.with { folder in
            for (file, text) in Self.good { _ = try folder.write(text, to: file) }
            let (status, lines) = try await Self.check(folder.path)
            #expect(lines == [])
            #expect(status == 0)
        }
    }

    @Test(arguments: Fault.all) func `a fault is found and named`(_ fault: Fault) async throws {
        try await TemporaryFolder.with { folder in
            try Self.makeFolder(folder.path + "/docs")
            for (file, text) in Self.good { _ = try folder.write(text, to: file) }
            _ = try folder.write(fault.text, to: fault.file)
            let (status, lines) = try await Self.check(folder.path)
            #expect(lines == [fault.breach])
            #expect(status == 1)
        }
    }

    @Test func `a step of a start that stands elsewhere is found`() async throws {
        try await TemporaryFolder.with { folder in
            try Self.makeFolder(folder.path + "/docs")
            try Self.makeFolder(folder.path + "/Sources/worker-launcher")
            let source = "\nvoid run_child(struct plan *plan) {\n    first(plan); /* why */\n    second(plan);\n}\n"
            _ = try folder.write(source, to: "Sources/worker-launcher/child.c")
            let page = "# Sandbox\n## Steps of a start\n| `second` | |\n| `first` | |\n"
            _ = try folder.write(page, to: "docs/sandbox.md")
            let (status, lines) = try await Self.check(folder.path)
            #expect(lines == ["docs/sandbox.md:1 step 1 of a start is second, and first in child.c"])
            #expect(status == 1)
        }
    }

    @Test func `a setting that has another value in the file of Patroni is found`() async throws {
        try await TemporaryFolder.with { folder in
            try Self.makeFolder(folder.path + "/packaging/fleet")
            let settings = "synchronous_standby_names = 'db2'\nfsync = on\nmax_wal_size = 16GB\nwal_compression = lz4\n"
            _ = try folder.write(settings, to: "packaging/fleet/postgresql.conf")
            let page = "postgresql:\n  parameters:\n    fsync: \"on\"\n    max_wal_size: 8GB\n"
            _ = try folder.write(page, to: "packaging/fleet/patroni.yml")
            let (status, lines) = try await Self.check(folder.path)
            #expect(
                lines == [
                    "packaging/fleet/patroni.yml:1 has 8GB for max_wal_size, and postgresql.conf 16GB",
                    "packaging/fleet/patroni.yml:1 has nothing for wal_compression, and postgresql.conf lz4",
                ]
            )
            #expect(status == 1)
        }
    }
}
