// SPDX-License-Identifier: Apache-2.0

import Dispatch
import Foundation
import HostRuntime
import Logging
import NotificationPayload

/// Tells what the extensions did: in the log, and in a file of the state folder, which `doctor` reads.
struct ActivityReport: Sendable {
    static let fileName = "activity.json"

    let source: any ActivityReporting
    /// The folder that gets the file.
    ///
    /// `nil` means that the counts go to the log alone.
    let stateFolder: String?
    let logger: Logger

    /// Writes the file every minute, and file and log at each SIGUSR1, until the task is cancelled.
    ///
    /// The signal must be ignored already.
    func run() async {
        let (requests, continuation) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))
        let signals = DispatchSource.makeSignalSource(signal: SIGUSR1)
        signals.setEventHandler { continuation.yield() }
        signals.resume()
        defer { signals.cancel() }
        await withTaskGroup(of: Void.self) { group in
            group.addTask {
                while (try? await ContinuousClock().sleep(for: .seconds(60))) != nil { save(await source.activity) }
            }
            for await _ in requests { await tell(at: .notice) }
            group.cancelAll()
        }
    }

    /// One line of the log for each app, and the file.
    func tell(at level: Logger.Level) async {
        let activity = await source.activity
        for (app, counts) in activity.apps.sorted(by: { $0.key < $1.key }) {
            var metadata: Logger.Metadata = ["push.topic": "\(app)"]
            for (name, value) in counts.rows { metadata["extension.\(name)"] = "\(value)" }
            logger.log(level: level, "extension counts", metadata: metadata)
        }
        let workers = activity.workers
        logger.log(
            level: level,
            "worker counts",
            metadata: [
                "workers.starting": "\(workers.starting)", "workers.ready": "\(workers.ready)",
                "workers.serving": "\(workers.serving)", "workers.retiring": "\(workers.retiring)",
                "push.waiting": "\(activity.waiting)",
            ]
        )
        save(activity)
    }

    private func save(_ activity: HostActivity) {
        guard let stateFolder else { return }
        var apps: JSONObject = [:]
        for (app, counts) in activity.apps {
            var object: JSONObject = [:]
            for (name, value) in counts.rows { object[name] = .integer(Int64(value)) }
            apps[app] = .object(object)
        }
        let file: JSONObject = ["date": .string(Date().timestamp), "apps": .object(apps)]
        var bytes: [UInt8] = []
        file.write(to: &bytes)
        do {
            try Data(bytes).write(to: URL(fileURLWithPath: stateFolder + "/" + Self.fileName), options: .atomic)
        } catch {
            logger.warning("activity not saved", metadata: ["error": "\(error)"])
        }
    }
}

extension MachineReport {
    /// Returns a row for each app on what its extensions did, from the host's last report; empty without a report.
    static func activity(in stateFolder: String) -> [Row] {
        guard let data = FileManager.default.contents(atPath: stateFolder + "/" + ActivityReport.fileName),
            let file = try? JSONObject(parsing: Array(data).span), let date = file["date"]?.string,
            let apps = file["apps"]?.object
        else { return [] }
        return apps.members.sorted { $0.key < $1.key }.map { app in
            let object = app.value.object ?? [:]
            let names = ExtensionCounts().rows.map(\.name)
            let amounts = names.compactMap { name in object[name]?.integer.map { value in "\(name) \(value)" } }
            return Row(name: app.key, isThere: true, detail: amounts.joined(separator: ", ") + "; as of \(date)")
        }
    }
}
