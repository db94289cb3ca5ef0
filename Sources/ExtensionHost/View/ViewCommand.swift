// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import ExtensionBuild
import Foundation
import HostRuntime
import NotificationPayload
import SceneModel
import WorkerSupervisor

struct ViewCommand: HostingCommand {
    static let standardWidth = 360.0
    static let standardLanguage = "en"

    static let configuration = CommandConfiguration(
        commandName: "view",
        abstract: "Opens the view of a content extension for a notification and shows its scene as text.",
        discussion: """
            A payload is an APNs payload as it was delivered; "-" reads standard input. The view is opened in a \
            sandboxed process of its own, one for each payload. Steps are taken in the order of the command line, each \
            once the scene has taken in the one before; the scene is printed at the start and after each step that \
            changed it.

            A control is called by its label or title, by the number that is printed before it, or by its kind where \
            it is alone of that, as slider. "12" is the control of that title if exactly one has it, and else number \
            12; "[12]" is the number where no title reads so. A control that is not there yet is waited for: until \
            the view has shown nothing new for half a second, or for 10 s.

            A program hands steps over with --steps - while the view is open, as JSON a line: {"tap":NAME}, \
            {"set":NAME,"value":VALUE}, {"respond":ACTION,"text":TEXT}, {"media":"play"} or {"show":PAYLOAD}. With \
            --format json it reads the number of the last step, the scene, the calls, and the end or the error, a line \
            for each step and for each scene that came by itself.

            With --serve the view is shown in a browser of this machine: a notification centre and a host run until \
            control-C, and a link to their page is printed. With --watch as well each build is shown there.

            Exit status 0 when every step was possible, everything expected was seen, and the view did not end but by \
            its own call or as ended= expects; 141 when whoever reads the output goes away, as of a program that \
            SIGPIPE ends.

            Examples:
              extension-host view Photo.appex payload.json --tap "Launch app" --expect call=defaultAction
              extension-host view Photo.appex payload.json --set slider=0.342 --expect image.a=0.342
              extension-host view Photo.appex fixtures/*.json --tap Like --expect call=dismiss --junit report.xml
              extension-host view Photo.appex payload.json --watch NotificationViewController/
              extension-host view Photo.appex payload.json --serve --watch NotificationViewController/
            """
    )

    @Argument(help: "The extension's bundle, a folder X.appex.", completion: .directory)
    var bundle: String

    @Argument(help: "The notifications' payloads, JSON files.", completion: .file())
    var payloads: [String]

    @Option(
        help: "Click a control, by its label, title or number, 12 or [12]; may be repeated.",
        transform: { ViewStep(.tap($0)) }
    )
    var tap: [ViewStep] = []

    @Option(
        help: "Give a control a value, NAME=VALUE; may be repeated.",
        transform: { text in
            guard !ViewStep.pairs(text).isEmpty else {
                throw ValidationError("--set \"\(text)\" has no \"=\": write NAME=VALUE")
            }
            return ViewStep(.set(text))
        }
    )
    var set: [ViewStep] = []

    @Option(
        help: "Respond with an action, ACTION or ACTION=TEXT; may be repeated.",
        transform: { text in
            let parts = text.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
            guard let action = parts.first, !action.isEmpty else {
                throw ValidationError("--respond \"\(text)\" names no action: write ACTION or ACTION=TEXT")
            }
            return ViewStep(.respond(action, parts.count > 1 ? parts[1] : nil))
        }
    )
    var respond: [ViewStep] = []

    @Option(help: "What has to be seen at the end: NAME.MEMBER=VALUE, call=NAME or ended=REASON; may be repeated.")
    var expect: [String] = []

    @Option(help: "Take further steps from this file, JSON a line; \"-\" reads standard input.", completion: .file())
    var steps: String?

    @Option(help: "human or json, which prints each state as a line of JSON.")
    var format = ViewFormat.human

    @Option(help: "Write the scene at the end as JSON into this file.", completion: .file())
    var scene: String?

    @Option(help: "Write a report in JUnit's form for a build server.", completion: .file())
    var junit: String?

    @Option(
        help: "A file that the notifications have, a picture, film or sound; may be repeated.",
        completion: .file()
    )
    var attachment: [String] = []

    @Option(help: "The width of the view in points.")
    var width = standardWidth

    @Flag(help: "Show the view in the dark scheme.")
    var dark = false

    @Flag(help: "Show the view from right to left.")
    var rightToLeft = false

    @Option(help: "The language of whoever looks at it.")
    var language = standardLanguage

    @Option(help: "Memory of the view, such as 24MB.")
    var memory = AppConfiguration().contentMemoryByteCount.byteAmount

    @Option(help: "The program that runs the bundle's executable, if that is a script: /usr/bin/python3.")
    var interpreter: String?

    @Option(name: .customLong("view"), help: "A further folder that the extension sees, read-only; may be repeated.")
    var viewFolders: [String] = []

    @Option(help: "Sources to build the bundle from, now and at each change of them; may be repeated.")
    var watch: [String] = []

    @Flag(help: "Show the view in a browser on this machine, by a link that is printed, until control-C.")
    var serve = false

    @Option(help: "Keep what the extension stores in this folder.", completion: .directory)
    var state: String?

    @OptionGroup var sandbox: SandboxOptions

    @OptionGroup var log: LogOptions

    func validate() throws {
        try validateServing()
        guard ViewEnvironment.widths.contains(width) else { throw ValidationError("--width is 280 to 420") }
        guard !payloads.isEmpty else { throw ValidationError("a payload is missing") }
        for (option, isGiven) in [("--scene", scene != nil), ("--steps", steps != nil)] where isGiven {
            guard payloads.count == 1 else { throw ValidationError("\(option) is for one payload") }
        }
        guard attachment.count <= AttachmentOffer.maximumCount else {
            throw ValidationError("a notification has \(AttachmentOffer.maximumCount) attachments at most")
        }
        guard steps != "-" || payloads != ["-"] else {
            throw ValidationError("standard input is the payload or the steps, not both")
        }
        guard watch.isEmpty || (steps != "-" && !payloads.contains("-")) else {
            throw ValidationError("--watch reads its files again at each change, and standard input only once")
        }
    }

    func prepare() throws -> ViewSession {
        signal(SIGPIPE, SIG_IGN)
        try StandardDescriptors.check()
        if serve { try serveUntilEnd() }
        if let sourceWatch { try sourceWatch.repeatForever() }
        let app = try app()
        let expectations = try expect.map { text throws(CommandError) in try ViewExpectation(text) }
        var notifications: [(name: String, payload: Payload)] = []
        for path in payloads {
            let notification = try PushFile(path).delivered(to: app.topic)
            try warn(app, of: notification, named: path)
            notifications.append((path, notification))
        }
        // Before the process gives up the right to read and write elsewhere.
        let source = try steps.map { path throws(CommandError) in try StepLines(path) }
        let attachments = try attachment.map { path throws(CommandError) in try ViewAttachment(path: path) }
        let file = try scene.map { path throws(CommandError) in try ReportFile(path, until: "{}\n") }
        let report = try junit.map { path throws(CommandError) in
            try ReportFile(path, until: JUnitReport.unfinished("view").xml)
        }
        let extensionLog = ExtensionLog(keepsLines: junit != nil)
        let host = try HostComposition(
            apps: [app],
            stateFolder: state.map(RunCommand.absolute),
            sandbox: SandboxChoice(sandbox),
            reportsRefusedCalls: true,
            logger: log.makeLogger(extensionLog: extensionLog)
        )
        return ViewSession(
            host: host,
            app: app,
            notifications: notifications,
            attachments: attachments,
            plan: ViewPlan(
                environment: environment,
                takesInteraction: app.contentBundle?.content?.takesInteraction == true,
                steps: (tap + set + respond).sorted { $0.place < $1.place },
                source: source,
                expectations: expectations,
                format: format,
                file: file,
                extensionLog: extensionLog
            ),
            report: report
        )
    }

    /// A watch of the sources, and of what the notifications are made of and worked by; `nil` where there is none.
    var sourceWatch: SourceWatch? {
        guard !watch.isEmpty else { return nil }
        return SourceWatch(
            sources: watch,
            bundle: bundle,
            files: payloads + [steps].compactMap { $0 } + attachment,
            results: [scene, junit, state].compactMap { $0 }
        )
    }

    /// Says what a page would do otherwise than this command.
    ///
    /// Throws for a category that is no text.
    func warn(_ app: AppConfiguration, of notification: Payload, named name: String) throws(CommandError) {
        if let fault = notification.faultOfCategory {
            throw CommandError(
                "\(name == "-" ? "standard input" : "\"\(name)\"") \(fault)",
                hint: "a category is a text in \"aps\", as UNNotificationExtensionCategory in Info.plist names it"
            )
        }
        guard let content = app.contentBundle?.content else { return }
        let category = notification.aps?["category"]?.string
        guard !content.categories.contains(where: { category?.isWord($0) == true }) else { return }
        let shown = content.categories.map { "\"\($0)\"" }.joined(separator: ", ")
        Terminal.warning(
            "the payload has \(category.map { "the category \"\($0)\"" } ?? "no category"), and the extension shows \(shown)"
        )
    }

    private var environment: ViewEnvironment {
        ViewEnvironment(
            width: width,
            style: dark ? .dark : .light,
            direction: rightToLeft ? .rightToLeft : .leftToRight,
            language: language,
            timeZone: TimeZone.current.identifier
        )
    }

    func app() throws(CommandError) -> AppConfiguration {
        let bundle = try ExtensionBundle(
            path: RunCommand.absolute(bundle),
            point: .content
        )
        if let refusal = WritersOfBundle.own.refusal(of: bundle.path) {
            Terminal.warning("\(refusal.message); \"serve\" refuses it")
        }
        var app = AppConfiguration(topic: bundle.app)
        app.contentBundle = bundle
        app.interpreter = interpreter.map(RunCommand.absolute)
        app.viewFolders = viewFolders.map(RunCommand.absolute)
        if let refusal = app.scriptRefusal(hint: "name the program that runs it: --interpreter /usr/bin/python3") {
            throw refusal
        }
        guard let memory = UInt64(byteAmount: memory), memory >= AppConfiguration.leastMemoryByteCount else {
            throw CommandError("--memory is \"\(memory)\", not a size of 1MB or more", hint: "write 24MB")
        }
        app.contentMemoryByteCount = memory
        return app
    }
}
