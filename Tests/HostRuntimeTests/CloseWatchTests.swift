// SPDX-License-Identifier: Apache-2.0

import Foundation
import Interposed
import Testing

/// Nothing in the process of the tests may close what is not open.
struct CloseWatchTests {
    @Test(.enabled(if: close_is_watched(), "the thread sanitizer has a close of its own"))
    func `a descriptor that is closed twice ends the tests`() async throws {
        let result = try #require(
            await #expect(processExitsWith: .signal(SIGILL), observing: [\.standardErrorContent]) {
                let descriptor = dup(STDERR_FILENO)
                close(descriptor)
                close(descriptor)
            }
        )
        let words = String(decoding: result.standardErrorContent, as: UTF8.self)
        #expect(words.contains("was closed and is not open"))
    }

    @Test func `a failed open leaves nothing to close`() {
        #expect(close(-1) == -1)
        #expect(errno == EBADF)
    }
}
