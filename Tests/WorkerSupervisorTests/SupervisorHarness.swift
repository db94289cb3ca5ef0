// SPDX-License-Identifier: Apache-2.0

import Foundation
import HostRuntime
import Keychain
import Logging
import NotificationPayload
import Testing

@testable import WorkerSupervisor

/// A supervisor over the real launcher, with a worker that does what each payload asks for.
struct SupervisorHarness {
    static let app = "com.example.chat"

    let supervisor: WorkerSupervisor
    let clock: HostClock
    let deadlines: DeadlineQueue

    /// The part of a worker in Python by which it reads and writes packets; the script imports json, socket, struct and
    /// sys before it.
    static let speech = """
        host = socket.socket(fileno=3)
        def send(kind, number, body):
            host.send(struct.pack(">BQ", kind, number) + json.dumps(body).encode())
        def receive():
            packet = host.recv(65536)
            if not packet: sys.exit(0)
            return packet[0], int.from_bytes(packet[1:9], "big"), json.loads(packet[9:])
        """

    /// A worker of a few lines that speaks the protocol and misbehaves on request.
    static let script = """
        #!/usr/bin/python3
        import ctypes, json, os, signal, socket, struct, sys
        \(Self.speech)
        hello = receive()
        send(0x81, 0, {"protocol": 1})
        pending = {}
        while True:
            kind, number, body = receive()
            if kind == 4: sys.exit(0)
            if kind == 3:
                what = pending.get(number)
                if what == "late": send(0x82, number, {"payload": {"aps": {"alert": "late"}}})
                if what == "murmur": send(0x83, 0, {"level": "info", "message": "still here"})
                continue
            what = body["payload"].get("behave", "answer")
            answer = {"payload": {"aps": {"alert": what}, "pid": os.getpid(), "budget": body["budgetMilliseconds"]}}
            pending[number] = what
            if what == "answer": send(0x82, number, answer)
            elif what == "twice": send(0x82, number, answer); send(0x82, number, {"payload": {"aps": {"alert": "second"}}})
            elif what == "exit": os._exit(3)
            elif what == "answer and exit": send(0x82, number, answer); os._exit(0)
            elif what == "abort": os.abort()
            elif what == "kill": ctypes.string_at(0)
            elif what == "garbage": host.send(b"garbage")
            elif what == "unknown id": send(0x82, 77, answer)
            elif what == "no payload": send(0x82, number, {})
            elif what == "descriptor": socket.send_fds(host, [struct.pack(">BQ", 0x82, number) + b'{"payload":{}}'], [0])
            elif what == "close": host.close(); signal.pause()
            elif what == "print": print("x" * 1000000); send(0x82, number, answer)
            elif what == "list": send(0x82, number, {"payload": {"names": sorted(os.listdir(hello[2]["scratch"] + "/tmp"))}})
            elif what == "attach":
                for name, size in body["payload"].get("write", {}).items():
                    path = os.path.join(hello[2]["scratch"], name)
                    os.makedirs(os.path.dirname(path), exist_ok=True)
                    with open(path, "wb") as file: file.write(b"\\x89PNG\\r\\n\\x1a\\n" + bytes(size))
                answer["attachments"] = body["payload"].get("attach", [])
                send(0x82, number, answer)
                if body["payload"].get("exit"): os._exit(0)
            elif what == "store":
                for count in range(body["payload"]["count"]):
                    with open(hello[2]["scratch"] + "/home/%d" % count, "wb") as file: file.write(bytes(body["payload"]["size"]))
                signal.pause()
            elif what == "endless print":
                while True: os.write(1, b"x" * 65536)
            elif what == "endless flood":
                while True: send(0x83, 0, {"level": "debug", "message": "x" * 60000})
            elif what == "eat": food = b"x" * (75 << 20)
            elif what == "hoard": food = bytearray(b"x" * (40 << 20)); send(0x82, number, answer)
            elif what == "spin":
                while True: pass
            elif what == "flood":
                for _ in range(5000): send(0x83, 0, {"level": "debug", "message": "flood"})
                send(0x82, number, answer)
        """

    static var programFolder: String {
        let program = (try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")) ?? ""
        return URL(fileURLWithPath: program).deletingLastPathComponent().path
    }

    static func withHarness<Result>(
        script: String = Self.script,
        contentScript: String? = nil,
        apps: [String] = [Self.app],
        role: SupervisedExtension.Role = .service,
        clock: HostClock = HostClock(ContinuousClock()),
        isolation: SupervisedExtension.Isolation = .app,
        maxConcurrentRequests: Int = 1,
        workerLimit: Int = 16,
        processLimit: Int = 64,
        memoryByteCount: UInt64 = .max,
        startLimit: Duration = .seconds(10),
        opener: SupervisedOpener? = nil,
        profile: Character = "A",
        folder: HostFolder? = nil,
        storageLimit: StorageLimit = StorageLimit(),
        keychain: (@Sendable (KeychainCall, OwnedApp, Bool) -> KeychainAnswer)? = nil,
        center: CenterCaller? = nil,
        firstOwners: [String: String] = [:],
        store makeStore: (AttachmentStore) -> any AttachmentKeeping = { $0 },
        logger: Logger = Logger(label: "test") { _ in SwiftLogNoOpLogHandler() },
        _ body: (SupervisorHarness) async throws -> Result
    ) async throws -> Result {
        let bundle = FileManager.default.temporaryDirectory.appendingPathComponent("Test-\(UUID().uuidString).appex")
        try FileManager.default.createDirectory(at: bundle, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: bundle) }
        let executable = bundle.appendingPathComponent("worker.py").path
        try script.write(toFile: executable, atomically: true, encoding: .utf8)
        try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: executable)

        if let contentScript {
            let view = bundle.appendingPathComponent("view.py").path
            try contentScript.write(toFile: view, atomically: true, encoding: .utf8)
            try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: view)
        }

        let launcher = try Launcher(executable: programFolder + "/worker-launcher", strongestProfile: profile)
        let deadlines = DeadlineQueue(clock: clock)
        let loop = try EventLoop()
        defer { loop.stop() }
        let configuration = SupervisorConfiguration(
            extensions: try apps.enumerated().map { index, app in
                var supervised = SupervisedExtension(
                    app: app,
                    bundleIdentifier: app + ".service",
                    bundlePath: bundle.path,
                    executable: "worker.py",
                    maxConcurrentRequests: maxConcurrentRequests,
                    workerLimit: workerLimit,
                    memoryLimitByteCount: 64 << 20,
                    storageLimit: storageLimit,
                    isolation: isolation,
                    startLimit: startLimit,
                    scratchByteCount: folder == nil ? 0 : 64 << 20,
                    storagePath: try folder?.makeStorage(
                        of: app,
                        user: launcher.capabilities.user(ofSiteAt: index)
                    )
                )
                supervised.role = role
                return supervised
            },
            contents: contentScript == nil
                ? []
                : apps.map { app in
                    var content = SupervisedExtension(
                        app: app,
                        bundleIdentifier: app + ".view",
                        bundlePath: bundle.path,
                        executable: "view.py",
                        memoryLimitByteCount: 64 << 20,
                        scratchByteCount: folder == nil ? 0 : 64 << 20
                    )
                    content.role = .content
                    return content
                },
            opener: opener,
            timeZone: "UTC",
            attachmentStore: try folder.map { makeStore(try $0.makeStore(clock: clock)) },
            keychain: keychain,
            center: center,
            folder: folder,
            processLimit: processLimit,
            memoryByteCount: memoryByteCount
        )
        try launcher.register(viewsOf: configuration.extensions, interpreter: "/usr/bin/python3")
        try launcher.seal()
        let supervisor = WorkerSupervisor(
            configuration,
            launcher: launcher,
            loop: loop,
            clock: clock,
            deadlines: deadlines,
            logger: logger
        )
        return try await withThrowingTaskGroup(of: Void.self) { group in
            defer { group.cancelAll() }
            group.addTask { await deadlines.run() }
            try await supervisor.start(firstOwners: firstOwners)
            let result = try await body(SupervisorHarness(supervisor: supervisor, clock: clock, deadlines: deadlines))
            await supervisor.end()
            return result
        }
    }

    /// Waits for the end of a process, at most half a minute.
    func isGone(_ pid: Int32?) async -> Bool {
        let limit = ContinuousClock.now + .seconds(30)
        while kill(pid ?? 1, 0) == 0, ContinuousClock.now < limit { await Task.yield() }
        return kill(pid ?? 1, 0) != 0
    }

    /// Waits until a process that got SIGSTOP stands still, at most half a minute.
    func isStopped(_ pid: Int32) async -> Bool {
        let limit = ContinuousClock.now + .seconds(30)
        while ContinuousClock.now < limit {
            let status = try? String(contentsOfFile: "/proc/\(pid)/stat", encoding: .utf8)
            if status?.split(separator: ")").last?.hasPrefix(" T ") == true { return true }
            await Task.yield()
        }
        return false
    }

    /// Waits until the supervisor is as the test needs it, at most half a minute.
    func until(_ condition: @Sendable (isolated WorkerSupervisor) -> Bool) async {
        let limit = ContinuousClock.now + .seconds(30)
        while ContinuousClock.now < limit {
            if await supervisor.fulfils(condition) { return }
            await Task.yield()
        }
        Issue.record("the supervisor never was as expected")
    }

    /// Waits until the app's spare is ready.
    func untilSpare(of app: Int = 0) async {
        await until { $0.staffs[app].members.contains { $0.stage == .ready && $0.servedCount == 0 } }
    }

    func counts(of app: String = Self.app) async -> ExtensionCounts {
        await supervisor.activity.apps[app] ?? ExtensionCounts()
    }

    func run(
        _ behaviour: String,
        _ details: JSONObject = [:],
        of app: String = Self.app,
        owner: String = OwnedApp.onlyOwner,
        files: [HostRuntime.Attachment] = [],
        wait: Duration = .seconds(30),
        budget: Duration = .seconds(20),
        grace: Duration = .seconds(1)
    ) async
        -> ExtensionResult
    {
        var object: JSONObject = ["aps": ["alert": "given"], "behave": .string(behaviour)]
        for member in details.members { object[member.key] = member.value }
        let payload = Payload(object)
        let push = IncomingPush(
            id: UUID().uuidString.lowercased(),
            deviceToken: "ab",
            topic: app,
            owner: owner,
            payload: payload,
            payloadByteCount: 100,
            receivedAt: Date()
        )
        return await supervisor.run(
            ExtensionRequest(push: push, app: app, payload: payload, files: files),
            within: ExtensionTime(wait: wait, budget: budget, grace: grace)
        )
    }
}

extension HostFolder {
    func makeStore(clock: HostClock) throws -> AttachmentStore {
        try makeAttachments()
        return try AttachmentStore(folder: attachments, clock: clock)
    }
}

extension WorkerSupervisor {
    func fulfils(_ condition: (isolated WorkerSupervisor) -> Bool) -> Bool { condition(self) }

    var workers: [WorkerProcess] { owners.pool.all }
    var staffs: [Roster.Staff] { owners.staffing.staffs }
    var runs: [ExtensionRun] { owners.runs.all }
    /// The notifications of the first app that wait.
    var waitingCount: Int { owners.runs.line(of: 0).count }

    var firstWorker: Int32? { workers.first?.pid }
}

extension ExtensionResult {
    /// The alert of delivered content.
    var alert: String? {
        guard case .content(let payload, _) = conclusion else { return nil }
        return payload.aps?["alert"]?.string
    }
}
