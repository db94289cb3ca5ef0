// SPDX-License-Identifier: Apache-2.0

import Foundation
import Synchronization

/// `extension-host serve` with one app: the examples' keys and a bundle.
struct HostProcess {
    let pid: Int32
    let port: Int
    /// The path of its host.yaml.
    let configuration: String
    /// Records; belongs to whoever reads them.
    let output: CInt

    /// Runs a host while `body` runs; afterwards it drains, and must end well.
    static func with<Result>(_ setting: Setting, _ body: (HostProcess) async throws -> Result) async throws -> Result {
        let folder = NSTemporaryDirectory() + "path-bench-\(UUID().uuidString)"
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let configuration = folder + "/host.yaml"
        try yaml(setting).write(toFile: configuration, atomically: true, encoding: .utf8)

        let child = Process()
        child.executableURL = URL(fileURLWithPath: setting.programs + "/extension-host")
        child.arguments = ["serve", "--config", configuration] + (setting.isUnconfined ? ["--insecure"] : [])
        let (input, records, notes) = (Pipe(), Pipe(), Pipe())
        child.standardInput = input
        child.standardOutput = records
        child.standardError = notes
        try child.run()
        let said = Notes(notes.fileHandleForReading)
        do {
            let host = HostProcess(
                pid: child.processIdentifier,
                port: try await said.port,
                configuration: configuration,
                output: dup(records.fileHandleForReading.fileDescriptor)
            )
            let result = try await body(host)
            // The host drains at the end of its input, which also comes when this process is killed.
            try input.fileHandleForWriting.close()
            child.waitUntilExit()
            guard child.terminationReason == .exit, child.terminationStatus == 0 else {
                throw BenchError("extension-host ended with \(child.terminationStatus)")
            }
            return result
        } catch {
            child.terminate()
            throw BenchError("\(error); the host said: \(said.text)")
        }
    }

    /// Runs several hosts while `body` runs; afterwards each drains, and must end well.
    static func with<Result>(
        _ settings: some Collection<Setting>,
        _ body: ([HostProcess]) async throws -> Result
    ) async throws -> Result {
        guard let first = settings.first else { return try await body([]) }
        return try await with(first) { host in
            try await with(Array(settings.dropFirst())) { others in try await body([host] + others) }
        }
    }

    private static func yaml(_ setting: Setting) throws -> String {
        let sender = try String(contentsOfFile: setting.keys + "/sender.pub", encoding: .utf8)
        let tokens = setting.tokens.map { "\"\($0)\"" }.joined(separator: ", ")
        return """
            listen: { apns: { port: 0, plaintext: true }, ndjson: { stdin: true } }
            state: state
            \(fleet(setting.fleet))
            apps:
              - topic: \(Setting.topic)
                device-tokens: [\(tokens)]
                extension: \(setting.bundle)
                keys: [\(setting.keys)/recipient.key]
                senders: [{ public-key: \(sender.trimmingCharacters(in: .whitespacesAndNewlines)), name: chat-server }]
            """
    }
}

extension HostProcess {
    private static func fleet(_ membership: Membership?) -> String {
        guard let membership else { return "" }
        let database = membership.database.replacing("\\", with: "\\\\").replacing("\"", with: "\\\"")
        return "fleet: { database: \"\(database)\", key: \(membership.key), host: \(membership.host) }"
    }
}

/// The text that a host writes to standard error, read by a thread of its own.
private final class Notes: Sendable {
    private let state = Mutex("")
    private let arrivals: AsyncStream<Void>

    init(_ handle: FileHandle) {
        let (arrivals, arrival) = AsyncStream<Void>.makeStream(bufferingPolicy: .bufferingNewest(1))
        self.arrivals = arrivals
        Thread.detachNewThread {
            while true {
                let piece = handle.availableData
                guard !piece.isEmpty else { return arrival.finish() }
                self.state.withLock { $0 += String(decoding: piece, as: UTF8.self) }
                arrival.yield()
            }
        }
    }

    var text: String { state.withLock { $0 } }

    /// Waits for the line that tells it; asked once.
    var port: Int {
        get async throws {
            for await _ in arrivals {
                let text = text
                guard let address = text.range(of: "listening for APNs requests on 127.0.0.1:") else { continue }
                let digits = text[address.upperBound...].prefix { $0.isNumber }
                if digits.endIndex < text.endIndex, let port = Int(digits) { return port }
            }
            throw BenchError("extension-host ended before it listened")
        }
    }
}
