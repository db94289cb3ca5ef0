// SPDX-License-Identifier: Apache-2.0

import DatabaseFile
import Locking
import Logging

/// Has what hangs on the hours of owners happen: the summary, the end of Do Not Disturb, and another zone of the
/// machine.
///
/// The look comes each half minute and when an owner wants something else, so that a clock that is set and a machine
/// that was suspended are no cases of their own.
package struct OwnerHours: Sendable {
    private static let pause = Duration.seconds(30)

    private let center: Center

    package init(_ center: Center) {
        self.center = center
    }

    /// Looks until the task is cancelled.
    package func run(_ clock: some Clock<Duration>) async {
        while !Task.isCancelled {
            // First: the others read the owners' clocks.
            await attempt("time zone not followed") { center throws(DatabaseFailure) in
                try await ZoneWatch(center).look()
            }
            await attempt("summary not released") { center throws(DatabaseFailure) in
                try await SummaryRelease(center).look()
            }
            await attempt("Do Not Disturb not followed") { center throws(DatabaseFailure) in
                try await QuietWatch(center).look()
            }
            await withTaskGroup(of: Void.self) { group in
                group.addTask { try? await clock.sleep(for: Self.pause) }
                group.addTask { [center] in await center.wishesChanged.wait() }
                await group.next()
                group.cancelAll()
            }
        }
    }

    private func attempt(_ failure: Logger.Message, _ look: (Center) async throws(DatabaseFailure) -> Void) async {
        do { try await look(center) } catch { center.logger.error(failure, metadata: ["error": "\(error)"]) }
    }
}
