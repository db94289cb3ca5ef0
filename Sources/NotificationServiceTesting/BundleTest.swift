// SPDX-License-Identifier: Apache-2.0

import Foundation
import NotificationPayload
import UserNotifications

/// Tests a built bundle in its sandbox, with the real budget: `extension-host run` for a test's expectations.
///
/// ```swift
/// let result = try await BundleTest("Chat.appex").run(#"{"aps": {"alert": "Hi", "mutable-content": 1}}"#)
/// #expect(result.outcome == .modified)
/// ```
/// The bundle of a content extension is shown in place of run: ``show(_:)``.
public struct BundleTest: Sendable {
    let bundle: String
    let host: String
    let options: [String]

    /// A test of the bundle at a path.
    ///
    /// `host` is the program `extension-host`, by default what the environment's `EXTENSION_HOST` says, or else the one
    /// on `PATH`; `options` are further ones of `extension-host run`, such as
    /// `["--budget", "3s", "--seal-with", "recipient.key"]`, or of `extension-host view` for a content extension.
    public init(_ bundle: String, host: String? = nil, options: [String] = []) {
        self.bundle = bundle
        self.host = host ?? ProcessInfo.processInfo.environment["EXTENSION_HOST"] ?? "extension-host"
        self.options = options
    }

    /// Hands a push, the JSON of an APNs payload, to the extension and waits for its record.
    ///
    /// Throws `BundleProblem` for an option whose part the test has, such as `--format`, and when there is no record,
    /// with what `extension-host` said.
    public func run(_ payload: String) async throws -> ServiceResult {
        try refuse(Self.takenByRun, of: "run(_:)")
        let (output, errors) = try await Self.run(
            [host, "run", bundle, "-", "--format", "json"] + options,
            input: payload
        )
        guard let record = try? JSONObject(parsing: Array(output.utf8).span),
            let outcome = record["outcome"]?.string.flatMap(ServiceResult.Outcome.init(rawValue:)),
            let content = record["payload"]?.object
        else { throw BundleProblem(description: errors.isEmpty ? "\(host) ended without a record" : errors) }
        return ServiceResult(
            outcome: outcome,
            reason: record["reason"]?.string,
            isLate: record["late"]?.bool ?? false,
            content: UNNotificationContent(payload: Payload(content)),
            attachments: record["attachments"]?.array?.compactMap { $0.object?["identifier"]?.string } ?? [],
            completionCount: outcome == .modified ? 1 : 0
        )
    }

    /// The options whose part the test itself has, each with what a test does in its place.
    private static let takenByRun = [
        "--expect": "expect it of the result that it returns",
        "--format": "take the record from the result that it returns",
        "--times": "call it as often as is wanted",
        "--junit": "take the report of the test run, or call extension-host run",
        "--watch": "build the bundle before the test, or call extension-host run",
    ]

    /// Throws `BundleProblem` for an option that a function has no use for; `taken` says what to do in its place.
    func refuse(_ taken: [String: String], of function: String) throws(BundleProblem) {
        for option in options {
            let name = option.prefix { $0 != "=" }
            guard let advice = taken[String(name)] else { continue }
            throw BundleProblem(description: "\(name) is no option of \(function), which has its part; \(advice)")
        }
    }

    /// Runs a command on a thread of its own: it takes as long as the budget.
    private static func run(_ command: [String], input: String) async throws -> (output: String, errors: String) {
        try await withCheckedThrowingContinuation { continuation in
            Thread.detachNewThread {
                continuation.resume(with: Result { try runBlocking(command, input: input) })
            }
        }
    }

    /// A lock around the start of a child: tests run beside each other, and a child of `Process` inherits the pipes
    /// that another thread makes meanwhile, so that an input held open by another child ends no sooner than that child.
    static let starting = NSLock()

    private static func runBlocking(_ command: [String], input: String) throws -> (output: String, errors: String) {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
        process.arguments = command
        // Files, so that a program that says much does not wait for who reads its output first, and one that ends
        // before it has read all of its input does not end this process with SIGPIPE.
        let errors = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
        try Data().write(to: errors)
        defer { try? FileManager.default.removeItem(at: errors) }
        process.standardError = try FileHandle(forWritingTo: errors)
        let given = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
        try Data(input.utf8).write(to: given)
        defer { try? FileManager.default.removeItem(at: given) }
        process.standardInput = try FileHandle(forReadingFrom: given)
        let stdout = try starting.withLock {
            let stdout = Pipe()
            process.standardOutput = stdout
            try process.run()
            return stdout
        }
        let output = stdout.fileHandleForReading.readDataToEndOfFile()
        process.waitUntilExit()
        let said = try String(contentsOf: errors, encoding: .utf8)
        return (String(decoding: output, as: UTF8.self), said.trimmingCharacters(in: .newlines))
    }
}

/// The reason for which a bundle's test has no record.
public struct BundleProblem: Error, Equatable, CustomStringConvertible {
    /// A sentence for people that says what failed: the errors of the host, or that it ended without a word.
    public let description: String
}
