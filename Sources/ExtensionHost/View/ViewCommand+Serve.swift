// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import HostRuntime
import NotificationPayload

extension ViewCommand {
    /// Refuses options that a person at a page stands for, and those that a push cannot have.
    func validateServing() throws {
        guard serve else { return }
        let ofSteps = [
            ("--tap", !tap.isEmpty), ("--set", !set.isEmpty), ("--respond", !respond.isEmpty),
            ("--steps", steps != nil),
        ]
        try refuse(ofSteps, "a person works the view in the browser")
        let ofResults = [
            ("--expect", !expect.isEmpty), ("--format", format != .human), ("--scene", scene != nil),
            ("--junit", junit != nil),
        ]
        try refuse(ofResults, "nothing is judged or written down there")
        let ofPlace = [
            ("--width", width != ViewCommand.standardWidth), ("--dark", dark), ("--right-to-left", rightToLeft),
            ("--language", language != ViewCommand.standardLanguage),
        ]
        try refuse(ofPlace, "the browser decides on that")
        try refuse([("--attachment", !attachment.isEmpty)], "a push has no files, a service extension attaches them")
    }

    private func refuse(_ options: [(name: String, isGiven: Bool)], _ reason: String) throws {
        guard let option = options.first(where: \.isGiven) else { return }
        throw ValidationError("\(option.name) does not go with --serve: \(reason)")
    }

    /// Shows the view in a browser until the process is told to end.
    func serveUntilEnd() throws -> Never {
        var settings = ServingPrograms.Settings(state: state.map(RunCommand.absolute))
        settings.words = ["--profile", sandbox.profile.rawValue, "--log-level", log.logLevel]
        if sandbox.insecure { settings.words.append("--insecure") }
        try ViewServer.serveUntilEnd(sourceWatch, settings) { () throws(CommandError) in try served() }
    }

    /// Reads the bundle, and the payloads as a gateway would take them.
    private func served() throws(CommandError) -> ServedBundle {
        let app = try app()
        if let path = app.contentBundle?.path { try WritersOfBundle.own.check(path) }
        var notifications: [Payload] = []
        for path in payloads {
            guard let push = try PushFile(path).pushes(for: app.topic, times: 1).first?.push else { continue }
            try warn(app, of: push.payload, named: path)
            if !push.payload.hasDisplayableAlert {
                Terminal.warning("the payload has no alert, and a page shows notifications that have one")
            }
            notifications.append(push.payload)
        }
        return ServedBundle(app: app, payloads: notifications)
    }
}
