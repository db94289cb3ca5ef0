// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import Foundation
import HostRuntime
import NotificationPayload
import Sinks
import WorkerSupervisor

struct RunCommand: HostingCommand {
    static let configuration = CommandConfiguration(
        commandName: "run",
        abstract: "Runs one push through one bundle and prints the delivery record.",
        discussion: """
            The payload is an APNs payload or an .apns file; "-" reads standard input. The app is the bundle's
            identifier without its last component. Exit status 1 when the extension's content was not delivered.

            Example:
              extension-host run Chat.appex payload.json
            """
    )

    @Argument(help: "The extension's bundle, a folder X.appex.", completion: .directory)
    var bundle: String

    @Argument(help: "The push's payload, a JSON file.", completion: .file())
    var payload: String

    @Option(name: .customLong("key"), help: "A key file that opens sealed content; may be repeated.")
    var keys: [String] = []

    @Option(help: "Time for opening and extending, such as 30s.")
    var budget = "30s"

    @Option(help: "How long before its end the extension gets its last call; by default 2s, half of a short budget.")
    var grace: String?

    @Option(help: "Memory of the extension, such as 24MB.")
    var memory = "24MB"

    @Option(help: "The program that runs the bundle's executable, if that is a script: /usr/bin/python3.")
    var interpreter: String?

    @Option(name: .customLong("view"), help: "A further folder that the extension sees, read-only; may be repeated.")
    var viewFolders: [String] = []

    @OptionGroup var sandbox: SandboxOptions

    @OptionGroup var log: LogOptions

    func prepare() throws -> OnePush {
        signal(SIGPIPE, SIG_IGN)
        try StandardDescriptors.check()
        let app = try app()
        let push = try push(for: app)
        let host = try HostComposition(
            apps: [app],
            sandbox: SandboxChoice(sandbox),
            reportsRefusedCalls: true,
            logger: log.makeLogger()
        )
        return OnePush(push: push, host: host)
    }

    private func app() throws(CommandError) -> HostConfiguration.App {
        let bundle = try ExtensionBundle(path: Self.absolute(bundle))
        var app = HostConfiguration.App(topic: bundle.app)
        app.bundle = bundle
        app.keys = keys.map(Self.absolute)
        app.interpreter = interpreter.map(Self.absolute)
        app.viewFolders = viewFolders.map(Self.absolute)
        if let refusal = app.scriptRefusal(hint: "name the program that runs it: --interpreter /usr/bin/python3") {
            throw refusal
        }
        guard let budget = Duration(amount: budget) else {
            throw CommandError("--budget is \"\(budget)\", not a duration", hint: "write 500ms, 30s or 2m")
        }
        app.budget = budget
        app.grace = min(.seconds(2), budget / 2)
        if let text = grace {
            guard let grace = Duration(amount: text), grace < budget else {
                throw CommandError("--grace is \"\(text)\", not a duration shorter than the budget")
            }
            app.grace = grace
        }
        guard let memory = UInt64(byteAmount: memory) else {
            throw CommandError("--memory is \"\(memory)\", not a size", hint: "write 24MB or 512KB")
        }
        app.memoryLimitByteCount = memory
        return app
    }

    private func push(for app: HostConfiguration.App) throws(CommandError) -> IncomingPush {
        let name = payload == "-" ? "standard input" : "\"\(payload)\""
        let data =
            payload == "-"
            ? FileHandle.standardInput.readDataToEndOfFile() : FileManager.default.contents(atPath: payload)
        guard let data else { throw CommandError("\(name) is not readable") }
        var content: Payload
        do {
            content = try Payload(parsing: Array(data).span)
        } catch {
            throw CommandError("\(name) is no payload: \(error)", hint: "a payload is one JSON object with \"aps\"")
        }
        if let target = content["Simulator Target Bundle"]?.string {
            if target != app.topic {
                Terminal.warning("\(name) is for \"\(target)\", the bundle for \"\(app.topic)\"; the bundle counts")
            }
            content["Simulator Target Bundle"] = nil
        }
        guard content.aps != nil else { throw CommandError("\(name) has no object \"aps\"") }
        guard data.count <= PushType.alert.maximumPayloadByteCount else {
            throw CommandError("\(name) has \(data.count) bytes, \(data.count - 4096) more than APNs takes")
        }
        return IncomingPush(
            id: UUID().uuidString.lowercased(),
            deviceToken: "",
            topic: app.topic,
            payload: content,
            payloadByteCount: data.count,
            receivedAt: Date()
        )
    }

    private static func absolute(_ path: String) -> String {
        URL(fileURLWithPath: path).standardizedFileURL.path
    }
}

/// One push through the pipeline, and its record on standard output.
struct OnePush: HostWork {
    let push: IncomingPush
    let host: HostComposition

    func run() async throws {
        defer { host.folder.remove() }
        if let warning = SandboxChoice.warning(of: host.launcher) { Terminal.warning(warning) }
        for warning in host.networkWarnings { Terminal.warning(warning) }
        let record = try await withThrowingTaskGroup(of: Void.self) { group in
            defer { group.cancelAll() }
            group.addTask(executorPreference: host.supervisor.loop) { await host.deadlines.run() }
            try await host.start()
            let record = await host.pipeline.conclude(push)
            await host.end()
            return record
        }
        try await StdoutSink().deliver(record)
        guard record.outcome.isExtensions else {
            if case .original(.notMutable) = record.outcome {
                Terminal.note("the push does not run an extension: it needs \"mutable-content\": 1 and an alert in aps")
            }
            throw ExitCode.refused
        }
    }
}

extension Outcome {
    /// The extension had its say.
    fileprivate var isExtensions: Bool {
        switch self {
        case .modified, .suppressed(.filtered): true
        case .opened, .original, .suppressed(.expired): false
        }
    }
}
