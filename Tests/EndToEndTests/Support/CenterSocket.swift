// SPDX-License-Identifier: Apache-2.0

import Foundation
import HostTesting
import NotificationPayload
import TestClock
import Testing

/// Requests to the centre in a folder, over the socket of its API.
extension TemporaryFolder {
    /// Makes a call of an app over the API's socket.
    func appCall(_ topic: String, _ call: String) async throws {
        let made = try await curl(
            ["--data-binary", call, "-H", "content-type: application/json"],
            "/v1/app/\(topic)/calls"
        )
        try #require(made.status == 0, "\(made.output)\(made.errors)")
    }

    /// The events of an app, once a response is among them.
    func response(of topic: String) async throws -> String {
        while true {
            let told = try await events(of: topic)
            if told.contains("event: response") { return told }
            try Task.checkCancellation()
        }
    }

    /// The events that an app is told in half a second.
    func events(of topic: String) async throws -> String {
        try await curl(["--max-time", "0.5"], "/v1/app/\(topic)/events").output
    }

    /// Changes switches of an app.
    func settings(of topic: String, _ wishes: String) async throws {
        try await change("PATCH", "/v1/apps/\(topic)/settings", wishes)
    }

    /// Has the centre change something.
    func change(_ method: String, _ target: String, _ body: String) async throws {
        let made = try await curl(
            ["-X", method, "--data-binary", body, "-H", "content-type: application/json"],
            target
        )
        try #require(made.status == 0, "\(made.output)\(made.errors)")
    }

    /// Asks the centre for an object.
    func ask(_ target: String) async throws -> JSONObject {
        try JSONObject(parsing: Array(try await curl([], target).output.utf8).span)
    }

    /// The address of the centre's page, which its port has a moment after its socket.
    func pageAddress() async throws -> String {
        while true {
            if let page = try await ask("/v1")["page"]?.string { return page }
            try Task.checkCancellation()
        }
    }

    /// Hands over the bytes of a picture; returns the list of attachments by which a call names it.
    func attachment(_ bytes: Data, of topic: String) async throws -> JSON {
        let file = path + "/picture.png"
        try bytes.write(to: URL(fileURLWithPath: file))
        let made = try await curl(
            ["--data-binary", "@\(file)", "-H", "content-type: image/png"],
            "/v1/app/\(topic)/attachments"
        )
        let upload = try #require(try JSONObject(parsing: Array(made.output.utf8).span)["upload"])
        return [["identifier": "photo", "type": "public.png", "upload": upload]]
    }

    /// Asks whether a desktop shows banners, as a surface that joins is told.
    func hasDesktop() async throws -> Bool {
        let told = try await curl(["--max-time", "0.3"], "/v1/events?surface=terminal")
        return told.output.split(separator: "\n").contains { line in
            line.contains(#""kind":"desktop","local":true,"visible":true"#) && line.contains(#""banners":true"#)
        }
    }

    /// Waits until a desktop shows banners.
    func waitForDesktop() async throws { while try await !hasDesktop() { try await Task.turn() } }

    /// The id of the newest notification.
    func newest() async throws -> String? {
        try await ask("/v1/notifications?limit=1")["items"]?.array?.first?.object?["id"]?.string
    }

    private func curl(_ options: [String], _ target: String) async throws -> CommandResult {
        let curl = try #require(Programs.installed("curl"))
        let socket = ["-sS", "--fail-with-body", "--unix-socket", path + "/center/http.sock"]
        return try await CommandResult.run(curl, socket + options + ["http://center\(target)"])
    }
}
