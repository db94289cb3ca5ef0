// SPDX-License-Identifier: Apache-2.0

import CLauncherProtocol
import Testing

@testable import ExtensionHost

struct DescriptorLimitTests {
    @Test(arguments: [(256, 2), (528, 2), (1024, 64), (4096, 448), (4608, 512), (1_048_576, 512)])
    func `workers at once follow from the descriptors`(descriptors: Int, workers: Int) {
        #expect(DescriptorLimit.processLimit(descriptors: descriptors) == workers)
    }

    @Test func `the launcher has a place for every worker, and for an opener beside its successor`() {
        #expect(DescriptorLimit.processLimit(descriptors: .max) + 2 <= Int(LAUNCHER_MAXIMUM_PROCESSES))
    }
}
