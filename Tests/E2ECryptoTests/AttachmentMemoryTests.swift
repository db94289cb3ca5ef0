// SPDX-License-Identifier: Apache-2.0

import CSodium
import Foundation
import Testing

@testable import E2ECrypto

/// Promises about memory and descriptors, in processes of their own.
struct AttachmentMemoryTests {
    /// Sanitizers take memory as they like.
    private static var isPlain: Bool { dlsym(nil, "__tsan_init") == nil && dlsym(nil, "__asan_init") == nil }

    @Test(.enabled(if: isPlain, "a sanitizer takes memory of its own"), .timeLimit(.minutes(10)))
    func `64 MiB are sealed and opened in half a mebibyte more than the process had`() async {
        await #expect(processExitsWith: .success) {
            let folder = try TemporaryFolder()
            let label = try AttachmentLabel(id: "a")
            let small = try folder.write("small", [1])
            let warm = try Attachment.seal(file: small, to: folder.path("warm"), as: label)
            try Attachment.open(warm, file: folder.path("warm"), to: folder.path("warm-open"))
            let large = try folder.write("large", [])
            #expect(truncate(large, 64 << 20) == 0)

            let before = try #require(try dataByteCount())
            var limit = rlimit(rlim_cur: rlim_t(before + 512 * 1024), rlim_max: rlim_t.max)
            #expect(setrlimit(__rlimit_resource_t(RLIMIT_DATA.rawValue), &limit) == 0)
            // The limit bites: a chunk of the file is there, a mebibyte is not.
            #expect(mmap(nil, 1 << 20, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0) == MAP_FAILED)
            let entry = try Attachment.seal(file: large, to: folder.path("sealed"), as: label)
            try Attachment.open(entry, file: folder.path("sealed"), to: folder.path("opened"))
            limit.rlim_cur = rlim_t.max
            #expect(setrlimit(__rlimit_resource_t(RLIMIT_DATA.rawValue), &limit) == 0)

            #expect(entry.size == 64 << 20)
            let attributes = try FileManager.default.attributesOfItem(atPath: folder.path("opened"))
            #expect(attributes[.size] as? Int == 64 << 20)
        }
    }

    @Test func `no call leaves a descriptor open, done or refused`() async {
        await #expect(processExitsWith: .success) {
            let folder = try TemporaryFolder()
            let label = try AttachmentLabel(id: "a")
            let plain = try folder.write("plain", pattern(70_000))
            func work(_ round: Int) throws {
                let sealed = folder.path("sealed\(round)")
                let entry = try Attachment.seal(file: plain, to: sealed, as: label)
                try Attachment.open(entry, file: sealed, to: folder.path("opened\(round)"))
                let refused = { try Attachment.open(entry, file: plain, to: folder.path("refused")) }
                #expect(throws: AttachmentError.self, performing: refused)
                #expect(throws: AttachmentError.exists) { try Attachment.seal(file: plain, to: sealed, as: label) }
                let cancelled = folder.path("cancelled")
                #expect(throws: AttachmentError.cancelled) {
                    try Attachment.seal(file: plain, to: cancelled, as: label) { _ in .cancel }
                }
            }
            try work(0)
            #expect(try openPaths(in: folder) == [])
            for round in 1...10 { try work(round) }
            #expect(try openPaths(in: folder) == [])
        }
    }

    @Test(.enabled(if: isPlain, "the thread sanitizer locks nothing"))
    func `without locked memory nothing is sealed`() async {
        await #expect(processExitsWith: .success) {
            let folder = try TemporaryFolder()
            let plain = try folder.write("plain", [1])
            #expect(chmod(folder.url.path, 0o777) == 0 && chmod(plain, 0o644) == 0)
            // Root may lock whatever the limit says.
            if getuid() == 0 { #expect(setuid(65534) == 0) }
            var limit = rlimit(rlim_cur: 0, rlim_max: 0)
            #expect(setrlimit(__rlimit_resource_t(__RLIMIT_MEMLOCK.rawValue), &limit) == 0)
            let label = try AttachmentLabel(id: "a")
            #expect(throws: AttachmentError.memory(.notLocked(byteCount: 128, errno: EPERM))) {
                try Attachment.seal(file: plain, to: folder.path("sealed"), as: label)
            }
            #expect(folder.names == ["plain"])
        }
    }

    @Test func `the plaintext of a chunk is wiped from the buffers that are given back`() throws {
        // Guarded pages in the buffers' place would show a late write; here the wiping itself is looked at.
        let buffers = ChunkBuffers()
        buffers.plaintext.update(repeating: 0xAA, count: 65536)
        buffers.ahead.update(repeating: 0xAA, count: 65536)
        buffers.wipe()
        #expect(sodium_is_zero(buffers.plaintext, 65536) == 1)
        #expect(sodium_is_zero(buffers.ahead, 65536) == 1)
    }
}

/// VmData: private writable memory, what RLIMIT_DATA counts.
private func dataByteCount() throws -> Int? {
    let status = try String(contentsOfFile: "/proc/self/status", encoding: .utf8)
    let line = status.split(separator: "\n").first { $0.hasPrefix("VmData:") }
    return line.flatMap { Int($0.filter(\.isNumber)) }.map { $0 * 1024 }
}

/// Returns the open paths of this process below a folder, removed files too; its other descriptors come and go.
private func openPaths(in folder: TemporaryFolder) throws -> [String] {
    let place = folder.url.resolvingSymlinksInPath().path
    let names = try FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd")
    return names.compactMap { try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/fd/\($0)") }
        .filter { $0.hasPrefix(place) }
}
