// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import ExtensionWorker

struct RehearsalTests {
    @Test func `a rehearsal goes the whole way`() {
        #expect(Rehearsal.run())
    }
}
