// SPDX-License-Identifier: Apache-2.0

import Foundation
import Testing

@testable import ExtensionWorker

struct WorkerThreadsTests {
    @Test func `a job never waits for another one`() throws {
        let threads = WorkerThreads(parkedLimit: 1)
        let (release, names) = (DispatchSemaphore(value: 0), Channel<pthread_t>())
        for _ in 0..<6 {
            let runs = threads.run {
                names.put(pthread_self())
                release.wait()
            }
            #expect(runs)
        }
        #expect(Set((0..<6).compactMap { _ in names.take() }).count == 6)
        for _ in 0..<6 { release.signal() }
    }
}
