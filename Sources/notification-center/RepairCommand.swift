// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import CenterAsking
import CenterStore
import DatabaseFile
import Foundation
import Glibc
import NotificationPayload

struct RepairCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "repair",
        abstract: "Makes a whole database of what can be read of a damaged one.",
        discussion: """
            The centre must not run. The damaged database stays beside the new one, as "center.sqlite.damaged-DATE"; it \
            holds opened text unless that is sealed, so remove it when it is not needed any more. Whoever watches loads its \
            list again.

            Of a database that is sealed (--store-key) it reads what the store key and the keys of the apps open. \
            A damaged key of an app opens nothing: what was sealed under it is left out, and stays in the damaged \
            database. The app stays, with its settings, and has a new key. Nothing can be read without the store key.
            """
    )

    @OptionGroup var folder: CenterFolder
    @OptionGroup var storeKey: StoreKeyFile

    func run() throws {
        // It holds opened notifications, and what it writes is nobody else's.
        var none = rlimit()
        setrlimit(__rlimit_resource_t(RLIMIT_CORE.rawValue), &none)
        umask(0o077)
        let report: CenterRepair.Report
        let stamp = Date().formatted(.iso8601.dateSeparator(.omitted).timeSeparator(.omitted))
        let key = try storeKey.read(for: folder)
        do { report = try CenterRepair.run(folder: folder.path, stamp: stamp, key: key) } catch {
            throw Failure(error.message, hint: error.hint)
        }
        let object: JSONObject = [
            "notifications": .integer(Int64(report.notifications)), "history": .integer(Int64(report.history)),
            "requests": .integer(Int64(report.requests)), "responses": .integer(Int64(report.responses)),
            "partly": .array(report.partly.map(JSON.string)), "dropped": .integer(Int64(report.dropped)),
            "lostKeys": .array(report.lostKeys.map(JSON.string)), "former": .string(report.former),
        ]
        try Terminal.print(.array([.object(object)])) { _ in Self.text(report) }
    }

    /// The report as a terminal shows it.
    private static func text(_ report: CenterRepair.Report) -> String {
        var losses = report.partly.isEmpty ? [] : ["not read whole: " + report.partly.joined(separator: ", ")]
        if report.dropped > 0 { losses.append("\(report.dropped) rows are damaged") }
        if !report.lostKeys.isEmpty {
            let names = report.lostKeys.map(Terminal.visible).joined(separator: ", ")
            losses.append("nobody can open what was sealed under the damaged keys of " + names)
        }
        if losses.isEmpty { losses = ["nothing was lost"] }
        return """
            \(report.notifications) notifications, \(report.history) of the history, \(report.requests) requests, \
            \(report.responses) responses; \(losses.joined(separator: "; "))
            the former database: \(Terminal.visible(report.former))
            """
    }
}
