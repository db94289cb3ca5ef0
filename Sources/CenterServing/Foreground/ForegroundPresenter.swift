// SPDX-License-Identifier: Apache-2.0

import CenterStore
import Locking

/// Asks apps in front how what comes for them is shown, and shows it.
///
/// A notification lies in the store while its app is asked, so that a centre which dies meanwhile loses none: the next
/// one finds no app in front, and shows what it finds as in the background.
package struct ForegroundPresenter: Sendable {
    /// Rows that are read from the store in one piece.
    private static let pieceLimit = 256
    private static let retryPause = Duration.seconds(1)

    private let center: Center

    package init(_ center: Center) {
        self.center = center
    }

    /// Runs until the task is cancelled; what waits then is shown by the next centre.
    package func run(_ clock: any Clock<Duration>) async {
        await withDiscardingTaskGroup { group in
            var lines: [InstallationKey: ForegroundLine] = [:]
            var last: Int64 = 0
            while !Task.isCancelled {
                guard let rows = try? center.store.waiting(after: last, limit: Self.pieceLimit) else {
                    try? await clock.sleep(for: Self.retryPause)
                    continue
                }
                for row in rows {
                    last = row.id
                    let line = lines[row.installation] ?? ForegroundLine(center, row.installation, clock: clock)
                    lines[row.installation] = line
                    if line.add(row.id) { group.addTask { await line.run() } }
                }
                if rows.isEmpty { await center.foreground.hasNews.wait() }
            }
        }
    }
}
