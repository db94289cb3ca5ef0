// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import ExtensionHost

/// The setting of glibc's caches, beside what an operator has set.
struct ThreadCachesTests {
    @Test(arguments: [nil, ""])
    func `an environment without tunables gets the setting alone`(given: String?) {
        #expect(ThreadCaches.tunables(given: given) == "glibc.malloc.tcache_count=2")
    }

    @Test func `an operator's other tunables are kept`() {
        #expect(
            ThreadCaches.tunables(given: "glibc.malloc.perturb=7")
                == "glibc.malloc.perturb=7:glibc.malloc.tcache_count=2"
        )
    }

    @Test(arguments: ["glibc.malloc.tcache_count=1", "glibc.malloc.perturb=7:glibc.malloc.tcache_count=5"])
    func `a setting that is there stays, so that the program starts anew at most once`(given: String) {
        #expect(ThreadCaches.tunables(given: given) == nil)
    }
}
