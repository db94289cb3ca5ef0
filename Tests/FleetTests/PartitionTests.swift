// SPDX-License-Identifier: Apache-2.0

import Fleet
import Testing

@Suite("Partitions and who comes first for them")
struct PartitionTests {
    @Test("a token's partition is the first ten bits of a hash, and for ever the same")
    func ofTokens() {
        // printf 'nestbox-part%s' TOKEN | sha256sum
        #expect(Partition(token: "").number == 302)
        #expect(Partition(token: "00c0ffee").number == 514)
    }

    @Test("there are 1,024 partitions, and no other numbers")
    func numbers() {
        #expect(Partition.all.count == 1024)
        #expect(Partition(-1) == nil)
        #expect(Partition(1024) == nil)
        #expect(Partition(1023)?.number == 1023)
    }

    @Test("hosts of one weight hold about as much, and one of twice the weight twice as much")
    func shares() {
        let hosts: [(name: String, weight: Double)] = [("a", 1), ("b", 1), ("c", 2), ("d", 0)]
        var shares: [String: Int] = [:]
        for part in Partition.all {
            let first = hosts.max {
                part.score(host: $0.name, weight: $0.weight) < part.score(host: $1.name, weight: $1.weight)
            }
            shares[first?.name ?? "", default: 0] += 1
        }
        // 256, 256 and 512 are expected; four standard deviations of a binomial are 56 and 64.
        #expect((200...312).contains(shares["a"] ?? 0))
        #expect((200...312).contains(shares["b"] ?? 0))
        #expect((448...576).contains(shares["c"] ?? 0))
        #expect(shares["d"] == nil)
    }

    @Test("a host that goes moves only what it was the first for")
    func leaving() {
        for part in Partition.all {
            let before = ["a", "b", "c"].max { part.score(host: $0, weight: 1) < part.score(host: $1, weight: 1) }
            let after = ["a", "b"].max { part.score(host: $0, weight: 1) < part.score(host: $1, weight: 1) }
            #expect(before == "c" || before == after)
        }
    }
}
