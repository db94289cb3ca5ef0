// SPDX-License-Identifier: Apache-2.0

import Foundation
import HostTesting
import NotificationPayload
import Testing

/// The wishes of apps and people at a centre that runs beside a host: tokens, and settings.
@Suite(.timeLimit(.minutes(10)))
struct CenterRequestTests {
    @Test func `an app that registers is reached by its token, until it withdraws it`() async throws {
        let call = """
            import http.client, json, socket, sys
            connection = http.client.HTTPConnection("nestbox")
            connection.sock = socket.socket(socket.AF_UNIX)
            connection.sock.connect(sys.argv[1])
            connection.request("POST", "/v1/app/com.example.chat/calls", json.dumps({"call": sys.argv[2]}),
                               {"content-type": "application/json"})
            print(connection.getresponse().read().decode().strip())
            """
        try await TemporaryFolder.with { folder in
            let center = try await RunningCenter(folder)
            try await RunningHost.with(folder, top: folder.centerTop()) { host in
                func ask(_ name: String) async throws -> JSONObject {
                    let arguments = ["-c", call, folder.path + "/center/http.sock", name]
                    let text = try await CommandResult.run("/usr/bin/python3", arguments).output
                    return text == "\n" ? [:] : try JSONObject(parsing: Array(text.utf8).span)
                }
                var answer = try await ask("register")
                // The host connects in its own time.
                while answer["reason"]?.string == "noHost" { answer = try await ask("register") }
                let token = try #require(answer["token"]?.string)
                #expect(try await ask("register")["token"]?.string == token)
                let push = #"{"aps":{"alert":{"title":"To the app"}}}"#
                #expect(try await host.post(push, token: token) == 200)
                #expect(try await folder.centerTitles(1) == ["To the app"])
                _ = try await ask("withdraw")
                #expect(try await host.post(push, token: token) == 410)
            }
            #expect(center.terminate() == 0)
        }
    }

    @Test func `settings are changed from the command line, and wrong ones change nothing`() async throws {
        try await TemporaryFolder.with { folder in
            let center = try await RunningCenter(folder)
            func settings(_ arguments: String...) async throws -> JSONObject {
                let result = try await CommandResult.run(
                    Programs.notificationCenter,
                    ["settings", "--folder", folder.path + "/center"] + arguments
                )
                #expect(result.errors == "")
                return try JSONObject(parsing: Array(result.output.utf8).span, depthLimit: 8)
            }
            func refusal(_ arguments: String...) async throws -> String {
                try await CommandResult.run(
                    Programs.notificationCenter,
                    ["settings", "--folder", folder.path + "/center"] + arguments
                ).errors
            }
            try await RunningHost.with(folder, top: folder.centerTop()) { host in
                try await host.deliver(title: "a", thread: "a")
                _ = try await folder.centerTitles(1)
                let app = try await settings("--app", "com.example.chat", "sound=false")
                #expect(app["sound"]?.bool == false)
                #expect(app["alert"]?.bool == true)
                let quiet = try await settings("do-not-disturb=22:00-07:00", "exceptions=com.example.alarm")
                #expect(
                    quiet["doNotDisturb"]?.object == [
                        "mode": "daily", "from": "22:00", "to": "07:00", "exceptions": ["com.example.alarm"],
                    ]
                )
                let summary = try await settings("summary=08:00,18:00", "summary-apps=com.example.news")
                #expect(
                    summary["summary"]?.object == ["times": ["08:00", "18:00"], "apps": ["com.example.news"]]
                )
                #expect(summary["doNotDisturb"] == quiet["doNotDisturb"])
                let until = try await settings("do-not-disturb=2099-01-02T03:04:05Z")
                #expect(until["doNotDisturb"]?.object?["until"]?.string == "2099-01-02T03:04:05.000Z")
                #expect(until["isQuiet"]?.bool == true)
                #expect(try await settings("do-not-disturb=off")["doNotDisturb"]?.object?["mode"]?.string == "off")
                let inApp = try await refusal("--app", "com.example.chat", "--in-app")
                #expect(inApp == "notification-center: error: the app has no settings of its own\n")
                #expect(
                    try await refusal("loud=true") == """
                        notification-center: error: there is no setting "loud"
                        notification-center: hint: settings are language, zone, do-not-disturb, exceptions, summary, \
                        summary-apps

                        """
                )
                #expect(
                    try await refusal("zone=Nowhere")
                        == "notification-center: error: \"zone\" is none of the words that it may be\n"
                )
                #expect(try await settings()["summary"] == summary["summary"])
            }
            #expect(center.terminate() == 0)
        }
    }
}
