// SPDX-License-Identifier: Apache-2.0

import Foundation
import HostTesting
import NotificationPayload
import Testing

/// `extension-host view` over the view in Python, as its author runs it.
@Suite(.timeLimit(.minutes(10)))
struct ViewCommandTests {
    private static let example = Programs.root + "/Examples/python-view"
    private static let payload =
        #"{"aps":{"alert":{"title":"Alice","body":"A photo"},"category":"photo"}}"#

    /// The example's bundle, with its source changed.
    private func bundle(in folder: TemporaryFolder, _ change: (String) -> String = { $0 }) throws -> String {
        let bundle = folder.path + "/Photo.appex"
        try FileManager.default.createDirectory(atPath: bundle, withIntermediateDirectories: true)
        try FileManager.default.copyItem(atPath: Self.example + "/Info.plist", toPath: bundle + "/Info.plist")
        let source = try String(contentsOfFile: Self.example + "/view.py", encoding: .utf8)
        try change(source).write(toFile: bundle + "/view.py", atomically: true, encoding: .utf8)
        try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: bundle + "/view.py")
        return bundle
    }

    private func view(_ bundle: String, _ options: String...) async throws -> CommandResult {
        try await CommandResult.run(
            Programs.extensionHost,
            ["view", "--interpreter", "/usr/bin/python3", bundle, "-"] + options,
            input: Self.payload
        )
    }

    private static let crashed = """
        extension-host: error: the view ended as crashed
        extension-host: hint: with --log-level debug the log has what it printed

        """

    private static let scene = [
        "  Alice", "  (picture: Picture)", "  [1] Opacity [########] 1", "  [2] Launch app  [3] Dismiss  [4] Remove",
    ]

    @Test(arguments: ["A", "B", "C"]) func `a view is shown in each profile`(profile: String) async throws {
        try await TemporaryFolder.with { folder in
            let result = try await view(try bundle(in: folder), "--profile", profile)
            #expect(result.status == 0, "\(result.errors)")
            #expect(result.lines == Self.scene)
        }
    }

    @Test func `steps are taken in their order, and what was expected is seen`() async throws {
        try await TemporaryFolder.with { folder in
            let file = folder.path + "/scene.json"
            let result = try await view(
                try bundle(in: folder),
                "--set",
                "slider=0.342",
                "--respond",
                "like",
                "--set",
                "Opacity=0.25",
                "--tap",
                "Launch app",
                "--expect",
                "Picture.a=0.25",
                "--expect",
                "slider.value=0.25",
                "--expect",
                "call=doNotDismiss",
                "--expect",
                "call=defaultAction",
                "--expect",
                "ended=dismissed",
                "--scene",
                file
            )
            #expect(result.status == 0, "\(result.errors)")
            let calls = "calls: doNotDismiss"
            #expect(
                result.lines == Self.scene + ["> set slider=0.342"] + faded(34, "###-----", "0.342")
                    + ["> respond like"] + faded(34, "###-----", "0.342") + [calls]
                    + ["> set Opacity=0.25"] + faded(25, "##------", "0.25") + [calls]
                    + ["> tap \"Launch app\""] + faded(25, "##------", "0.25")
                    + [calls + ", defaultAction", "ended: dismissed"]
            )
            let written = try JSONObject(parsing: Array(Data(contentsOf: URL(fileURLWithPath: file))).span)
            #expect(written["set"]?.array?.count == 8)
        }
    }

    private func faded(_ percent: Int, _ bar: String, _ value: String) -> [String] {
        ["  Alice", "  (picture: Picture, \(percent) %)", "  [1] Opacity [\(bar)] \(value)", Self.scene[3]]
    }

    @Test func `what is not as expected is said, each on a line, and fails`() async throws {
        try await TemporaryFolder.with { folder in
            let result = try await view(
                try bundle(in: folder),
                "--expect",
                "Picture.a=0.5",
                "--expect",
                "call=dismiss",
                "--expect",
                "ended=closed",
                "--expect",
                "Film.a=1",
                "--expect",
                "Picture.opacity=absent"
            )
            #expect(result.status == 1)
            #expect(
                result.errors.split(separator: "\n").map(String.init) == [
                    "extension-host: error: expected Picture.a=0.5, but it is absent",
                    "extension-host: error: expected call=dismiss, but calls were: none",
                    "extension-host: error: expected ended=closed, but the view is open",
                    "extension-host: error: expected Film.a=1, but no node is \"Film\"",
                    "extension-host: error: expected Picture.opacity=absent, but image nodes have no member \"opacity\"",
                ]
            )
        }
    }

    @Test(
        arguments: [
            (
                ["--tap", "Fly"], 1,
                """
                extension-host: error: the scene has no control "Fly"
                extension-host: hint: controls are called by their label, title or number, as the scene shows them

                """
            ),
            (
                ["--set", "slider=7"], 1,
                """
                extension-host: error: the scene does not take set slider=7: the control cannot have that value
                extension-host: hint: it has 0 to 1

                """
            ),
            (
                ["--set", "slider=much"], 1,
                """
                extension-host: error: "much" is no value of "slider"
                extension-host: hint: write a number, such as 0.4

                """
            ),
            (
                ["--expect", "call"], 1,
                """
                extension-host: error: --expect "call" has no "="
                extension-host: hint: write NAME.MEMBER=VALUE, call=NAME or ended=REASON: --expect image.a=0.342 --expect \
                call=dismiss

                """
            ),
        ] as [([String], Int32, String)]
    )
    func `a step that is not possible is an error with a reason`(
        options: [String],
        status: Int32,
        errors: String
    ) async throws {
        try await TemporaryFolder.with { folder in
            let result = try await CommandResult.run(
                Programs.extensionHost,
                ["view", "--interpreter", "/usr/bin/python3", try bundle(in: folder), "-"] + options,
                input: Self.payload
            )
            #expect(result.status == status)
            #expect(result.errors == errors)
        }
    }

    @Test func `an equals sign may stand in a name and in a value, and what a view forges is escaped`() async throws {
        try await TemporaryFolder.with { folder in
            let bundle = try bundle(in: folder) { source in
                source.replacing("\"label\": \"Opacity\"", with: "\"label\": \"a=b\"")
                    .replacing("\"label\": \"Picture\"", with: "\"label\": \"1=1\\u001b[2J\"")
            }
            let result = try await view(
                bundle,
                "--set",
                "a=b=0.5",
                "--expect",
                "a=b.value=0.5",
                "--expect",
                "image.label=none"
            )
            #expect(result.status == 1)
            #expect(
                result.errors
                    == "extension-host: error: expected image.label=none, but it is 1=1\\u{1b}[2J\n"
            )
            #expect(result.lines.contains("  (picture: 1=1\\u{1b}[2J)"))
            #expect(result.lines.last == "  [2] Launch app  [3] Dismiss  [4] Remove")
            #expect(result.lines.contains("  [1] a=b [####----] 0.5"))
        }
    }

    @Test func `a view reaches the hosts that its bundle lists, and without a list none`() async throws {
        try await TemporaryFolder.with { folder in
            try await WebServer.with(folder) { server in
                let address = "http://127.0.0.1:\(server.port)"
                let bundle = try bundle(in: folder) { source in
                    source.replacing(
                        "title_of(body[\"notification\"])",
                        with: "fetched(\"\(address)/view\")"
                    ).replacing(
                        "class View:",
                        with: """
                            def fetched(address):
                                from urllib.request import urlopen
                                try:
                                    return urlopen(address, timeout=4).read().decode()
                                except OSError:
                                    return "no network"


                            class View:
                            """
                    )
                }
                let alone = try await view(bundle)
                #expect(alone.lines.first == "  no network", "\(alone.errors)")
                let plist = try String(contentsOfFile: bundle + "/Info.plist", encoding: .utf8)
                try plist.replacing(
                    "<key>UNNotificationExtensionCategory</key>",
                    with: "<key>NetworkHosts</key><array><string>\(address)</string></array>"
                        + "<key>UNNotificationExtensionCategory</key>"
                ).write(toFile: bundle + "/Info.plist", atomically: true, encoding: .utf8)
                let granted = try await view(bundle)
                #expect(granted.lines.first == "  hello /view", "\(granted.errors)")
            }
        }
    }

    @Test func `a crash behind the last step is said`() async throws {
        try await TemporaryFolder.with { folder in
            let bundle = try bundle(in: folder) { source in
                source.replacing(
                    "        send(self.host, VIEW_SCENE, number, update)\n",
                    with: """
                                send(self.host, VIEW_SCENE, number, update)
                                os.abort()

                        """
                ).replacing("import json\n", with: "import json\nimport os\n")
            }
            let result = try await view(bundle, "--set", "slider=0.5")
            #expect(result.status == 1)
            #expect(result.errors.contains(Self.crashed), "\(result.errors)")
        }
    }

    @Test func `a step behind the end is an error, and so is an end that nobody expected`() async throws {
        try await TemporaryFolder.with { folder in
            let example = try bundle(in: folder)
            let behind = try await view(
                example,
                "--tap",
                "Dismiss",
                "--tap",
                "Launch app",
                "--expect",
                "ended=dismissed"
            )
            #expect(behind.status == 1)
            #expect(behind.errors == "extension-host: error: the view ended as dismissed before tap \"Launch app\"\n")
        }
        try await TemporaryFolder.with { folder in
            let crashing = try bundle(in: folder) { source in
                source.replacing("view.opened(number, body)", with: "os.abort()")
                    .replacing("import json\n", with: "import json\nimport os\n")
            }
            let result = try await view(crashing)
            #expect(result.status == 1)
            #expect(result.lines == ["ended: crashed"])
            #expect(result.errors.contains(Self.crashed), "\(result.errors)")
        }
    }

    @Test func `a view without interaction takes no clicks, and a foreign category is said`() async throws {
        try await TemporaryFolder.with { folder in
            let bundle = try bundle(in: folder)
            let plist = try String(contentsOfFile: bundle + "/Info.plist", encoding: .utf8)
            try plist.replacing("<true/>", with: "<false/>")
                .write(toFile: bundle + "/Info.plist", atomically: true, encoding: .utf8)
            let clicked = try await view(bundle, "--tap", "Launch app")
            #expect(clicked.status == 1)
            #expect(
                clicked.errors == """
                    extension-host: error: the view takes no clicks
                    extension-host: hint: UNNotificationExtensionUserInteractionEnabled in its Info.plist is not true: \
                    a click in it is the default action

                    """
            )
            let foreign = try await CommandResult.run(
                Programs.extensionHost,
                ["view", "--interpreter", "/usr/bin/python3", bundle, "-", "--respond", "like=1+1=2"],
                input: #"{"aps":{"alert":"Hi","category":"film"}}"#
            )
            #expect(foreign.status == 0)
            #expect(
                foreign.errors == """
                    extension-host: warning: the payload has the category "film", and the extension shows "photo", "logo"

                    """
            )
            #expect(foreign.lines.last == "calls: doNotDismiss")
        }
    }

    @Test(
        arguments: [
            ("\"k\": \"slider\"", "\"k\": \"web\"", "protocolViolation"),
            ("\"k\": \"slider\"", "\"k\": \"slider\", \"style\": \"color:red\"", "protocolViolation"),
            ("send(host, READY, 0, {\"protocol\": 1})", "sys.exit(0)", "notStarted"),
            ("view.opened(number, body)", "sys.exit(0)", "gone"),
        ]
    )
    func `a view that breaks its rules is no view`(line: String, other: String, end: String) async throws {
        try await TemporaryFolder.with { folder in
            let bundle = try bundle(in: folder) { $0.replacing(line, with: other) }
            let result = try await view(bundle, "--expect", "ended=\(end)")
            #expect(result.status == 0, "\(result.errors)")
            #expect(result.lines == ["ended: \(end)"])
        }
    }

    @Test func `a view and a service extension are not taken for each other`() async throws {
        try await TemporaryFolder.with { folder in
            let content = try bundle(in: folder)
            let run = try await CommandResult.run(Programs.extensionHost, ["run", content, "-"], input: Self.payload)
            #expect(run.status == 1)
            #expect(
                run.errors == """
                    extension-host: error: \(content)/Info.plist: NSExtensionPointIdentifier is \
                    "com.apple.usernotifications.content-extension"
                    extension-host: hint: a notification service extension has "com.apple.usernotifications.service"; \
                    "view" shows a content extension

                    """
            )
            let service = try folder.makeBundle("handler.py", program: ClientTests.handler)
            let shown = try await view(service)
            #expect(shown.status == 1)
            #expect(
                shown.errors == """
                    extension-host: error: \(service)/Info.plist: NSExtensionPointIdentifier is \
                    "com.apple.usernotifications.service"
                    extension-host: hint: a notification content extension has \
                    "com.apple.usernotifications.content-extension"; "run" runs a service extension

                    """
            )
        }
    }
}

extension CommandResult {
    var lines: [String] { output.split(separator: "\n").map(String.init) }
}
