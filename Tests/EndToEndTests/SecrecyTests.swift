// SPDX-License-Identifier: Apache-2.0

import Foundation
import HostTesting
import NotificationPayload
import Testing

/// The places in which keys and texts may be, and those in which they must not.
@Suite(.timeLimit(.minutes(10)))
struct SecrecyTests {
    /// The secret half of a key file, decoded by hand: the programs under test have no way to print it.
    private static func secret(in file: String) throws -> [UInt8] {
        let text = try String(contentsOfFile: file, encoding: .utf8)
        let line = try #require(text.split(separator: "\n").first { $0.hasPrefix("NSE-SECRET-KEY-1") })
        let alphabet = Array("qpzry9x8gf2tvdw0s3jn54khce6mua7l")
        let symbols = line.dropFirst("NSE-SECRET-KEY-1".count).lowercased().dropLast(6)
            .compactMap { alphabet.firstIndex(of: $0) }
        var bytes: [UInt8] = []
        var (value, bits) = (0, 0)
        for symbol in symbols {
            value = (value << 5 | symbol) & 0xFFFF
            bits += 5
            if bits >= 8 {
                bits -= 8
                bytes.append(UInt8(value >> bits & 0xFF))
            }
        }
        return bytes
    }

    /// Tells whether a process's memory holds some bytes; `nil` means that its memory may not be read.
    private static func memory(of process: Int32, holds needle: [UInt8]) -> Bool? {
        // Read to its end: the kernel hands this file out a page at a time.
        guard let mapsFile = FileHandle(forReadingAtPath: "/proc/\(process)/maps") else { return nil }
        let maps = String(decoding: mapsFile.readDataToEndOfFile(), as: UTF8.self)
        let file = open("/proc/\(process)/mem", O_RDONLY)
        guard file >= 0 else { return nil }
        defer { close(file) }
        var didRead = false
        for line in maps.split(separator: "\n") where line.contains(" r") {
            let bounds = line.prefix { $0 != " " }.split(separator: "-").compactMap { UInt64($0, radix: 16) }
            guard bounds.count == 2, bounds[0] < 1 << 47 else { continue }
            var buffer = [UInt8](repeating: 0, count: Int(min(bounds[1] - bounds[0], 256 << 20)))
            let count = pread(file, &buffer, buffer.count, Int(bounds[0]))
            guard count > 0 else { continue }
            didRead = true
            if holds(needle, in: buffer, count: count) { return true }
        }
        return didRead ? false : nil
    }

    /// memmem(3), which Swift does not see.
    private static func holds(_ needle: [UInt8], in memory: [UInt8], count: Int) -> Bool {
        memory.withUnsafeBytes { memory in
            guard let start = memory.baseAddress else { return false }
            var offset = 0
            while offset + needle.count <= count,
                let match = memchr(start + offset, Int32(needle[0]), count - needle.count - offset + 1)
            {
                if memcmp(match, needle, needle.count) == 0 { return true }
                offset = UnsafeRawPointer(match) - start + 1
            }
            return false
        }
    }

    private static let mayReadMemory = getuid() == 0

    @Test(.enabled(if: mayReadMemory, "needs root: the processes are not dumpable"))
    func `only the opener has key bytes in its memory while pushes flow`() async throws {
        try await TemporaryFolder.with { folder in
            let keys = try await TestKeys(in: folder)
            let secret = try Self.secret(in: keys.recipient)
            try #require(secret.count == 32)
            let bundle = try folder.makeBundle("Misbehaving", program: Programs.misbehavingExtension)
            let app = ["extension: \(bundle)"] + keys.configurationWithSender
            try await RunningHost.with(folder, app: app) { host in
                for _ in 0..<10 {
                    let record = try await host.deliver(try await keys.seal(OpeningTests.message, ["-s", keys.sender]))
                    #expect(record?.outcome == "modified")
                }
                let worker = try #require(host.descendants(named: "Misbehaving").first)
                let opener = try #require(host.descendants(named: "payload-opener").first)
                let launcher = try #require(ProcessStatus(opener)?.parent)
                // The search finds what is there: the text of the last push, and the opener's key.
                #expect(Self.memory(of: worker, holds: Array("Lunch?".utf8)) == true)
                #expect(Self.memory(of: opener, holds: secret) == true)
                for process in [host.process, worker, launcher] {
                    #expect(Self.memory(of: process, holds: secret) == false)
                }
            }
        }
    }

    @Test func `no path logs a text, a token or an envelope`() async throws {
        try await TemporaryFolder.with { folder in
            let keys = try await TestKeys(in: folder)
            let bundle = try folder.makeBundle("Misbehaving", program: Programs.misbehavingExtension)
            let app = ["extension: \(bundle)", "budget: 3s", "grace: 1s"] + keys.configuration
            try await RunningHost.with(folder, app: app) { host in
                var envelopes: [String] = []
                for behavior in ["none", "exit", "abort", "garbage", "wrongID", "huge", "late", "silent", "memory"] {
                    let message =
                        #"{"aps":{"alert":{"title":"canary-title","body":"canary-body"}},"behave":"\#(behavior)"}"#
                    let body = try await keys.seal(message)
                    envelopes.append(String(body.split(separator: "v1.").last?.prefix(24) ?? ""))
                    #expect(try await host.deliver(body) != nil)
                    #expect(try await host.deliver(body + " ")?.reason == "replayed")
                }
                #expect(try await host.post(#"{"aps":{"alert":"canary-body"}"#) == 400)
                #expect(try await host.post(#"{"aps":{"alert":"canary-body"}}"#, headers: ["apns-priority: 7"]) == 400)
                let said = host.everythingNoted
                // The log is at trace level, and the records hold what the log must not.
                #expect(said.contains("worker exited"))
                #expect(host.everythingSaid.contains("canary-body"))
                for canary in ["canary-title", "canary-body", RunningHost.token] + envelopes {
                    #expect(!said.contains(canary), "\(canary) in the log")
                }
            }
        }
    }
}
