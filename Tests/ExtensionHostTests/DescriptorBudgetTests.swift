// SPDX-License-Identifier: Apache-2.0

import CLauncherProtocol
import NetworkProxy
import Testing

@testable import ExtensionHost

/// The parts of a host never have more descriptors together than the process may have.
struct DescriptorBudgetTests {
    private typealias Demand = DescriptorBudget.Demand

    private static let demands: [Demand] = [
        Demand(), Demand(listeners: 1), Demand(listeners: 2, processors: 2), Demand(listeners: 1, keyFiles: 1000),
        Demand(listeners: 1, views: 32), Demand(listeners: 1, lineClients: 64, processors: 64),
        Demand(listeners: 1, proxySockets: 256, keyFiles: 56),
        Demand(
            listeners: 2,
            lineClients: 64,
            adminConnections: 32,
            webhookConnections: 24,
            fileSinks: 3,
            proxySockets: 4000,
            keyFiles: 1000,
            processors: 8
        ),
    ]

    @Test func `under no limit may the parts have more than the process, or less than they need`() throws {
        for demand in Self.demands {
            let needed = DescriptorBudget.needed(for: demand)
            for limit in Array(needed..<(needed + 1200)) + [2048, 4096, 8192, 65_536, 524_288, .max]
            where limit >= needed {
                let budget = try DescriptorBudget(limit: limit, demand)
                let used =
                    DescriptorBudget.fixed(demand) + budget.workers * DescriptorBudget.perWorker
                    + budget.connections * demand.listeners
                #expect(used <= limit, "\(limit) \(demand)")
                let launcher =
                    DescriptorBudget.launcherFixed(demand) + budget.workers * DescriptorBudget.launcherPerWorker
                #expect(launcher <= limit, "\(limit) \(demand)")
                #expect(budget.workers >= 2 && budget.workers <= 512)
                #expect(budget.connections <= 1024)
                #expect(demand.listeners == 0 || budget.connections >= 16, "\(limit) \(demand)")
            }
        }
    }

    @Test func `a limit that is one too low is refused with what is needed`() {
        for demand in Self.demands {
            let needed = DescriptorBudget.needed(for: demand)
            #expect(throws: DescriptorBudget.TooFewDescriptors(limit: needed - 1, needed: needed)) {
                try DescriptorBudget(limit: needed - 1, demand)
            }
        }
    }

    @Test func `every part of a host is counted`() {
        let none = DescriptorBudget.fixed(Demand())
        let parts: [(demand: Demand, count: Int)] = [
            (Demand(listeners: 1), 56), (Demand(listeners: 2), 112), (Demand(lineClients: 64), 68),
            (Demand(adminConnections: 32), 36), (Demand(webhookConnections: 24), 24), (Demand(fileSinks: 3), 6),
            (Demand(storages: 9), 9), (Demand(views: 32), 778), (Demand(proxySockets: 256), 392),
            (Demand(processors: 4), 18),
        ]
        for (demand, count) in parts { #expect(DescriptorBudget.fixed(demand) - none == count, "\(demand)") }
        let keys = DescriptorBudget.launcherFixed(Demand(keyFiles: 56))
        #expect(keys - DescriptorBudget.launcherFixed(Demand()) == 56)
    }

    @Test func `what is needed is what two workers and sixteen connections need, and what the launcher does`() {
        #expect(DescriptorBudget.needed(for: Demand(listeners: 1)) == 200)
        #expect(DescriptorBudget.needed(for: Demand(keyFiles: 1000)) == 1136)
    }

    @Test(arguments: [(256, 5, 41), (512, 21, 169), (1024, 53, 425), (4096, 362, 1024), (65_536, 512, 1024)])
    func `a gateway and its extensions share what is left`(limit: Int, workers: Int, connections: Int) throws {
        let budget = try DescriptorBudget(limit: limit, Demand(listeners: 1, keyFiles: 1, processors: 2))
        #expect(budget.workers == workers)
        #expect(budget.connections == connections)
    }

    @Test func `the refusal names the limit and the repair`() {
        let error = CommandError(DescriptorBudget.TooFewDescriptors(limit: 64, needed: 190))
        #expect(
            error.message
                == "the descriptor limit of 64 is too low for this configuration, which needs at least 190"
        )
        #expect(
            error.hint
                == "raise the hard limit: \"LimitNOFILE=4096\" in a unit of systemd, \"ulimit -Hn\" in a shell"
        )
    }

    @Test func `the launcher has a place for every worker and view, and for an opener beside its successor`() throws {
        for views in [0, 32] {
            let budget = try DescriptorBudget(limit: .max, Demand(views: views))
            #expect(budget.workers + views + 2 <= Int(LAUNCHER_MAXIMUM_PROCESSES))
        }
    }
}
