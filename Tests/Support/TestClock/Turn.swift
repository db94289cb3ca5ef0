// SPDX-License-Identifier: Apache-2.0

extension Task where Success == Never, Failure == Never {
    /// Lets other tasks run, in a loop that waits for a condition.
    ///
    /// Throws `CancellationError` once the test's time is over, so that a condition which never comes true fails one
    /// test and not the whole run.
    package static func turn() async throws {
        try checkCancellation()
        await yield()
    }
}
