// SPDX-License-Identifier: Apache-2.0

import Foundation
import Glibc
import HostRuntime
import Locking
import Testing

@testable import WorkerSupervisor

/// The store alone: what it copies, what it refuses, what it lets go.
@Suite(.timeLimit(.minutes(5)))
struct AttachmentStoreTests {
    private static let png = [0x89] + Array("PNG\r\n\u{1A}\n".utf8)

    private final class Fixture {
        let folder: HostFolder
        let clock = HostClock(ContinuousClock())
        let store: AttachmentStore

        init(limit: AttachmentStore.Limit = .init()) throws {
            folder = try HostFolder(temporaryBelow: "/tmp")
            try folder.makeAttachments()
            store = try AttachmentStore(folder: folder.attachments, limit: limit, clock: clock)
        }

        deinit { folder.remove() }

        func file(_ bytes: [UInt8], name: String = "source") -> Int32 {
            let path = folder.path + "/" + name
            _ = FileManager.default.createFile(atPath: path, contents: Data(bytes))
            return open(path, O_RDONLY)
        }

        func keep(
            _ descriptor: Int32,
            type: String = "public.png",
            in folder: AttachmentFolder? = nil,
            deadline: Duration = .seconds(1_000_000)
        ) async throws -> HostRuntime.Attachment {
            defer { close(descriptor) }
            return try await store.keep(
                AttachmentOffer(identifier: "a", type: type, deadline: deadline),
                from: descriptor,
                in: folder ?? store.folder(for: "id")
            )
        }

        var names: [String] {
            (try? FileManager.default.contentsOfDirectory(atPath: folder.attachments).sorted()) ?? []
        }
    }

    @Test func `files of one notification lie in one folder, under names of the host's`() async throws {
        let fixture = try Fixture()
        let folder = fixture.store.folder(for: "../../8F3-id")
        let first = try await fixture.keep(fixture.file(Self.png), in: folder)
        let second = try await fixture.keep(fixture.file(Array("GIF89a".utf8)), type: "com.compuserve.gif", in: folder)
        #expect(folder.name.hasPrefix("8F3-id."))
        #expect(first.path == fixture.folder.attachments + "/\(folder.name)/1.png")
        #expect(second.path == fixture.folder.attachments + "/\(folder.name)/2.gif")
        #expect(fixture.store.folder(for: "../../8F3-id") != folder)
    }

    @Test(arguments: [
        ("public.html", AttachmentRefusal.unknownType, png), ("public.png", .wrongContent, []),
        ("public.png", .wrongContent, Array("#!/bin/sh".utf8)), ("public.mp3", .wrongContent, png),
    ])
    func `nothing is left of a file that is refused`(
        type: String,
        reason: AttachmentRefusal,
        bytes: [UInt8]
    ) async throws {
        let fixture = try Fixture()
        await #expect(throws: reason) { try await fixture.keep(fixture.file(bytes), type: type) }
        #expect(fixture.names == [])
    }

    @Test func `the end of the budget ends the copy`() async throws {
        let fixture = try Fixture()
        await #expect(throws: AttachmentRefusal.outOfTime) {
            try await fixture.keep(fixture.file(Self.png), deadline: fixture.clock.now)
        }
        #expect(fixture.names == [])
    }

    @Test func `a file that never ends is refused at its kind's limit`() async throws {
        let fixture = try Fixture()
        let zeros = open("/dev/zero", O_RDONLY)
        await #expect(throws: AttachmentRefusal.tooLarge) { try await fixture.keep(zeros, type: "public.mp3") }
        #expect(fixture.names == [])
    }

    @Test func `a file that grows while it is copied is refused or whole`() async throws {
        let fixture = try Fixture()
        let source = fixture.file(Self.png)
        let writer = open(fixture.folder.path + "/source", O_WRONLY | O_APPEND)
        let isDone = Flag()
        let grown = Task.detached {
            let chunk = [UInt8](repeating: 0, count: 1 << 20)
            while !isDone.isSet, lseek(writer, 0, SEEK_END) < 64 << 20 { _ = write(writer, chunk, chunk.count) }
            close(writer)
        }
        let result: Result<HostRuntime.Attachment, any Error>
        do { result = .success(try await fixture.keep(source)) } catch { result = .failure(error) }
        isDone.set()
        await grown.value
        switch result {
        case .success(let attachment):
            #expect(attachment.byteCount <= 10 << 20)
            #expect(FileManager.default.contents(atPath: attachment.path)?.count == attachment.byteCount)
        case .failure(let error): #expect(error as? AttachmentRefusal == .tooLarge)
        }
    }

    @Test func `a full store lets the oldest notification go`() async throws {
        let fixture = try Fixture(limit: .init(byteCount: 21 << 19, folderCount: 100))
        let half = Self.png + [UInt8](repeating: 0, count: 700 << 10)
        let first = try await fixture.keep(fixture.file(half))
        let second = try await fixture.keep(fixture.file(half))
        #expect(access(first.path, F_OK) != 0)
        #expect(access(second.path, F_OK) == 0)
        #expect(fixture.names.count == 1)
    }

    @Test func `more notifications than the store may have let the oldest go`() async throws {
        let fixture = try Fixture(limit: .init(byteCount: 1 << 30, folderCount: 3))
        var kept: [HostRuntime.Attachment] = []
        for _ in 0..<5 { kept.append(try await fixture.keep(fixture.file(Self.png))) }
        #expect(kept.map { access($0.path, F_OK) == 0 } == [false, false, true, true, true])
    }

    @Test func `files on their way have room of their own, and one app of an owner half of it`() throws {
        let fixture = try Fixture(limit: .init(transit: .init(byteCount: 100, fileCount: 4)))
        let store = fixture.store
        let (a, b, c) = (OwnedApp(topic: "a"), OwnedApp(topic: "a", owner: "maria"), OwnedApp(topic: "c"))
        var held = [store.temporaryFile(roomFor: 50, of: a)]
        #expect(held.last != nil)
        #expect(store.temporaryFile(roomFor: 1, of: a) == nil)
        held.append(store.temporaryFile(roomFor: 30, of: b))
        #expect(held.last != nil)
        #expect(store.temporaryFile(roomFor: 21, of: c) == nil)
        #expect(store.temporaryFile(roomFor: .max, of: c) == nil)
        held.removeFirst()
        // Two files, however small.
        held += [store.temporaryFile(roomFor: 0, of: a), store.temporaryFile(roomFor: 0, of: a)]
        #expect(held.allSatisfy { $0 != nil })
        #expect(store.temporaryFile(roomFor: 0, of: a) == nil)
        #expect(store.temporaryFile(roomFor: 50, of: c) != nil)
        #expect(fixture.names == [])
    }

    @Test func `a notification's names are not used twice, also when its folder was let go`() async throws {
        let fixture = try Fixture(limit: .init(folderCount: 1))
        let folder = fixture.store.folder(for: "id")
        let first = try await fixture.keep(fixture.file(Self.png), in: folder)
        _ = try await fixture.keep(fixture.file(Self.png))
        #expect(access(first.path, F_OK) != 0)
        let second = try await fixture.keep(fixture.file(Self.png), in: folder)
        #expect(second.path == fixture.folder.attachments + "/\(folder.name)/2.png")
    }

    @Test func `a file that is refused takes nothing from another file of its notification`() async throws {
        let fixture = try Fixture()
        let good = fixture.file(Self.png, name: "good")
        let bad = fixture.file([1, 2, 3], name: "bad")
        let store = fixture.store
        let offer = AttachmentOffer(identifier: "a", type: "public.png", deadline: .seconds(1_000_000))
        for round in 0..<400 {
            let folder = store.folder(for: "id")
            async let refused: Bool = {
                // Each of these makes the folder and lets it go again, until the good file lies in it.
                for _ in 0..<20 {
                    do { _ = try await store.keep(offer, from: bad, in: folder) } catch AttachmentRefusal.wrongContent {
                    } catch {
                        return false
                    }
                }
                return true
            }()
            for _ in 0..<round % 40 { await Task.yield() }
            let kept = try await store.keep(offer, from: good, in: folder)
            #expect(await refused)
            #expect(access(kept.path, F_OK) == 0)
            lseek(good, 0, SEEK_SET)
        }
        close(good)
        close(bad)
    }

    @Test func `what was on its way when a former host ended is gone`() throws {
        let fixture = try Fixture()
        _ = FileManager.default.createFile(atPath: fixture.folder.attachments + "/.123", contents: Data([1]))
        #expect(mkdir(fixture.folder.attachments + "/..123", 0o700) == 0)
        _ = FileManager.default.createFile(atPath: fixture.folder.attachments + "/..123/1.png", contents: Data([1]))
        _ = try AttachmentStore(folder: fixture.folder.attachments, clock: fixture.clock)
        #expect(fixture.names == [])
    }

    @Test func `what a former host kept counts, and goes first`() async throws {
        let fixture = try Fixture()
        let old = try await fixture.keep(fixture.file(Self.png))
        let limit = AttachmentStore.Limit(byteCount: 1 << 30, folderCount: 1)
        let next = try AttachmentStore(folder: fixture.folder.attachments, limit: limit, clock: fixture.clock)
        let source = fixture.file(Self.png)
        defer { close(source) }
        let new = try await next.keep(
            AttachmentOffer(identifier: "a", type: "public.png", deadline: .seconds(1_000_000)),
            from: source,
            in: next.folder(for: "id")
        )
        #expect(access(old.path, F_OK) != 0)
        #expect(access(new.path, F_OK) == 0)
    }
}

/// Raised once, from any thread.
private final class Flag: Sendable {
    private let value = Locked(false)
    var isSet: Bool { value.withLock { $0 } }
    func set() { value.withLock { $0 = true } }
}
