// SPDX-License-Identifier: Apache-2.0

import CSodium
import Foundation
import Testing

@testable import E2ECrypto

/// Promises about memory, most of them in processes of their own.
struct SecretMemoryTests {
    /// The thread sanitizer replaces mlock(2) with a call that does nothing.
    private static var locks: Bool { dlsym(nil, "__tsan_init") == nil }

    @Test(.enabled(if: locks, "the thread sanitizer locks nothing"))
    func `the locked memory of a process fits the 64 KiB that many systems grant`() async {
        await #expect(processExitsWith: .success) {
            let before = try lockedKilobytes()
            let arena = try SecretArena()
            let locked = try lockedKilobytes() - before
            #expect(locked >= (SecretArena.keyByteCount + Workspace.maximumPlaintextByteCount) / 1024)
            #expect(locked <= 64)
            withExtendedLifetime(arena) {}
        }
    }

    @Test(.enabled(if: locks, "the thread sanitizer locks nothing"))
    func `memory that cannot be locked is an error`() async {
        await #expect(processExitsWith: .success) {
            // Root may lock whatever the limit says.
            if getuid() == 0 { #expect(setuid(65534) == 0) }
            var limit = rlimit(rlim_cur: 0, rlim_max: 0)
            #expect(setrlimit(__rlimit_resource_t(__RLIMIT_MEMLOCK.rawValue), &limit) == 0)
            let expected = SecretMemoryError.notLocked(byteCount: SecretArena.keyByteCount, errno: EPERM)
            #expect(throws: expected) { try SecretArena() }
        }
    }

    @Test func `writing to keys traps once they are read-only`() async {
        await #expect(processExitsWith: .signal(SIGSEGV)) {
            signal(SIGSEGV, SIG_DFL)
            let arena = try SecretArena()
            let place = try #require(arena.reserve(32))
            try arena.makeReadOnly()
            arena.pointer(to: place).pointee = 1
        }
    }

    @Test func `writing past the keys traps`() async {
        await #expect(processExitsWith: .signal(SIGSEGV)) {
            signal(SIGSEGV, SIG_DFL)
            let arena = try SecretArena()
            let place = try #require(arena.reserve(32))
            arena.pointer(to: place)[SecretArena.keyByteCount] = 1
        }
    }

    @Test func `a message leaves no secret and no plaintext in the workspace`() throws {
        let vector = try VectorFile.named("psk")
        let arena = try SecretArena()
        let opener = try vector.opener(in: arena)
        _ = try opener.open(text: vector.text.utf8.span, context: vector.context, now: vector.now)
        let workspace = arena.workspace
        for stretch in [workspace.sharedPoint, workspace.pseudorandomKey, workspace.sharedSecret, workspace.key] {
            #expect(sodium_is_zero(stretch, 32) == 1)
        }
        #expect(sodium_is_zero(workspace.nonce, 12) == 1)
        #expect(sodium_is_zero(workspace.message, Workspace.messageByteCount) == 1)
        #expect(sodium_is_zero(workspace.plaintext, Workspace.maximumPlaintextByteCount) == 1)
    }

    @Test func `a refusal leaves no plaintext either`() throws {
        let names = [
            "inner-padding", "inner-type", "expired", "content-nul", "box-duplicate-key", "web-push-not-last",
            "bark-gcm-nul", "bark-cbc-padding-mixed", "bark-cbc-content-not-json",
        ]
        for name in names {
            let vector = try VectorFile.named(name)
            let arena = try SecretArena()
            let opener = try vector.opener(in: arena)
            _ = try? opener.open(payload: vector.push, context: vector.context, now: vector.now)
            #expect(sodium_is_zero(arena.workspace.plaintext, Workspace.maximumPlaintextByteCount) == 1)
        }
    }

    @Test func `the room for reading a key file is wiped`() throws {
        let arena = try SecretArena()
        var start: UnsafeMutablePointer<UInt8>?
        _ = arena.withReadingRoom(64) { room in
            room.update(repeating: 0xAA)
            start = room.baseAddress
        }
        let room = try #require(start)
        #expect(sodium_is_zero(room, 64) == 1)
    }
}

private func lockedKilobytes() throws -> Int {
    let status = try String(contentsOfFile: "/proc/self/status", encoding: .utf8)
    let line = try #require(status.split(separator: "\n").first { $0.hasPrefix("VmLck:") })
    return try #require(Int(line.filter(\.isNumber)))
}
