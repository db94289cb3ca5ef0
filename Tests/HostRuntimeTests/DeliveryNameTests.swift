// SPDX-License-Identifier: Apache-2.0

import HostRuntime
import Testing

struct DeliveryNameTests {
    @Test(arguments: ["5f2c9a1e-1042", "0123456789abcdef-0", "a-9223372036854775807"])
    func `a name is read as it is written`(_ text: String) {
        #expect(DeliveryName(text)?.description == text)
    }

    @Test(arguments: ["", "-", "a-", "-1", "a", "a-1-2", "a--1", "a-+1", "a-01", "a-9223372036854775808", "a-1 "])
    func `whatever else is no name`(_ text: String) {
        #expect(DeliveryName(text) == nil)
    }
}
