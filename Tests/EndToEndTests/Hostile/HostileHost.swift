// SPDX-License-Identifier: Apache-2.0

import Foundation
import Glibc
import HostTesting
import NotificationPayload

/// A real host with three apps: one that attacks, the same with a process for each notification, and another one.
final class HostileHost: Sendable {
    static let attacker = "com.example.attacker"
    static let once = "com.example.once"
    static let other = "com.example.other"
    static let budget = Duration.milliseconds(700)
    /// The tolerance of the budget, by which a worker may be killed too early.
    static let exactness = Duration.milliseconds(100)
    /// The budget that the app `once` has more.
    ///
    /// A budget begins when a worker takes its push, and on two processors with
    /// much else to do sixty-four pushes are taken later than one that was posted behind them.
    static let lead = Duration.milliseconds(400)

    let host: RunningHost
    let profile: Character
    let folder: TemporaryFolder
    /// A process of the other app's.
    let otherWorker: Int64

    /// An ordinary user: nobody has that number.
    static let user: uid_t = 65_000

    /// Runs `body` with a host in that profile; nil when the machine does not offer it.
    ///
    /// `user` is who the host runs as, if not who runs the tests.
    static func with<Result>(
        _ worker: HostileWorker,
        profile: Character,
        user: uid_t?,
        _ body: (HostileHost) async throws -> Result
    ) async throws -> Result? {
        try await TemporaryFolder.with { folder in
            let host = try await start(
                worker,
                in: folder,
                user: user,
                options: ["--profile", "\(profile)", "--insecure"]
            )
            defer { kill(host.process, SIGKILL) }
            let record = try await deliver("ordinary", to: other, on: host)
            guard let record, record.profile == profile, let pid = record.record.workerProcess else { return nil }
            let hostile = HostileHost(host: host, profile: profile, folder: folder, otherWorker: pid)
            try Data("secret".utf8).write(to: URL(fileURLWithPath: hostile.otherSecret))
            return try await body(hostile)
        }
    }

    private init(host: RunningHost, profile: Character, folder: TemporaryFolder, otherWorker: Int64) {
        self.host = host
        self.profile = profile
        self.folder = folder
        self.otherWorker = otherWorker
    }

    static func start(
        _ worker: HostileWorker,
        in folder: TemporaryFolder,
        user: uid_t? = nil,
        wrapper: [String] = [],
        options: [String]
    ) async throws -> RunningHost {
        let apps = try [(attacker, "app"), (once, "notification"), (other, "app")].map { topic, isolation in
            let bundle = try TemporaryFolder(path: folder.path + "/" + topic).makeBundle(
                worker.rawValue,
                program: Programs.folder + "/" + worker.rawValue,
                attributes: "<key>MaxConcurrentRequests</key><integer>64</integer>",
                app: topic
            )
            return """
                  - topic: \(topic)
                    device-tokens: [\((0..<64).map { "\"" + token(of: topic, device: $0) + "\"" }.joined(separator: ", "))]
                    extension: \(bundle)
                    isolation: \(isolation)
                    budget: \(Int((topic == once ? budget + lead : budget) / .milliseconds(1)))ms
                    grace: 300ms
                    memory: 24MB
                    scratch: 1MB
                """
        }
        let file = try folder.write(
            "listen: { apns: { port: 0, plaintext: true } }\nstate: ./state\napps:\n" + apps.joined(separator: "\n")
                + "\n",
            to: "host.yaml"
        )
        // In C apps with users of their own go through it to what they store.
        let state = folder.path + "/state"
        mkdir(state, 0o700)
        chmod(state, user == nil && geteuid() == 0 ? 0o711 : 0o700)
        if let user { chown(state, user, user) }
        guard let user else {
            return try await RunningHost(
                configuration: file,
                command: wrapper + [Programs.extensionHost],
                options: options
            )
        }
        // From copies that this user can reach, beside each other as the host wants them.
        for name in ["extension-host", "worker-launcher", "payload-opener"] {
            // A child that is being started would hold the copy open for writing, and nobody could run it.
            try ProcessStart.alone {
                try FileManager.default.copyItem(atPath: Programs.folder + "/" + name, toPath: folder.path + "/" + name)
            }
        }
        chown(folder.path, user, user)
        let command = ["/usr/bin/setpriv", "--reuid=\(user)", "--regid=\(user)", "--clear-groups"]
        return try await RunningHost(
            configuration: file,
            command: wrapper + command + [folder.path + "/extension-host"],
            options: options
        )
    }

    /// Delivers one push that asks for an attempt.
    ///
    /// The budget is short, for hundreds of attempts: what this machine held up is asked again, unless it is
    /// `expected`.
    func deliver(
        _ attempt: String,
        to topic: String = attacker,
        expecting expected: Set<String> = ["done"]
    ) async throws -> HostileRecord? {
        try await Self.deliver(attempt, to: topic, expecting: expected, on: host)
    }

    private static func deliver(
        _ attempt: String,
        to topic: String,
        expecting expected: Set<String> = ["done"],
        on host: RunningHost
    ) async throws -> HostileRecord? {
        var record: HostileRecord?
        for _ in 0..<5 {
            record = try await deliverOnce(attempt, to: topic, on: host)
            guard let outcome = record?.outcome, HostAttempt.heldUp.contains(outcome), !expected.contains(outcome)
            else { break }
        }
        return record
    }

    private static func deliverOnce(
        _ attempt: String,
        to topic: String,
        on host: RunningHost
    ) async throws -> HostileRecord? {
        let status = try await host.post(body(attempt), topic: topic, token: token(of: topic))
        guard status == 200 else { throw CocoaError(.userCancelled, userInfo: ["status": status ?? 0]) }
        return try await host.nextRecord().map(HostileRecord.init)
    }

    /// Posts without waiting for the record; a device has one push at work, so there are several.
    func post(
        _ attempt: String,
        to topic: String = attacker,
        device: Int = 0,
        filler: Int = 0,
        headers: [String] = []
    ) async throws {
        let body = Self.body(attempt, filler: filler)
        _ = try await host.post(body, topic: topic, token: Self.token(of: topic, device: device), headers: headers)
    }

    /// A device of the app's own.
    private static func token(of topic: String, device: Int = 0) -> String {
        let app = topic == attacker ? 1 : topic == once ? 2 : 3
        let number = String(app * 256 + device, radix: 16)
        return String(RunningHost.token.dropLast(number.count)) + number
    }

    private static func body(_ attempt: String, filler: Int = 0) -> String {
        var payload = Payload(["aps": ["alert": ["title": "given", "body": "text"], "mutable-content": 1]])
        payload["attempt"] = .string(attempt)
        if filler > 0 { payload["filler"] = .string(String(repeating: "x", count: filler)) }
        return String(decoding: payload.serialized, as: UTF8.self)
    }

    /// The path of the other app's stored secret, as the host sees it.
    var otherSecret: String { folder.path + "/state/apps/\(Self.other)/home/secret" }

    var descriptorCount: Int {
        (try? FileManager.default.contentsOfDirectory(atPath: "/proc/\(host.process)/fd").count) ?? 0
    }

    /// Descriptors of the host once they are so few again, or after a hundred more notifications: a process that ends
    /// takes its own with it some notifications later.
    func descriptorCount(atMost limit: Int) async throws -> Int {
        for _ in 0..<100 where descriptorCount > limit { _ = try await deliver("ordinary") }
        return descriptorCount
    }

    /// The anonymous resident memory of the host itself, in KiB; 0 when it cannot be read.
    var memory: Int {
        let text = (try? String(contentsOfFile: "/proc/\(host.process)/status", encoding: .utf8)) ?? ""
        let line = text.split(separator: "\n").first { $0.hasPrefix("RssAnon:") }
        return line.flatMap { Int($0.filter(\.isNumber)) } ?? 0
    }
}

/// The delivery record of one push to a hostile worker.
struct HostileRecord {
    let record: Record

    var id: String { record.object["id"]?.string ?? "" }
    var topic: String { record.object["topic"]?.string ?? "" }

    /// The body that came back, or why none did; with the signal when a filter killed.
    var outcome: String {
        if record.outcome == "modified" { return record.alert?["body"]?.string ?? "nothing" }
        guard record.reason == "crashed", record.object["signal"]?.integer == 31 else { return record.reason ?? "?" }
        return "crashed-31"
    }

    /// Letter and number of filters, as the record has them.
    var sandbox: String { record.object["worker"]?.object?["sandbox"]?.string ?? "" }
    var profile: Character? { sandbox.first }
    /// The time that the push took in the host from the moment in which a process could take it.
    ///
    /// The host's clock measures it as it measures the budget: the waits of curl and the test for a processor do not
    /// count.
    var timeAtWork: Duration? { timing("totalMicroseconds").map { $0 - timeBeforeWork } }
    /// The time for which the push waited for a process.
    var timeBeforeWork: Duration { timing("waitMicroseconds") ?? .zero }

    private func timing(_ name: String) -> Duration? {
        record.object["timings"]?.object?[name]?.integer.map { .microseconds($0) }
    }

    var peakByteCount: Int64 { record.object["worker"]?.object?["peakMemoryBytes"]?.integer ?? 0 }
}
