// SPDX-License-Identifier: Apache-2.0

import NotificationPayload
import Testing

@testable import notification_center

/// The rows of `doctor` on a terminal and in a pipe.
struct DoctorReportTests {
    @Test func `a row is a yes or a no, its name, and what was found`() throws {
        var report = DoctorReport()
        report.add("folder", true, "/c\u{1B}[2J")
        report.add("room on the disk", false, "3 MiB are free")
        let rows = try #require(report.json.array).compactMap(\.object)
        #expect(
            rows.map(report.line) == [
                #"yes  folder            /c\u{1b}[2J"#, "no   room on the disk  3 MiB are free",
            ]
        )
        #expect(rows.last == ["name": "room on the disk", "ok": false, "detail": "3 MiB are free"])
    }

    @Test func `only what keeps a centre from starting makes the exit status 1`() {
        var report = DoctorReport()
        report.add("host", false, "none is connected")
        #expect(!report.isStartImpossible)
        report.add("folder", hindrance: "the folder is open", hint: "chmod 700 c")
        #expect(report.isStartImpossible)
        #expect(report.rows.last == .init(name: "folder", isFine: false, detail: "the folder is open; chmod 700 c"))
    }
}
