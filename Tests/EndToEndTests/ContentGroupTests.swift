// SPDX-License-Identifier: Apache-2.0

import Foundation
import HostTesting
import NotificationPayload
import Testing

/// An app group between a service extension and a view, both in Swift and both running: files and defaults, both ways.
@Suite(.timeLimit(.minutes(10)))
struct ContentGroupTests {
    private static let group = "group.com.example.chat"

    private static let service = """
        import Foundation
        import UserNotifications

        class NotificationService: UNNotificationServiceExtension {
            override func didReceive(
                _ request: UNNotificationRequest,
                withContentHandler contentHandler: @escaping (UNNotificationContent) -> Void
            ) {
                guard let content = request.content.mutableCopy() as? UNMutableNotificationContent,
                    let folder = FileManager.default.containerURL(forSecurityApplicationGroupIdentifier: "\(group)"),
                    let defaults = UserDefaults(suiteName: "\(group)")
                else { return contentHandler(request.content) }
                let file = try? String(contentsOf: folder.appendingPathComponent("back"), encoding: .utf8)
                content.body = "\\(file ?? "none") \\(defaults.string(forKey: "back") ?? "none") "
                    + "\\(ProcessInfo.processInfo.processIdentifier)"
                defaults.set("defaults of " + content.title, forKey: "word")
                try? ("file of " + content.title)
                    .write(to: folder.appendingPathComponent("word"), atomically: true, encoding: .utf8)
                contentHandler(content)
            }
        }
        """

    private static let view = """
        import UIKit
        import UserNotifications
        import UserNotificationsUI

        class NotificationService: UIViewController, UNNotificationContentExtension {
            private let label = UILabel(frame: CGRect(x: 10, y: 10, width: 300, height: 21))
            private let defaults = UserDefaults(suiteName: "\(group)")
            private let folder = FileManager.default.containerURL(forSecurityApplicationGroupIdentifier: "\(group)")

            override func viewDidLoad() {
                super.viewDidLoad()
                let button = UIButton(type: .system, primaryAction: UIAction(title: "Go") { [weak self] _ in self?.go() })
                button.frame = CGRect(x: 10, y: 40, width: 100, height: 44)
                view.addSubview(label)
                view.addSubview(button)
            }

            func didReceive(_ notification: UNNotification) { read() }

            private func read() {
                let file = folder.flatMap {
                    try? String(contentsOf: $0.appendingPathComponent("word"), encoding: .utf8)
                }
                label.text = "\\(file ?? "none"), \\(defaults?.string(forKey: "word") ?? "none")"
            }

            private func go() {
                defaults?.set("defaults", forKey: "back")
                if let folder {
                    try? "file".write(to: folder.appendingPathComponent("back"), atomically: true, encoding: .utf8)
                }
                read()
            }
        }
        """

    private static let entitlements = """
        <?xml version="1.0" encoding="UTF-8"?>
        <plist version="1.0">
        <dict>
        	<key>com.apple.security.application-groups</key>
        	<array>
        		<string>\(group)</string>
        	</array>
        </dict>
        </plist>
        """

    /// Opens the view of the newest notification, clicks its button at each line that comes in, and says its text.
    private static let page = """
        import http.client, json, socket, sys
        def connection():
            connection = http.client.HTTPConnection("nestbox")
            connection.sock = socket.socket(socket.AF_UNIX)
            connection.sock.settimeout(60)
            connection.sock.connect(sys.argv[1])
            return connection
        def ask(method, path, body):
            asked = connection()
            asked.request(method, path, json.dumps(body), {"content-type": "application/json"})
            return json.loads(asked.getresponse().read() or b"{}")
        place = {"width": 360, "scale": 2, "style": "dark", "textSize": 1, "direction": "leftToRight",
                 "language": "en", "timeZone": "UTC", "reducedMotion": False}
        view = ask("POST", "/v1/views", {"notification": sys.argv[2], "environment": place})["view"]
        asked = connection()
        asked.request("GET", f"/v1/views/{view}/events")
        lines = (line.decode() for line in iter(asked.getresponse().readline, b""))
        nodes, seq = {}, 0
        def until(number):
            for line in lines:
                if not line.startswith("data: "): continue
                update = json.loads(line[6:])
                nodes.update({node["id"]: node for node in update.get("set", [])})
                if nodes and update.get("ack", 0) >= number: return
        def text(): return next(node["text"] for node in nodes.values() if node["k"] == "text")
        until(0)
        print(text(), flush=True)
        for _ in sys.stdin:
            seq += 1
            button = next(id for id, node in nodes.items() if node["k"] == "button")
            ask("POST", f"/v1/views/{view}/events", {"events": [{"seq": seq, "node": button, "event": "tap"}]})
            until(seq)
            print(text(), flush=True)
        """

    @Test func `what one writes the other reads, by file and by defaults, while both run`() async throws {
        let information = try String(
            contentsOfFile: Programs.root + "/Examples/SliderContentExtension/Info.plist",
            encoding: .utf8
        )
        .replacing("NSExtensionMainStoryboard", with: "NSExtensionPrincipalClass")
        .replacing("MainInterface", with: "$(PRODUCT_MODULE_NAME).NotificationService")
        let (service, view) = (
            ["Service.swift": Self.service, "Service.entitlements": Self.entitlements],
            ["View.swift": Self.view, "View.entitlements": Self.entitlements]
        )
        try await Project.with(service) { service in
            try await Project.with(view, information: information) { view in
                for (project, identifier) in [(service, "com.example.chat.service"), (view, "com.example.chat.view")] {
                    let built = try await project.build(identifier: identifier)
                    try #require(built.status == 0, "\(built.errors)")
                }
                try await TemporaryFolder.with { folder in
                    let center = try await RunningCenter(folder)
                    let app = ["extension: \(service.bundle)", "content: \(view.bundle)"]
                    try await RunningHost.with(folder, app: app, top: folder.centerTop()) { host in
                        try await talk(host, folder)
                    }
                    #expect(center.terminate() == 0)
                }
            }
        }
    }

    private func talk(_ host: RunningHost, _ folder: TemporaryFolder) async throws {
        func push(_ title: String) async throws -> [String] {
            let body = #"{"aps":{"alert":{"title":"\#(title)"},"mutable-content":1,"category":"album"}}"#
            let record = try await host.deliver(body)
            #expect(record?.outcome == "modified")
            return (record?.alert?["body"]?.string ?? "").split(separator: " ").map(String.init)
        }
        let first = try await push("Alice")
        #expect(first.dropLast() == ["none", "none"])
        var number: String?
        while number == nil {
            try Task.checkCancellation()
            number = try await folder.ask("/v1/notifications")["items"]?.array?.first?.object?["id"]?.string
        }
        let socket = folder.path + "/center/http.sock"
        let page = try Conversation("/usr/bin/python3", ["-u", "-c", Self.page, socket, number ?? ""])
        defer { page.end() }
        #expect(page.line() == "file of Alice, defaults of Alice")
        // The view writes, and goes on.
        page.say()
        #expect(page.line() == "file of Alice, defaults of Alice")
        let second = try await push("Bob")
        #expect(second == ["file", "defaults", first.last ?? ""])
        // The same view reads what the service wrote meanwhile.
        page.say()
        #expect(page.line() == "file of Bob, defaults of Bob")
    }

    /// A program that answers a line with a line.
    private final class Conversation {
        private let process = Process()
        private let (input, output) = (Pipe(), Pipe())

        init(_ program: String, _ arguments: [String]) throws {
            process.executableURL = URL(fileURLWithPath: program)
            process.arguments = arguments
            (process.standardInput, process.standardOutput) = (input, output)
            try process.run()
        }

        func say() { try? input.fileHandleForWriting.write(contentsOf: Data("\n".utf8)) }

        /// The next line; an empty one at the end.
        func line() -> String {
            var bytes: [UInt8] = []
            while let byte = try? output.fileHandleForReading.read(upToCount: 1)?.first, byte != UInt8(ascii: "\n") {
                bytes.append(byte)
            }
            return String(decoding: bytes, as: UTF8.self)
        }

        func end() {
            try? input.fileHandleForWriting.close()
            process.waitUntilExit()
        }
    }
}
