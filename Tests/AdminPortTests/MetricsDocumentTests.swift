// SPDX-License-Identifier: Apache-2.0

import AdminPort
import Foundation
import HostRuntime
import TestClock
import Testing

/// docs/metrics.md beside what the host says.
struct MetricsDocumentTests {
    private struct Idle: ActivityReporting {
        var activity: HostActivity {
            get async { HostActivity(apps: [:], workers: .init(), waiting: 0) }
        }
    }

    @Test func `the table of metrics has every metric of the host, with its kind and in its order`() async throws {
        let status = HostStatus(
            metrics: HostMetrics(),
            readiness: Readiness(keepsState: true),
            activity: Idle(),
            clock: HostClock(ManualClock())
        )
        let said = await status.text.text.split(separator: "\n").filter { $0.hasPrefix("# TYPE ") }
            .map { $0.split(separator: " ").dropFirst(2).joined(separator: " ") }
        var root = URL(fileURLWithPath: #filePath)
        for _ in 0..<3 { root.deleteLastPathComponent() }
        let document = try String(contentsOf: root.appendingPathComponent("docs/metrics.md"), encoding: .utf8)
        let rows = document.split(separator: "\n").filter { $0.hasPrefix("| `nestbox_") }
        // Those of the centre have a test of their own.
        let written = rows.filter { !$0.hasPrefix("| `nestbox_center_") }.map { row in
            let cells = row.split(separator: "|").map { $0.trimmingCharacters(in: .whitespaces) }
            return cells[0].filter { $0 != "`" } + " " + (cells[1].split(separator: " ").first ?? "")
        }
        #expect(written == said)
    }
}
