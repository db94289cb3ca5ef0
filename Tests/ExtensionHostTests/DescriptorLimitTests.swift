// SPDX-License-Identifier: Apache-2.0

import CLauncherProtocol
import NetworkProxy
import Testing

@testable import ExtensionHost

struct DescriptorLimitTests {
    @Test(arguments: [(256, 2), (528, 2), (1024, 64), (4096, 448), (4608, 512), (1_048_576, 512), (.max, 512)])
    func `workers at once follow from the descriptors`(descriptors: Int, workers: Int) {
        #expect(DescriptorLimit.processLimit(descriptors: descriptors, sockets: 256) == workers)
    }

    @Test(arguments: [(0, 256), (64, 256), (65, 260), (200, 800)])
    func `many apps with the network leave room for fewer workers`(apps: Int, sockets: Int) {
        #expect(NetworkProxy.Limits().sockets(apps: apps) == sockets)
        #expect(DescriptorLimit.processLimit(descriptors: 256 + sockets + 80, sockets: sockets) == 10)
    }

    @Test func `the launcher has a place for every worker, and for an opener beside its successor`() {
        #expect(DescriptorLimit.processLimit(descriptors: .max, sockets: 256) + 2 <= Int(LAUNCHER_MAXIMUM_PROCESSES))
    }
}
