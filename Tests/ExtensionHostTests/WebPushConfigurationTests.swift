// SPDX-License-Identifier: Apache-2.0

import Foundation
import Ingress
import Testing

@testable import ExtensionHost

struct WebPushConfigurationTests {
    private func read(_ text: String) throws -> HostConfiguration {
        let folder = NSTemporaryDirectory() + "nestbox-\(UUID().uuidString)"
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let file = folder + "/host.yaml"
        try text.write(toFile: file, atomically: true, encoding: .utf8)
        do {
            return try HostConfiguration(file: file)
        } catch {
            throw CommandError(error.message.replacingOccurrences(of: file, with: "host.yaml"), hint: error.hint)
        }
    }

    private func file(_ listen: String, top: String = "state: ./state", app: String = "") -> String {
        """
        listen:
          \(listen)
        \(top)
        apps:
          - topic: com.example.chat
            \(app)
        """
    }

    @Test func `an origin alone shares the address of APNs`() throws {
        let text = file(
            "{ apns: { plaintext: true, port: 0 }, web-push: { public-origin: https://Push.example.com:443/ } }"
        )
        let configuration = try read(text)
        #expect(configuration.webPush?.origin == WebPushOrigin("https://push.example.com"))
        #expect(configuration.webPush?.listener == nil)
        #expect(configuration.listening.ports == [0])
    }

    @Test func `Web Push may have an address of its own, and need no APNs`() throws {
        let text = file(
            "web-push: { public-origin: http://127.0.0.1, host: 0.0.0.0, certificate: a.pem, key: /b.pem }"
        )
        let listener = try #require(try read(text).webPush?.listener)
        #expect(listener.host == "0.0.0.0")
        #expect(listener.port == 8444)
        guard case .tls(let certificate, "/b.pem") = listener.security else {
            Issue.record("\(listener.security)")
            return
        }
        #expect(certificate.hasSuffix("/a.pem") && certificate.hasPrefix("/"))
        let configuration = try read(text)
        #expect(configuration.listening.ports == [8444])
        #expect(configuration.listening.files.count == 3)
        #expect(configuration.listening.files.last == "/b.pem")
    }

    @Test func `both addresses are known to the host's confinement`() throws {
        let text = file(
            """
            { apns: { plaintext: true, port: 8001 }, \
            web-push: { public-origin: http://127.0.0.1, plaintext: true, port: 8002 } }
            """
        )
        #expect(try read(text).listening.ports == [8001, 8002])
    }

    @Test func `what is shown for a message that stays closed is the app's to say`() throws {
        let listen = "{ apns: { plaintext: true }, web-push: { public-origin: https://push.example.com } }"
        #expect(
            try read(file(listen)).webPushAlerts
                == ["com.example.chat": WebPushAlert(title: "com.example.chat", body: "New notification")]
        )
        let app = "web-push: { title: Chat, fallback: Something came }"
        #expect(
            try read(file(listen, app: app)).webPushAlerts
                == ["com.example.chat": WebPushAlert(title: "Chat", body: "Something came")]
        )
    }

    @Test(arguments: [
        ("web-push: { plaintext: true }", ":2: public-origin of web-push is missing"),
        (
            "web-push: { public-origin: push.example.com }",
            ":2: public-origin of web-push is \"push.example.com\", which is no origin"
        ),
        (
            "web-push: { public-origin: https://push.example.com/a }",
            ":2: public-origin of web-push is \"https://push.example.com/a\", which is no origin"
        ),
        ("web-push: { public-origin: https://push.example.com }", ":2: web-push of listen has no address"),
        (
            "web-push: { public-origin: https://push.example.com, port: 8444 }",
            ":2: plaintext of web-push and its certificate disagree"
        ),
        (
            "web-push: { public-origin: https://push.example.com, auth: none }",
            ":2: unknown key \"auth\" in web-push"
        ),
    ])
    func `what is wrong with it is said with its line`(_ listen: String, _ message: String) throws {
        let error = try #require(throws: CommandError.self) { try read(file(listen)) }
        #expect(error.message == "host.yaml" + message)
    }

    @Test func `subscriptions need a folder`() throws {
        let listen = "web-push: { public-origin: https://push.example.com, plaintext: true }"
        for top in ["state: none", ""] {
            let error = try #require(throws: CommandError.self) { try read(file(listen, top: top)) }
            #expect(error.message == "host.yaml:2: web-push of listen has no folder that keeps its subscriptions")
            #expect(error.hint == "add \"state: ./state\" to the file")
        }
    }

    @Test func `an unknown key of an app's words is refused`() throws {
        let listen = "{ apns: { plaintext: true } }"
        let error = try #require(throws: CommandError.self) {
            try read(file(listen, app: "web-push: { body: x }"))
        }
        #expect(error.message == "host.yaml:6: unknown key \"body\" in web-push of app \"com.example.chat\"")
    }
}
