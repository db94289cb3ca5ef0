// SPDX-License-Identifier: Apache-2.0

import CenterStore
import DatabaseFile
package import UserNotificationCenter

/// Changes that depend on what the store has at the moment of the change, or change what is kept at hand of it.
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
    /// The closure runs on the thread that writes, which nobody else has meanwhile. No work writes nothing. The results
    /// are in the order of the work.
    @discardableResult
    func perform(
        _ decide: @escaping @Sendable (CenterStore) throws(DatabaseFailure) -> [CenterWork]
    ) async throws(DatabaseFailure) -> [WorkResult] {
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
        return results
    }

    /// Removes an app of an owner with everything that the store keeps of it; false means that the owner does not have
    /// it.
    func uninstall(_ key: InstallationKey) async throws(DatabaseFailure) -> Bool {
        let work = [CenterWork.removeInstallation(key)]
        let results = try await commits.perform { [self] _ throws(DatabaseFailure) in
            let results = try commits.commitNow(work)
            // On the thread on which permissions change, so that none is noted for an app that has gone.
            forgetPermission(of: key)
            return results
        }
        tell(work, results)
        guard case .uninstalled? = results.first else { return false }
        // As long as nobody has decided about it, the extension of an app runs.
        gateNews.add(key)
        return true
    }
}
