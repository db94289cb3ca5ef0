// SPDX-License-Identifier: Apache-2.0

import Foundation
import HostRuntime
import Keychain
import KeychainStore
import Locking
import NotificationPayload
import Testing

@testable import WorkerSupervisor

/// The extension of an app with several owners: nothing of one reaches another's notification.
@Suite(.timeLimit(.minutes(5)))
struct OwnerTests {
    /// Counts its notifications in memory and in a file of its home, leaves a file in tmp, and keeps an item in its
    /// keychain; tells what was there before.
    private static let script = """
        #!/usr/bin/python3
        import errno, json, os, signal, socket, struct, sys, time
        \(SupervisorHarness.speech)
        scratch = receive()[2].get("scratch")
        send(0x81, 0, {"protocol": 1})
        count = 0
        def attempt(body):
            try: return body() or "done"
            except OSError as error: return errno.errorcode[error.errno]
        while True:
            kind, number, body = receive()
            if kind == 4: sys.exit(0)
            if kind == 3: continue
            payload = body["payload"]
            what = payload["behave"]
            if what == "hang": signal.pause()
            count += 1
            told = [count]
            if what == "remember":
                path = scratch + "/home/count"
                before = int(open(path).read()) if os.path.exists(path) else 0
                with open(path, "w") as file: file.write(str(before + 1))
                told.append(before)
                told.append(len(os.listdir(scratch + "/tmp")))
                with open(scratch + "/tmp/%d" % count, "w") as file: file.write("x")
                send(0x84, 0, {"call": "add", "item": {"key": "k", "attributes": {}}, "secret": "AQI="})
                told.append(receive()[2]["answer"])
            if what == "peek":
                told = [attempt(lambda: os.listdir(path) and "read") for path in payload["paths"]]
                told.append(attempt(lambda: os.kill(payload["pid"], 0)))
                told.append(attempt(lambda: open(payload["paths"][0] + "/home/planted", "w").close()))
            send(0x82, number, {"payload": {"aps": {"alert": " ".join(map(str, told))}}})
        """

    private static func withFolder(_ body: (HostFolder) async throws -> Void) async throws {
        let folder = try HostFolder(temporaryBelow: "/tmp")
        defer { folder.remove() }
        try await body(folder)
    }

    private static func withHarness(
        _ folder: HostFolder?,
        apps: [String] = [SupervisorHarness.app],
        profile: Character = "A",
        workerLimit: Int = 16,
        processLimit: Int = 64,
        firstOwners: [String: String] = [:],
        _ body: (SupervisorHarness) async throws -> Void
    ) async throws {
        try folder?.makeKeychains()
        let key = try folder.map { try KeychainKey(file: $0.path + "/keychain.key") } ?? .temporary()
        let keychains = KeychainStore(folder: folder?.path, key: key)
        try await SupervisorHarness.withHarness(
            script: script,
            apps: apps,
            workerLimit: workerLimit,
            processLimit: processLimit,
            profile: profile,
            folder: folder,
            keychain: { keychains.answer($0, of: $1.topic, owner: $2 ? nil : $1.owner) },
            firstOwners: firstOwners,
            body
        )
    }

    @Test(arguments: AttachmentTests.profiles)
    func `what an extension keeps is its owner's, and outlives the host`(profile: Character) async throws {
        try await Self.withFolder { folder in
            try await Self.withHarness(folder, profile: profile) { harness in
                #expect(await harness.run("remember").alert == "1 0 0 done")
                #expect(await harness.run("remember", owner: "maria").alert == "1 0 0 done")
                #expect(await harness.run("remember").alert == "2 1 1 duplicate")
                #expect(await harness.run("remember", owner: "ana").alert == "1 0 0 done")
                #expect(await harness.run("remember", owner: "maria").alert == "2 1 1 duplicate")
                let counts = await harness.counts()
                #expect(counts.given == 5 && counts.completed == 5)
                #expect(await harness.supervisor.activity.apps.count == 1)
            }
            let topic = SupervisorHarness.app
            for path in ["", "/owners/maria", "/owners/ana"] {
                #expect(access("\(folder.path)\(path)/apps/\(topic)/home/count", F_OK) == 0, "\(path)")
                #expect(access("\(folder.path)\(path)/keychains/\(topic)", F_OK) == 0, "\(path)")
            }
            // The numbers of owners, and with them their users, are others in the next run.
            try await Self.withHarness(folder, profile: profile) { harness in
                #expect(await harness.run("remember", owner: "ana").alert == "1 1 0 duplicate")
                #expect(await harness.run("remember", owner: "maria").alert == "1 2 0 duplicate")
                #expect(await harness.run("remember").alert == "1 2 0 duplicate")
            }
        }
    }

    @Test func `the first owner has the app's own folder, whoever that is`() async throws {
        try await Self.withFolder { folder in
            let topic = SupervisorHarness.app
            try await Self.withHarness(folder) { harness in
                #expect(await harness.run("remember").alert == "1 0 0 done")
            }
            try await Self.withHarness(folder, firstOwners: [topic: "maria"]) { harness in
                #expect(await harness.run("remember", owner: "maria").alert == "1 1 0 duplicate")
                #expect(await harness.run("remember").alert == "1 0 0 done")
            }
            #expect(access("\(folder.path)/owners/me/apps/\(topic)/home/count", F_OK) == 0)
        }
    }

    @Test(arguments: AttachmentTests.profiles)
    func `a worker of one owner reaches neither files nor processes of another's`(profile: Character) async throws {
        try await Self.withFolder { folder in
            try await Self.withHarness(folder, profile: profile) { harness in
                let mine = await harness.run("remember")
                let hers = await harness.run("remember", owner: "maria")
                let topic = SupervisorHarness.app
                let own = "\(folder.path)/apps/\(topic)"
                let of = (me: own, maria: "\(folder.path)/owners/maria/apps/\(topic)")
                for (owner, other, process) in [
                    ("maria", of.me, mine.worker?.pid), ("me", of.maria, hers.worker?.pid),
                ] {
                    let pid = try #require(process)
                    let paths: [JSON] = [other, "\(other)/home", "\(folder.path)/owners"].map(JSON.string)
                    let details: JSONObject = ["paths": .array(paths), "pid": .integer(Int64(pid))]
                    let result = await harness.run("peek", details, owner: owner)
                    let told = try #require(result.alert).split(separator: " ")
                    #expect(told.count == 5)
                    for answer in told { #expect(["EACCES", "EPERM", "ENOENT", "ESRCH"].contains(answer), "\(told)") }
                    #expect(access("\(other)/home/planted", F_OK) != 0)
                }
            }
        }
    }

    @Test(.enabled(if: geteuid() == 0, "needs root"), arguments: AttachmentTests.profiles)
    func `as root each owner has a user of the system, whose the folders are`(profile: Character) async throws {
        try await Self.withFolder { folder in
            try await Self.withHarness(folder, apps: ["com.example.a", "com.example.b"], profile: profile) { harness in
                var users: Set<UInt32> = []
                for (number, (app, owner)) in [
                    ("com.example.a", "me"), ("com.example.b", "me"), ("com.example.b", "maria"),
                    ("com.example.a", "maria"),
                ].enumerated() {
                    let result = await harness.run("remember", of: app, owner: owner)
                    let pid = try #require(result.worker?.pid)
                    var status = stat()
                    let user = UInt32(61_201 + number)
                    #expect(stat("/proc/\(pid)", &status) == 0)
                    #expect(try Self.user(of: pid) == user)
                    let place = owner == "me" ? folder.path : "\(folder.path)/owners/\(owner)"
                    #expect(lstat("\(place)/apps/\(app)/home/count", &status) == 0)
                    #expect(status.st_uid == user)
                    users.insert(user)
                }
                #expect(users.count == 4)
            }
        }
    }

    /// The user that a process is outside of its namespaces.
    private static func user(of pid: Int32) throws -> UInt32? {
        let status = try String(contentsOfFile: "/proc/\(pid)/status", encoding: .utf8)
        return status.split(separator: "\n").first { $0.hasPrefix("Uid:") }?.split(separator: "\t").dropFirst().first
            .flatMap { UInt32($0) }
    }

    @Test func `an owner beyond the bound gets the content as it was, and the others' workers go on`() async throws {
        try await Self.withHarness(nil, processLimit: 3) { harness in
            #expect(await harness.run("count").alert == "1")
            #expect(await harness.run("count", owner: "maria").alert == "1")
            for owner in ["ana", "zoe"] {
                let refused = await harness.run("count", owner: owner)
                #expect(refused.conclusion == .failed(.otherOwner))
                #expect(refused.worker == nil)
            }
            #expect(await harness.run("count", owner: "maria").alert == "2")
            #expect(await harness.run("count").alert == "2")
        }
    }

    @Test func `a folder that cannot be made costs the notifications that wait, and is tried again`() async throws {
        try await Self.withFolder { folder in
            try await Self.withHarness(folder) { harness in
                let place = folder.path + "/owners"
                #expect(FileManager.default.createFile(atPath: place, contents: nil))
                async let other = harness.run("remember", owner: "maria")
                #expect(await harness.run("remember", owner: "maria").conclusion == .failed(.launchFailed))
                #expect(await other.conclusion == .failed(.launchFailed))
                #expect(await harness.run("remember").alert == "1 0 0 done")
                #expect(unlink(place) == 0)
                #expect(await harness.run("remember", owner: "maria").alert == "1 0 0 done")
            }
        }
    }

    @Test func `notifications that one owner's extension hangs on take no worker from another owner`() async throws {
        try await Self.withHarness(nil, workerLimit: 2) { harness in
            await withTaskGroup(of: Void.self) { group in
                for _ in 0..<5 {
                    group.addTask { _ = await harness.run("hang", wait: .seconds(2), budget: .seconds(6)) }
                }
                await harness.until { $0.workers.count { !$0.requests.isEmpty } == 2 }
                for round in 1...3 {
                    let result = await harness.run("count", owner: "maria", wait: .seconds(20), budget: .seconds(20))
                    #expect(result.alert == "\(round)")
                }
            }
        }
    }
}
