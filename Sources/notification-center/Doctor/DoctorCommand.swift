// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import NotificationPayload

struct DoctorCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "doctor",
        abstract: "Tells what a centre of this folder meets, or would meet at its start.",
        discussion: """
            Nothing is changed or made. On a terminal a line for each row; elsewhere one JSON object for each. Exit \
            status 1 when a centre could not start.

            Example:
              notification-center doctor --folder ./center --store-key center.key
            """
    )

    @OptionGroup var folder: OwnerFolder
    @OptionGroup var storeKey: StoreKeyFile

    func run() async throws {
        var report = DoctorReport()
        report.lookAtFolders(folder.folder, of: folder.owner ?? .only)
        report.lookAtDatabase(folder.folder, storeKey)
        await report.lookAtCenter(folder)
        report.lookAtMachine(folder.folder)
        try Terminal.print(report.json, report.line)
        if report.isStartImpossible { throw ExitCode(1) }
    }
}

/// The rows of `doctor`, each a yes or a no with what was found.
struct DoctorReport {
    struct Row: Equatable {
        let name: String
        let isFine: Bool
        let detail: String
    }

    private(set) var rows: [Row] = []
    /// True if one of the rows keeps a centre from starting.
    private(set) var isStartImpossible = false

    mutating func add(_ name: String, _ isFine: Bool, _ detail: String) {
        rows.append(Row(name: name, isFine: isFine, detail: detail))
    }

    /// Adds what keeps a centre from starting, in the words of the start.
    mutating func add(_ name: String, hindrance message: String, hint: String?) {
        add(name, false, message + (hint.map { "; \($0)" } ?? ""))
        isStartImpossible = true
    }

    var json: JSON {
        .array(
            rows.map { row in
                .object(["name": .string(row.name), "ok": .bool(row.isFine), "detail": .string(row.detail)])
            }
        )
    }

    /// A row as a terminal shows it.
    func line(_ row: JSONObject) -> String {
        let width = rows.map(\.name.count).max() ?? 0
        let name = row["name"]?.string ?? ""
        let padding = String(repeating: " ", count: max(0, width - name.count))
        let detail = Terminal.visible(row["detail"]?.string ?? "")
        return "\(row["ok"] == true ? "yes" : "no ")  \(name)\(padding)  \(detail)"
    }
}
