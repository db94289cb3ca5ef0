// SPDX-License-Identifier: Apache-2.0

import Foundation
import Testing

@testable import seal_payload

/// `seal-payload attach` where a script cannot look.
struct AttachTests {
    private let bench: Workbench

    init() throws {
        bench = try Workbench()
    }

    private func entry(_ line: Data) throws -> [String: Any] {
        #expect(line.last == UInt8(ascii: "\n"))
        #expect(line.count { $0 == UInt8(ascii: "\n") } == 1)
        return try #require(try JSONSerialization.jsonObject(with: line) as? [String: Any])
    }

    @Test func `the entry is one line with the file's name and a random id`() throws {
        let result = try bench.run(["attach", "--type", "text/plain", bench.path("recipient.pub")])
        let entry = try entry(result.output)
        #expect(entry.keys.sorted() == ["digest", "id", "key", "name", "size", "type"])
        #expect(entry["name"] as? String == "recipient.pub")
        #expect(entry["type"] as? String == "text/plain")
        #expect(entry["size"] as? Int == 63)
        #expect((entry["id"] as? String)?.count == 16)
        #expect((entry["key"] as? String)?.count == 43)
        #expect((entry["digest"] as? String)?.count == 43)
        #expect(result.errors.isEmpty)
        let attributes = try FileManager.default.attributesOfItem(atPath: bench.path("recipient.pub.nsea"))
        #expect(attributes[.posixPermissions] as? Int == 0o600)
    }

    @Test func `an entry goes through a sealed payload to the one who opens the file`() throws {
        let file = Data((0..<200_000).map { UInt8(truncatingIfNeeded: $0) })
        try file.write(to: bench.folder.appending(path: "photo"))
        let line = String(decoding: try bench.run(["attach", "photo"]).output, as: UTF8.self)
        let payload = #"{"title":"Door","attachments":["# + line + "]}"
        let key = try bench.words("{recipient.pub}")[0]
        let sealed = try bench.run(["-r", key, "--topic", "t"], input: Data(payload.utf8))
        #expect(sealed.exitCode == 0)
        let opened = try bench.run(["open", "-i", "recipient.key", "--topic", "t"], input: sealed.output).output
        let object = try #require(try JSONSerialization.jsonObject(with: opened) as? [String: Any])
        let entries = try #require(object["attachments"] as? [[String: Any]])
        let again = try JSONSerialization.data(withJSONObject: entries[0])
        let result = try bench.run(["attach", "--open", "-", "-o", "copy", "photo.nsea"], input: again)
        #expect(result.exitCode == 0 && result.output.isEmpty && result.errors.isEmpty)
        #expect(try Data(contentsOf: bench.folder.appending(path: "copy")) == file)
    }

    @Test(arguments: ["no space left on device", "broken pipe"])
    func `an entry that cannot be printed takes its file with it`(_ reason: String) throws {
        let process = Process()
        process.executableURL = Workbench.program
        process.arguments = ["attach", "recipient.pub"]
        process.currentDirectoryURL = bench.folder
        let unread = Pipe()
        try unread.fileHandleForReading.close()
        process.standardOutput =
            if reason == "broken pipe" {
                unread.fileHandleForWriting
            } else {
                try FileHandle(forWritingTo: URL(filePath: "/dev/full"))
            }
        let errors = Pipe()
        process.standardError = errors
        try process.run()
        let text = String(decoding: try errors.fileHandleForReading.readToEnd() ?? Data(), as: UTF8.self)
        process.waitUntilExit()
        #expect(text == "seal-payload: error: standard output: \(reason)\n")
        #expect(process.terminationReason == .exit && process.terminationStatus == 1)
        #expect(!FileManager.default.fileExists(atPath: bench.path("recipient.pub.nsea")))
    }

    // MARK: Progress

    @Test(arguments: [
        (0, 100, 40, "sealing [.......................]   0 %"),
        (50, 100, 40, "sealing [###########............]  50 %"),
        (100, 100, 40, "sealing [#######################] 100 %"),
        (200, 100, 40, "sealing [#######################] 100 %"),
        (50, 100, 21, "sealing [##..]  50 %"), (50, 100, 20, "sealing 50 %"), (50, 100, 8, "sealing"),
        (3 << 20, 0, 40, "sealing 3 MiB"), (50, 100, 0, ""),
    ])
    func `a line of progress fits the terminal`(_ completed: Int, _ total: Int, _ columns: Int, _ line: String) {
        let text = ProgressBar.line("sealing", completed: completed, total: total == 0 ? nil : total, columns: columns)
        #expect(text == line)
        #expect(text.count <= max(0, columns - 1))
    }

    @Test(.timeLimit(.minutes(5)), arguments: [("xterm", true), ("dumb", false)])
    func `a terminal shows one line, and it is gone at the end`(_ terminal: String, _ isShown: Bool) throws {
        #expect(FileManager.default.createFile(atPath: bench.path("large"), contents: nil))
        #expect(truncate(bench.path("large"), 1 << 20) == 0)
        let (controller, peer) = try openTerminal(columns: 40)
        let process = Process()
        process.executableURL = Workbench.program
        process.arguments = ["attach", "large"]
        process.currentDirectoryURL = bench.folder
        process.environment = ["TERM": terminal]
        let output = Pipe()
        process.standardOutput = output
        process.standardError = peer
        try process.run()
        try peer.close()
        let line = try output.fileHandleForReading.readToEnd() ?? Data()
        process.waitUntilExit()
        #expect(try entry(line)["size"] as? Int == 1 << 20)

        // The terminal keeps what was written, up to 4 KiB; behind it reading fails, since its other end is closed.
        var bytes: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 4096)
        while case let count = read(controller.fileDescriptor, &buffer, buffer.count), count > 0 {
            bytes += buffer[..<count]
        }
        let text = String(decoding: bytes, as: UTF8.self)
        guard isShown else {
            #expect(text.isEmpty)
            return
        }
        #expect(text.hasPrefix("\rsealing [#......................]   6 %\u{1B}[K"))
        #expect(text.hasSuffix("\r\u{1B}[K"))
        #expect(!text.contains("\n"))
    }

    private func openTerminal(columns: UInt16) throws -> (controller: FileHandle, peer: FileHandle) {
        // TIOCSPTLCK and TIOCGPTN of <asm-generic/ioctls.h>, and what posix_openpt(3) makes of them.
        let (unlock, number) = (UInt(0x4004_5431), UInt(0x8004_5430))
        let controller = open("/dev/ptmx", O_RDWR | O_NOCTTY | O_CLOEXEC)
        var isLocked: Int32 = 0
        var index: UInt32 = 0
        var size = winsize(ws_row: 24, ws_col: columns, ws_xpixel: 0, ws_ypixel: 0)
        guard controller >= 0, ioctl(controller, unlock, &isLocked) == 0, ioctl(controller, number, &index) == 0,
            ioctl(controller, UInt(TIOCSWINSZ), &size) == 0
        else { throw POSIXError(.init(rawValue: errno) ?? .ENOTTY) }
        let peer = open("/dev/pts/\(index)", O_RDWR | O_NOCTTY | O_CLOEXEC)
        guard peer >= 0 else { throw POSIXError(.init(rawValue: errno) ?? .ENOTTY) }
        return (
            FileHandle(fileDescriptor: controller, closeOnDealloc: true),
            FileHandle(fileDescriptor: peer, closeOnDealloc: true)
        )
    }
}
