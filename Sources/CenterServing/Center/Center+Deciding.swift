// SPDX-License-Identifier: Apache-2.0

import CenterStore
import DatabaseFile

/// Changes that depend on what the store has at the moment of the change.
extension Center {
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
            do throws(DatabaseFailure) { return (work, try store.commit(work, at: clock.wall())) } catch {
                for key in waits { foreground.settle(key, count: 1) }
                throw error
            }
        }
        tell(work, results)
    }
}
