// SPDX-License-Identifier: Apache-2.0

import Foundation
import HostTesting
import NotificationPayload

/// The result of one case, with all differences from what is expected.
struct CompatibilityResult: Sendable {
    let `extension`: CompatibilityCase
    private(set) var isBuilt = false
    private(set) var outcome = "–"
    private(set) var differences: [String] = []

    private init(_ extensionCase: CompatibilityCase) {
        self.extension = extensionCase
    }

    /// Builds the extension and runs its push.
    static func of(_ extensionCase: CompatibilityCase, mediaPort: Int) async throws -> CompatibilityResult {
        try await TemporaryFolder.with { folder in
            var result = CompatibilityResult(extensionCase)
            try await result.buildAndRun(in: folder, mediaPort: mediaPort)
            return result
        }
    }

    private mutating func buildAndRun(in folder: TemporaryFolder, mediaPort: Int) async throws {
        let sources = Programs.root + "/" + self.extension.folder
        let sent = try String(contentsOfFile: sources + "/push.apns", encoding: .utf8)
        let bundle = folder.path + "/\(self.extension.title).appex"
        let built = try await CommandResult.run(
            Programs.extensionHost,
            ["build", sources, "-o", bundle, "--setting", "MEDIA_PORT=\(mediaPort)"]
                + ["--swift-version", self.extension.mode]
                + information(in: sources, isFetching: sent.contains("$(MEDIA_PORT)"))
                + self.extension.build.map { $0.replacingOccurrences(of: ":8000", with: ":\(mediaPort)") }
        )
        isBuilt = built.status == 0
        switch self.extension.expected {
        case .compilerErrors(let errors):
            outcome = "compiler error"
            check(built.status == 1, "was built, or worse: status \(built.status)")
            for error in errors { check(built.errors.contains(error), "no \"\(error)\" in:\n\(built.errors)") }
        case .deliveries(let deliveries):
            guard isBuilt else {
                differences.append("was not built:\n\(built.errors)")
                return
            }
            // The examples' servers have the port that their README says.
            let text = sent.replacingOccurrences(of: "$(MEDIA_PORT)", with: String(mediaPort))
                .replacingOccurrences(of: ":8000", with: ":\(mediaPort)")
            let push = try folder.write(text, to: "push.apns")
            let run = try await HostRun(bundle, push, self.extension.run)
            let records = run.records.map(Record.init(object:))
            let outcomes = records.map(Self.outcome(of:))
            outcome = outcomes[0] + (outcomes.count > 1 ? ", \(outcomes.count) times" : "")
            check(records.count == deliveries.count, "made \(records.count) records, not \(deliveries.count)")
            check(Set(records.map(\.workerProcess)).count == 1, "ran in several processes")
            let payload = try JSONObject(parsing: Array(text.utf8).span)
            for (record, delivery) in zip(records, deliveries) {
                compare(record, with: delivery, sent: payload, log: run.errors)
            }
        }
    }

    /// Most projects have Xcode's file, which the suite holds once, and once with the host of the media.
    private func information(in sources: String, isFetching: Bool) -> [String] {
        guard !FileManager.default.fileExists(atPath: sources + "/Info.plist") else {
            return self.extension.name.contains("/") ? [] : ["--identifier", "com.example.chat.service"]
        }
        let name = isFetching ? "Network-Info.plist" : "Info.plist"
        return [
            "--info", Programs.root + "/Tests/CompatibilityTests/Template/" + name,
            "--identifier", "com.example.chat.service",
        ]
    }

    private static func outcome(of record: Record) -> String {
        let reason = record.reason.map { ", \($0)" } ?? ""
        return (record.outcome ?? "none") + reason + (record.isLate == true ? ", late" : "")
    }

    private mutating func compare(
        _ record: Record,
        with delivery: CompatibilityCase.Delivery,
        sent: JSONObject,
        log: String
    ) {
        let outcome = Self.outcome(of: record)
        check(record.outcome == delivery.outcome && record.reason == delivery.reason, "ended as \(outcome)")
        check(record.isLate == delivery.isLate, "late: \(record.isLate.map(String.init) ?? "nil")")
        let payload = sent.applying(delivery.changes, removing: delivery.removed + ["Simulator Target Bundle"])
        if record.payload?.object != payload {
            let (found, wanted) = (record.payload?.serialized ?? [], Payload(payload).serialized)
            differences.append(
                "has the payload \(String(decoding: found, as: UTF8.self)), not \(String(decoding: wanted, as: UTF8.self))"
            )
        }
        check(Self.attachments(in: record.object), are: delivery.attachments, "attachments")
        check(Self.refusedAttachments(in: record.object), are: delivery.refusedAttachments, "refused attachments")
        for line in delivery.log { check(log.contains(line), "no \"\(line)\" in the log:\n\(log)") }
        for line in delivery.absentFromLog { check(!log.contains(line), "\"\(line)\" is in the log") }
    }

    private mutating func check(_ isTrue: Bool, _ difference: @autoclosure () -> String) {
        if !isTrue { differences.append(difference()) }
    }

    private mutating func check(_ found: [String], are wanted: [String], _ what: String) {
        check(found == wanted, "\(what) are \(found), not \(wanted)")
    }

    private static func attachments(in record: JSONObject) -> [String] {
        (record["attachments"]?.array ?? []).compactMap(\.object).map { attachment in
            let identifier = attachment["identifier"]?.string ?? "?"
            let size = attachment["size"]?.integer ?? -1
            return "\(UUID(uuidString: identifier) == nil ? identifier : "UUID") "
                + "\(attachment["type"]?.string ?? "?") \(size)"
        }
    }

    private static func refusedAttachments(in record: JSONObject) -> [String] {
        (record["refusedAttachments"]?.array ?? []).compactMap(\.object).map { attachment in
            "\(attachment["identifier"]?.string ?? "?") \(attachment["reason"]?.string ?? "?")"
        }
    }

    // MARK: The table

    private var row: [String] {
        [
            self.extension.title, self.extension.idiom, self.extension.mode, isBuilt ? "yes" : "no", outcome,
            differences.isEmpty ? "as expected" : "DIFFERENT",
        ]
    }

    /// Columns of equal width, and the sums below.
    static func table(_ results: [CompatibilityResult]) -> String {
        let rows = [["extension", "idiom", "mode", "built", "outcome", ""]] + results.map(\.row)
        let widths = rows[0].indices.map { column in rows.map { $0[column].count }.max() ?? 0 }
        let lines = rows.map { row in
            zip(row, widths).map { $0.padding(toLength: $1, withPad: " ", startingAt: 0) }.joined(separator: "  ")
        }
        let inMode6 = results.filter { $0.extension.mode == "6" }.count
        let built = results.filter(\.isBuilt).count
        let expected = results.filter(\.differences.isEmpty).count
        return lines.joined(separator: "\n")
            + "\n\(results.count) extensions, \(inMode6) of them in mode 6: \(built) built, \(expected) as expected"
    }
}
