// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import Foundation
import HostRuntime
import NotificationPayload
import WorkerSupervisor

struct RunCommand: HostingCommand {
    static let configuration = CommandConfiguration(
        commandName: "run",
        abstract: "Runs pushes through one bundle and shows what its user would see.",
        discussion: """
            A payload is an APNs payload or an .apns file; "-" reads standard input. The app is the bundle's identifier \
            without its last component. On a terminal each push is shown as a notification with its times and what the \
            extension logged; elsewhere its delivery record is printed as a line of JSON.

            Exit status 0 when every push ended as expected: with the extension's content, or as --expect says; 141 \
            when whoever reads the output goes away, as of a program that SIGPIPE ends.

            Examples:
              extension-host run Chat.appex payload.json --seal-with keys-example/recipient.key
              extension-host run Chat.appex fixtures/*.apns --times 100 --parallel 8 --junit report.xml
              extension-host run Chat.appex payload.json --watch NotificationService/
            """
    )

    @Argument(help: "The extension's bundle, a folder X.appex.", completion: .directory)
    var bundle: String

    @Argument(help: "The pushes' payloads, JSON files.", completion: .file())
    var payloads: [String]

    @Option(name: .customLong("key"), help: "A key file that opens sealed content; may be repeated.")
    var keys: [String] = []

    @Option(
        name: .customLong("sender"),
        help: "The public key of a sender who is known, as \"seal-payload keygen\" prints it; may be repeated."
    )
    var senders: [String] = []

    @Option(help: "Seal each payload for this key file first, and open it with it.", completion: .file())
    var sealWith: String?

    @Option(help: "The extension's time for one push, from when a worker takes it, such as 30s.")
    var budget = AppConfiguration().budget.amount

    @Option(help: "How long before its end the extension gets its last call; by default 2s, half of a short budget.")
    var grace: String?

    @Option(help: "How long a push waits for a worker at most.")
    var wait = AppConfiguration().wait.amount

    @Option(help: "How many workers serve at once at most; more pushes under way than these can take wait.")
    var workers = AppConfiguration().workerLimit

    @Option(help: "Memory of each worker, such as 24MB.")
    var memory = AppConfiguration().memoryLimitByteCount.byteAmount

    @Option(help: "How often each payload is pushed.")
    var times = 1

    @Option(help: "How many pushes are under way at once.")
    var parallel = 1

    @Option(help: "The outcome or reason that each push has to end with, such as modified, suppressed or crashed.")
    var expect: String?

    @Option(help: "human or json; by default human on a terminal.")
    var format: RunFormat?

    @Option(help: "Write a report in JUnit's form for a build server.", completion: .file())
    var junit: String?

    @Option(help: "Sources to build the bundle from, now and at each change of them; may be repeated.")
    var watch: [String] = []

    @Option(help: "Keep what the extension stores and attaches in this folder.", completion: .directory)
    var state: String?

    @Option(help: "The program that runs the bundle's executable, if that is a script: /usr/bin/python3.")
    var interpreter: String?

    @Option(name: .customLong("view"), help: "A further folder that the extension sees, read-only; may be repeated.")
    var viewFolders: [String] = []

    @Option(help: "The app's bundle or a folder of its localized texts; by default the bundle.", completion: .directory)
    var strings: String?

    @Option(help: "The language of texts that a push names by key; by default the bundle's own.")
    var language: String?

    @OptionGroup var sandbox: SandboxOptions

    @OptionGroup var log: LogOptions

    func validate() throws {
        guard !payloads.isEmpty else { throw ValidationError("a payload is missing") }
        guard (1...100_000).contains(times) else { throw ValidationError("--times is 1 to 100000") }
        guard (1...1000).contains(parallel) else { throw ValidationError("--parallel is 1 to 1000") }
        guard (1...512).contains(workers) else { throw ValidationError("--workers is 1 to 512") }
        if let expect, !Expectation.names.contains(expect) {
            throw ValidationError(
                "--expect \"\(expect)\" is no outcome and no reason; known are \(Expectation.names.joined(separator: ", "))"
            )
        }
    }

    func prepare() throws -> PushRun {
        signal(SIGPIPE, SIG_IGN)
        try StandardDescriptors.check()
        if !watch.isEmpty {
            let results = [junit, state].compactMap { $0 }
            try SourceWatch(sources: watch, bundle: bundle, files: payloads, results: results).repeatForever()
        }
        let app = try app()
        var pushes: [NamedPush] = []
        for name in payloads {
            let file = try PushFile(name)
            let push =
                try sealWith.map { key throws(CommandError) in try file.sealed(for: key, app: app.topic) } ?? file
            pushes += try push.pushes(for: app.topic, times: times)
            if app.keys.isEmpty, pushes.last?.push.payload.encryptedContent != nil {
                Terminal.warning("\"\(name)\" is sealed, and nothing opens it here: --key names a key that does")
            }
        }
        let format = format ?? (isatty(STDOUT_FILENO) == 1 ? .human : .json)
        let extensionLog = ExtensionLog(keepsLines: format == .human || junit != nil)
        // Before the process gives up the right to write elsewhere.
        let report = try junit.map { path throws(CommandError) in
            try ReportFile(path, until: JUnitReport.unfinished("run").xml)
        }
        let host = try HostComposition(
            apps: [app],
            stateFolder: state.map(Self.absolute),
            sandbox: SandboxChoice(sandbox),
            reportsRefusedCalls: true,
            logger: log.makeLogger(extensionLog: extensionLog)
        )
        return PushRun(
            pushes: pushes,
            parallel: parallel,
            host: host,
            expectation: Expectation(expect),
            format: format,
            report: report,
            extensionLog: extensionLog,
            app: app
        )
    }

    private func app() throws(CommandError) -> AppConfiguration {
        let bundle = try ExtensionBundle(path: Self.absolute(bundle))
        // Whoever tries an extension out has often just unpacked or built it; what is at stake is this one run.
        if let refusal = WritersOfBundle.own.refusal(of: bundle.path) {
            Terminal.warning("\(refusal.message); \"serve\" refuses it")
        }
        var app = AppConfiguration(topic: bundle.app)
        app.bundle = bundle
        app.keys = (keys + (sealWith.map { [$0] } ?? [])).map(Self.absolute)
        app.senders = senders.map { .init(publicKey: $0, name: $0) }
        guard senders.isEmpty || !app.keys.isEmpty else {
            throw CommandError("--sender is of no use without a key", hint: "name the key that opens with --key")
        }
        app.interpreter = interpreter.map(Self.absolute)
        app.viewFolders = viewFolders.map(Self.absolute)
        if let refusal = app.scriptRefusal(hint: "name the program that runs it: --interpreter /usr/bin/python3") {
            throw refusal
        }
        guard let budget = Duration(amount: budget) else {
            throw CommandError("--budget is \"\(budget)\", not a duration", hint: "write 500ms, 30s or 2m")
        }
        app.budget = budget
        app.shortenGrace()
        if let text = grace {
            guard let grace = Duration(amount: text), grace < budget else {
                throw CommandError("--grace is \"\(text)\", not a duration shorter than the budget")
            }
            app.grace = grace
        }
        guard let wait = Duration(amount: wait) else {
            throw CommandError("--wait is \"\(wait)\", not a duration", hint: "write 500ms, 30s or 2m")
        }
        app.wait = wait
        app.workerLimit = workers
        guard let memory = UInt64(byteAmount: memory), memory >= AppConfiguration.leastMemoryByteCount else {
            throw CommandError("--memory is \"\(memory)\", not a size of 1MB or more", hint: "write 24MB")
        }
        app.memoryLimitByteCount = memory
        app.language = language
        try app.readTexts(of: strings.map(Self.absolute))
        return app
    }

    static func absolute(_ path: String) -> String {
        URL(fileURLWithPath: path).standardizedFileURL.path
    }
}

/// The output format of `run`.
enum RunFormat: String, ExpressibleByArgument, CaseIterable {
    case human, json
}
