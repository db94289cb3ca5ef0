// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import CenterAsking
import Foundation
import NIOHTTP1
import NotificationPayload

struct SettingsCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "settings",
        abstract: "Shows or changes what an app may do, or what its owner wants of all apps.",
        discussion: """
            Of an app: alert, sound, badge, list, lock, timeSensitive and criticalAlert are true or false; style is
            banner, alert or none; previews are always, whenAuthenticated or never; grouping is automatic, byApp
            or off. Without an app: language, zone, do-not-disturb (off, a date, or two times of the day), exceptions
            (topics), summary (times of the day, or off) and summary-apps (topics).

            Example:
              notification-center settings --folder ./center --app com.example.chat sound=false
              notification-center settings --folder ./center do-not-disturb=22:00-07:00 exceptions=com.example.alarm
              notification-center settings --folder ./center summary=08:00,18:00 summary-apps=com.example.news
              notification-center settings --folder ./center --app com.example.chat --in-app
            """
    )

    @OptionGroup var folder: OwnerFolder

    @Option(help: "The app's topic; without it the settings are those of the owner.")
    var app: String?

    @Flag(help: "With --app: has the app show the settings that it has itself.")
    var inApp = false

    @Argument(help: ArgumentHelp("What is to be changed.", valueName: "name=value"))
    var changes: [String] = []

    func validate() throws {
        guard !inApp || app != nil && changes.isEmpty else {
            throw ValidationError("--in-app goes with --app, and changes nothing here")
        }
    }

    func run() async throws {
        if inApp, let app { return try await openSettings(of: app) }
        let target = app.map { "/v1/apps/\(CenterClient.segment($0))/settings" } ?? "/v1/owner"
        let client = CenterClient(folder)
        var settings = try await client.ask(.GET, target)
        if !changes.isEmpty {
            var wishes = SettingsChange(settings, ofApp: app != nil)
            for change in changes { try wishes.apply(change) }
            settings = try await client.ask(.PATCH, target, wishes.changes)
        }
        guard Terminal.isInteractive else {
            return try Terminal.print(String(decoding: settings.serialized, as: UTF8.self))
        }
        for member in settings.members {
            var bytes: [UInt8] = []
            member.value.write(to: &bytes)
            let value = member.value.string ?? String(decoding: bytes, as: UTF8.self)
            try Terminal.print("\(member.key)\t\(Terminal.visible(value))")
        }
    }
}

extension SettingsCommand {
    /// Has the app show its own settings; prints where they are if they are a web page.
    private func openSettings(of app: String) async throws {
        let target = "/v1/apps/\(CenterClient.segment(app))/open-settings"
        let answer = try await CenterClient(folder).ask(.POST, target, [:])
        if let url = answer["launch"]?.object?["url"]?.string { try Terminal.print(Terminal.visible(url)) }
    }
}

/// The changes that a person writes as `name=value`, as members of the API.
struct SettingsChange {
    private(set) var changes: JSONObject = [:]
    private let settings: JSONObject
    private let isOfApp: Bool

    init(_ settings: JSONObject, ofApp isOfApp: Bool) {
        self.settings = settings
        self.isOfApp = isOfApp
    }

    mutating func apply(_ text: String) throws(Failure) {
        let parts = text.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
        guard parts.count == 2, !parts[0].isEmpty else {
            throw Failure("\"\(text)\" is no change", hint: "write name=value, such as sound=false")
        }
        let (name, value) = (parts[0], parts[1])
        guard !isOfApp else {
            guard settings[name] != nil else { throw unknown(name) }
            changes[name] = ["true": .bool(true), "false": .bool(false)][value] ?? .string(value)
            return
        }
        switch name {
        case "language", "zone": changes[name] = value.isEmpty ? .null : .string(value)
        case "do-not-disturb": change("doNotDisturb") { Self.quiet(value, keeping: &$0) }
        case "exceptions": change("doNotDisturb") { $0["exceptions"] = Self.list(value) }
        case "summary": change("summary") { $0["times"] = value == "off" ? .array([]) : Self.list(value) }
        case "summary-apps": change("summary") { $0["apps"] = Self.list(value) }
        default: throw unknown(name)
        }
    }

    private func unknown(_ name: String) -> Failure {
        let known =
            isOfApp
            ? settings.members.map(\.key)
            : ["language", "zone", "do-not-disturb", "exceptions", "summary", "summary-apps"]
        return Failure("there is no setting \"\(name)\"", hint: "settings are \(known.joined(separator: ", "))")
    }

    /// Changes an object that the API takes as a whole, from what it is now.
    private mutating func change(_ key: String, _ body: (inout JSONObject) -> Void) {
        var object = changes[key]?.object ?? settings[key]?.object ?? [:]
        body(&object)
        changes[key] = .object(object)
    }

    private static func quiet(_ value: String, keeping object: inout JSONObject) {
        let exceptions = object["exceptions"]
        let times = value.split(separator: "-").map(String.init)
        if value == "off" {
            object = ["mode": "off"]
        } else if times.count == 2 {
            object = ["mode": "daily", "from": .string(times[0]), "to": .string(times[1])]
        } else {
            // People write no milliseconds.
            let date = value.contains(".") ? value : value.replacing("Z", with: ".000Z")
            object = ["mode": "until", "until": .string(date)]
        }
        object["exceptions"] = exceptions
    }

    private static func list(_ value: String) -> JSON {
        .array(value.split(separator: ",").map { .string(String($0)) })
    }
}
