// SPDX-License-Identifier: Apache-2.0

import CenterStore
import DatabaseFile
package import UserNotificationCenter

/// Changes that depend on what the store has at the moment of the change.
extension Center {
    /// The effect of an owner's decision.
    package enum Decided: Sendable, Equatable {
        case decided(AppPermission)
        /// Somebody else has decided.
        case tooLate(AppPermission)
        case unknownApp
    }

    /// Does what `decide` makes of the store: no other change comes between its reading and its writing.
    ///
    /// The closure runs on the thread that writes, which nobody else has meanwhile. No work writes nothing.
    func perform(
        _ decide: @escaping @Sendable (CenterStore) throws(DatabaseFailure) -> [CenterWork]
    ) async throws(DatabaseFailure) {
        let (work, results) = try await commits.perform {
            [self] store throws(DatabaseFailure) -> ([CenterWork], [WorkResult]) in
            let work = try decide(store)
            guard !work.isEmpty else { return ([], []) }
            let waits = work.compactMap(\.waiting)
            foreground.wait(waits)
            do throws(DatabaseFailure) { return (work, try commits.commitNow(work)) } catch {
                for key in waits { foreground.settle(key, count: 1) }
                throw error
            }
        }
        tell(work, results)
    }
}
