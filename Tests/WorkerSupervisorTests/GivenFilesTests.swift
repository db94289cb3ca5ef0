// SPDX-License-Identifier: Apache-2.0

import Foundation
import Glibc
import HostRuntime
import Locking
import NotificationPayload
import Synchronization
import Testing

@testable import WorkerSupervisor

/// Files of the host's store that a worker gets with its request, whatever it does to the place where they are put.
@Suite(.timeLimit(.minutes(10)))
struct GivenFilesTests {
    static let profiles: [Character] = ["A", "B", "C"].filter { $0 != "B" || geteuid() == 0 }

    /// Says what it got, and does with it what the payload asks for.
    private static let script = #"""
        #!/usr/bin/python3
        import hashlib, json, os, socket, struct, sys, time
        host = socket.socket(fileno=3)
        def send(kind, number, body): host.send(struct.pack(">BQ", kind, number) + json.dumps(body).encode())
        def receive():
            packet = host.recv(65536)
            if not packet: sys.exit(0)
            return packet[0], int.from_bytes(packet[1:9], "big"), json.loads(packet[9:])
        scratch = receive()[2]["scratch"]
        send(0x81, 0, {"protocol": 1})
        while True:
            kind, number, body = receive()
            if kind == 4: sys.exit(0)
            if kind == 3: continue
            what, given = body["payload"]["behave"], body.get("attachments", [])
            seen = []
            for each in given:
                path = os.path.join(scratch, each["path"])
                seen.append(each["identifier"] + " " + each["type"] + " " + hashlib.sha256(open(path, "rb").read()).hexdigest())
                if what == "spoil": open(path, "wb").write(b"\x89PNG\r\n\x1a\nother")
                if what == "remove": os.unlink(path)
            answer = {"payload": {"aps": {"alert": what}, "seen": seen, "pid": os.getpid()}}
            if what in ("hand on", "spoil", "remove"): answer["attachments"] = given
            if what == "drop": answer["attachments"] = []
            if what == "last": answer["attachments"] = given[-1:]
            if what == "rename": answer["attachments"] = [dict(each, identifier="mine") for each in given]
            if what == "own":
                open(scratch + "/tmp/own.png", "wb").write(b"\x89PNG\r\n\x1a\nown")
                answer["attachments"] = [{"identifier": "own", "path": "tmp/own.png", "type": "public.png"}] + given
            if what == "list": answer["payload"]["seen"] = sorted(os.listdir(scratch + "/tmp"))
            if what == "store":
                with open(scratch + "/home/filler", "wb") as file: file.write(bytes(body["payload"]["size"]))
            if what == "move":
                os.rename(scratch + "/tmp", scratch + "/elsewhere")
            if what == "replace":
                os.rename(scratch + "/tmp", scratch + "/elsewhere")
                open(scratch + "/tmp", "w").close()
            if what == "abort": os.abort()
            send(0x82, number, answer)
        """#

    private struct Bench {
        let harness: SupervisorHarness
        let folder: HostFolder
        let store: AttachmentStore

        /// A file in the host's store.
        func file(_ id: String, byteCount: Int = 100_000) async throws -> HostRuntime.Attachment {
            let source = try #require(store.temporaryFile(roomFor: 0, of: OwnedApp(topic: "test")))
            let bytes =
                [0x89] + Array("PNG\r\n\u{1a}\n".utf8) + [UInt8](repeating: UInt8(id.utf8.count), count: byteCount)
            #expect(write(source.descriptor, bytes, bytes.count) == bytes.count)
            lseek(source.descriptor, 0, SEEK_SET)
            return try await store.keep(
                AttachmentOffer(identifier: id, type: "public.png", deadline: .seconds(1000)),
                from: source.descriptor,
                in: store.folder(for: id)
            )
        }

        /// Describes a file as the worker does when it has the very bytes: identifier, type and SHA-256.
        func description(_ file: HostRuntime.Attachment) async throws -> JSON {
            let bytes = try #require(FileManager.default.contents(atPath: file.path))
            return .string("\(file.identifier) public.png \(try await Self.digest(of: bytes))")
        }

        private static func digest(of bytes: Data) async throws -> String {
            let process = Process()
            process.executableURL = URL(fileURLWithPath: "/usr/bin/sha256sum")
            let (input, output) = (Pipe(), Pipe())
            process.standardInput = input
            process.standardOutput = output
            try process.run()
            try input.fileHandleForWriting.write(contentsOf: bytes)
            try input.fileHandleForWriting.close()
            process.waitUntilExit()
            return String(decoding: output.fileHandleForReading.availableData.prefix(64), as: UTF8.self)
        }

        /// Lists the worker's `tmp` between two requests, once the launcher has removed what it was told to remove.
        func list() async -> [String] {
            await harness.until { $0.owners.scratch.isIdle }
            return await harness.run("list").seen.compactMap(\.string)
        }

        /// Waits until the worker's `tmp` is empty: the launcher removes a request's files after it, and the next
        /// request need not wait for that.
        func untilEmpty() async {
            while await list() != [], !Task.isCancelled { await Task.yield() }
        }
    }

    private func withBench(
        _ profile: Character = "A",
        maxConcurrentRequests: Int = 1,
        storageLimit: StorageLimit = StorageLimit(),
        holding hold: Hold? = nil,
        _ body: (Bench) async throws -> Void
    ) async throws {
        let folder = try HostFolder(temporaryBelow: "/tmp")
        defer { folder.remove() }
        var store: AttachmentStore?
        try await SupervisorHarness.withHarness(
            script: Self.script,
            maxConcurrentRequests: maxConcurrentRequests,
            profile: profile,
            folder: folder,
            storageLimit: storageLimit,
            store: { made in
                store = made
                return hold.map { HoldingStore(store: made, hold: $0) } ?? made
            }
        ) { harness in
            try await body(Bench(harness: harness, folder: folder, store: try #require(store)))
        }
    }

    // MARK: What it gets

    @Test(arguments: profiles)
    func `a worker gets the very bytes, hands them on, and keeps nothing`(profile: Character) async throws {
        try await withBench(profile) { bench in
            let files = [try await bench.file("one"), try await bench.file("second", byteCount: 3_000_000)]
            let result = await bench.harness.run("hand on", files: files)
            #expect(result.seen == [try await bench.description(files[0]), try await bench.description(files[1])])
            // The host's own, nothing copied twice.
            #expect(result.attachments == Attachments(kept: files))
            #expect(result.given == files)
            await bench.untilEmpty()
            #expect(try FileManager.default.contentsOfDirectory(atPath: bench.folder.attachments).count == 2)
        }
    }

    @Test(arguments: profiles)
    func `what a worker makes of its copies is not what is delivered`(profile: Character) async throws {
        try await withBench(profile) { bench in
            let file = try await bench.file("one")
            let before = try await bench.description(file)
            for behaviour in ["spoil", "remove"] {
                let result = await bench.harness.run(behaviour, files: [file])
                #expect(result.seen == [before])
                #expect(result.attachments == Attachments(kept: [file]))
            }
            #expect(try await bench.description(file) == before)
            await bench.untilEmpty()
        }
    }

    @Test func `what it says of them is told apart from silence`() async throws {
        try await withBench { bench in
            let files = [try await bench.file("one"), try await bench.file("second")]
            let dropped = await bench.harness.run("drop", files: files)
            #expect(dropped.attachments == Attachments())
            #expect(dropped.given == files)
            let last = await bench.harness.run("last", files: files)
            #expect(last.attachments == Attachments(kept: [files[1]]))
            #expect(last.given == files)
            let silent = await bench.harness.run("say nothing", files: files)
            #expect(silent.attachments == Attachments())
            #expect(silent.given == [])
            let own = await bench.harness.run("own", files: files)
            #expect(own.attachments.kept.map(\.identifier) == ["own", "one", "second"])
            #expect(Array(own.attachments.kept.dropFirst()) == files)
        }
    }

    @Test(arguments: profiles)
    func `one that is handed on under another identifier is a file of the worker's own`(
        profile: Character
    ) async throws {
        try await withBench(profile) { bench in
            let file = try await bench.file("one")
            let result = await bench.harness.run("rename", files: [file])
            #expect(result.attachments.kept.map(\.identifier) == ["mine"])
            #expect(result.attachments.kept.map(\.byteCount) == [file.byteCount])
            #expect(result.attachments.kept.first?.path != file.path)
            await bench.untilEmpty()
        }
    }

    @Test(arguments: profiles)
    func `the host holds no descriptor of what it gave`(profile: Character) async throws {
        try await withBench(profile) { bench in
            let file = try await bench.file("one")
            for _ in 0..<20 { #expect(await bench.harness.run("hand on", files: [file]).given == [file]) }
            await bench.harness.until { _ in Self.givenDescriptors == [] }
        }
    }

    /// The files in a worker's folder of which this process holds a descriptor; in A and B they have a name there and
    /// no path here.
    private static var givenDescriptors: [String] {
        let numbers = (try? FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd")) ?? []
        return numbers.compactMap { try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/fd/" + $0) }
            .filter { $0.contains("/sealed-") || $0.hasSuffix(".png") }
    }

    // MARK: What it does not get

    /// 64 MiB of memory: the last of these finds no room, and the place of its beginning is free again afterwards.
    @Test(arguments: profiles.filter { $0 != "C" })
    func `what does not fit into scratch is not given, and is no reason to fail`(profile: Character) async throws {
        try await withBench(profile) { bench in
            var files: [HostRuntime.Attachment] = []
            for number in 0..<7 { files.append(try await bench.file("\(number)", byteCount: (10 << 20) - 1000)) }
            files.append(try await bench.file("small", byteCount: 1000))
            let result = await bench.harness.run("hand on", files: files)
            #expect(result.given.map(\.identifier) == ["0", "1", "2", "3", "4", "5", "small"])
            #expect(result.seen.count == 7)
            #expect(result.attachments == Attachments(kept: result.given))
            await bench.untilEmpty()
        }
    }

    /// On the disk, where a worker that is given more than it may store would be ended for it.
    @Test func `in C a file that does not fit beside what is stored is not given`() async throws {
        try await withBench("C", storageLimit: StorageLimit(byteCount: 1 << 20)) { bench in
            let files = [
                try await bench.file("one", byteCount: 600_000), try await bench.file("second", byteCount: 1000),
            ]
            #expect(await bench.harness.run("store", ["size": 500_000]).alert == "store")
            let result = await bench.harness.run("hand on", files: files)
            #expect(result.seen == [try await bench.description(files[1])])
            #expect(result.given == [files[1]])
            #expect(result.attachments == Attachments(kept: [files[1]]))
            await bench.untilEmpty()
        }
    }

    @Test(arguments: profiles, ["move", "replace"])
    func `a folder that is not there is no place for files`(profile: Character, behaviour: String) async throws {
        try await withBench(profile) { bench in
            let file = try await bench.file("one")
            #expect(await bench.harness.run(behaviour).alert == behaviour)
            let result = await bench.harness.run("hand on", files: [file])
            #expect(result.alert == "hand on")
            #expect(result.seen == [])
            #expect(result.given == [])
        }
    }

    @Test func `a link in the place of the folder leads nowhere`() async throws {
        try await withBench("C") { bench in
            let file = try await bench.file("one")
            #expect(await bench.harness.run("move").alert == "move")
            let elsewhere = try HostFolder(temporaryBelow: "/tmp")
            defer { elsewhere.remove() }
            chmod(elsewhere.path, 0o777)
            #expect(symlink(elsewhere.path, bench.folder.path + "/apps/\(SupervisorHarness.app)/tmp") == 0)
            #expect(await bench.harness.run("hand on", files: [file]).given == [])
            #expect(try FileManager.default.contentsOfDirectory(atPath: elsewhere.path) == [])
        }
    }

    @Test func `a file that the store has let go is not given`() async throws {
        try await withBench { bench in
            let file = try await bench.file("one")
            #expect(unlink(file.path) == 0)
            let result = await bench.harness.run("hand on", files: [file])
            #expect(result.alert == "hand on")
            #expect(result.given == [])
            await bench.untilEmpty()
        }
    }

    // MARK: Endings

    @Test func `in C a worker that dies leaves no file behind`() async throws {
        try await withBench("C") { bench in
            let result = await bench.harness.run("abort", files: [try await bench.file("one")])
            #expect(result.conclusion == .failed(.crashed(signal: SIGABRT)))
            #expect(result.given == [])
            await bench.untilEmpty()
        }
    }

    @Test(arguments: profiles)
    func `a worker that dies while a file is put costs nothing but a worker`(profile: Character) async throws {
        let hold = Hold()
        try await withBench(profile, holding: hold) { bench in
            let file = try await bench.file("one")
            async let result = bench.harness.run("hand on", files: [file])
            await hold.begun()
            let first = try #require(await bench.harness.supervisor.preparingWorker)
            kill(first, SIGKILL)
            await bench.harness.until { $0.preparingWorker != first }
            hold.release()
            let last = await result
            #expect(last.alert == "hand on")
            #expect(last.given == [file])
            #expect(last.worker?.pid != first)
            await bench.untilEmpty()
        }
    }

    @Test(arguments: profiles)
    func `at the last call the request goes without what is not there`(profile: Character) async throws {
        let hold = Hold()
        try await withBench(profile, holding: hold) { bench in
            let file = try await bench.file("one")
            let result = await bench.harness.run(
                "hand on",
                files: [file],
                budget: .milliseconds(9200),
                grace: .milliseconds(9000)
            )
            #expect(result.alert == "hand on")
            #expect(result.seen == [])
            #expect(result.given == [])
            hold.release()
            await bench.harness.until { $0.owners.scratch.isIdle }
            // Whatever was half written is gone as soon as its writer notices.
            for _ in 0..<1000 where await bench.list() != [] { await Task.yield() }
            await bench.untilEmpty()
        }
    }

    @Test func `a launcher that is lost while a file is put ends the notification at once`() async throws {
        let hold = Hold()
        try await withBench(holding: hold) { bench in
            let file = try await bench.file("one")
            async let result = bench.harness.run("hand on", files: [file])
            await hold.begun()
            kill(await bench.harness.supervisor.launcherProcess, SIGKILL)
            #expect(await result.conclusion == .failed(.launchFailed))
            hold.release()
        }
    }

    @Test func `requests side by side get each their own`() async throws {
        let hold = Hold()
        try await withBench(maxConcurrentRequests: 2, holding: hold) { bench in
            let (one, second) = (try await bench.file("one"), try await bench.file("second"))
            async let held = bench.harness.run("hand on", files: [one])
            await hold.begun()
            // The one that came later is sent first; the worker sees rising numbers all the same.
            #expect(await bench.harness.run("hand on", files: [second]).given == [second])
            hold.release()
            #expect(await held.given == [one])
        }
    }
}

/// Stops the first reading of a file until it is let go.
final class Hold: Sendable {
    private let isTaken = Atomic(false)
    private let gate = DispatchSemaphore(value: 0)
    private let arrival = Signal()

    func pass() {
        guard !isTaken.exchange(true, ordering: .sequentiallyConsistent) else { return }
        arrival.raise()
        gate.wait()
    }

    func begun() async { await arrival.wait() }
    func release() { gate.signal() }
}

/// The host's store, with its hand on what is read.
private struct HoldingStore: AttachmentKeeping {
    let store: AttachmentStore
    let hold: Hold

    func folder(for pushID: String) -> AttachmentFolder { store.folder(for: pushID) }

    func keep(
        _ offer: AttachmentOffer,
        from descriptor: Int32,
        in folder: AttachmentFolder
    ) async throws(AttachmentRefusal) -> HostRuntime.Attachment {
        try await store.keep(offer, from: descriptor, in: folder)
    }

    func viewFile(roomFor byteCount: Int, of app: OwnedApp) -> HeldFile? {
        store.viewFile(roomFor: byteCount, of: app)
    }

    func temporaryFile(roomFor byteCount: Int, of app: OwnedApp) -> HeldFile? {
        store.temporaryFile(roomFor: byteCount, of: app)
    }

    func open(_ attachment: HostRuntime.Attachment) -> HeldFile? {
        hold.pass()
        return store.open(attachment)
    }

    func discard(_ attachments: [HostRuntime.Attachment]) { store.discard(attachments) }
}

extension WorkerSupervisor {
    fileprivate var preparingWorker: Int32? { runs.lazy.compactMap { $0.life.preparation?.worker.pid }.first }
}

extension ExtensionResult {
    fileprivate var content: Payload? {
        guard case .content(let payload, _) = conclusion else { return nil }
        return payload
    }

    fileprivate var seen: [JSON] { content?.object["seen"]?.array ?? [] }
}
