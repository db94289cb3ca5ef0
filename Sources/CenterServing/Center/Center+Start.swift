// SPDX-License-Identifier: Apache-2.0

import CenterStore
package import DatabaseFile
import Dispatch
import Logging

/// The work that a former process left, files, responses and questions, what goes on meanwhile, and the end of this
/// one.
extension Center {
    /// Closes the store; nothing may be asked of the centre afterwards.
    package func close() async throws(DatabaseFailure) {
        try await commits.perform { store throws(DatabaseFailure) in try store.close() }
    }

    /// Takes up what a former process left in the middle: responses that an app had then wait for it again.
    package func takeUp() async throws(DatabaseFailure) {
        var last: Int64 = 0
        while let end = try takeUpWaiting(after: last) { last = end }
        last = 0
        while true {
            let page = try store.responses(after: last, limit: 256)
            guard let end = page.last?.id else { return }
            last = end
            let left = page.filter { $0.state == .sent }.map { CenterWork.step(response: $0.id, .returned) }
            _ = try await perform(left)
        }
    }

    /// Counts notifications that wait for an app's answer; returns the last row of a piece of them.
    private func takeUpWaiting(after row: Int64) throws(DatabaseFailure) -> Int64? {
        let rows = try store.waiting(after: row, limit: 256)
        foreground.wait(rows.map(\.installation))
        return rows.last?.id
    }

    /// Removes files that a former process left, beside whatever else goes on.
    package func sweepFiles() async {
        let swept = await withCheckedContinuation { answer in
            DispatchQueue.global().async { [store] in
                answer.resume(returning: Result { () throws(DatabaseFailure) in try store.sweepFiles() })
            }
        }
        switch swept {
        case .success(let count): if count > 0 { logger.info("files removed", metadata: ["count": "\(count)"]) }
        case .failure(let error): logger.error("files not removed", metadata: ["error": "\(error)"])
        }
    }

    /// Writes a comment to each watcher of events that has heard nothing for 20 to 25 s, until the task is cancelled.
    package func breakSilence(_ clock: some Clock<Duration>) async { await announcements.breakSilence(clock) }
}
