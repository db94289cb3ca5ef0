// SPDX-License-Identifier: Apache-2.0

import NIOCore
import NIOPosix

/// One path beside another in the same run: rounds in turn, so that both meet the same load of the machine.
enum Comparison {
    static func measure(_ setting: Setting, beside other: Setting, rounds: Int, pushes: Int) async throws {
        let group = MultiThreadedEventLoopGroup(numberOfThreads: 1)
        let mint = try PushMint(setting)
        var pairs: [(sandboxed: Double, unconfined: Double)] = []
        try await HostProcess.with(setting) { host in
            try await HostProcess.with(other) { otherHost in
                let client = try await PushClient.connect(to: host, on: group.next())
                let otherClient = try await PushClient.connect(to: otherHost, on: group.next())
                for turn in 0...rounds {
                    // The same body is no replay to another opener, but each is sealed anew all the same.
                    let ours = try await PathBench.round(
                        client,
                        host,
                        try mint.make(pushes, tokens: setting.tokens),
                        PathBench.inFlight.few
                    )
                    let theirs = try await PathBench.round(
                        otherClient,
                        otherHost,
                        try mint.make(pushes, tokens: setting.tokens),
                        PathBench.inFlight.few
                    )
                    // The first turn warms both.
                    if turn > 0 { pairs.append((ours.perSecond, theirs.perSecond)) }
                }
                try await client.close()
                try await otherClient.close()
            }
        }
        try await group.shutdownGracefully()
        let ratios = pairs.map { $0.sandboxed / $0.unconfined }.sorted()
        let ratio = ratios[ratios.count / 2]
        print(
            "the sandbox on the whole path|||warm worker, \(rounds) rounds of \(pushes) pushes in turn with a launcher that separates nothing"
        )
        let hundredths = Int((ratio * 100).rounded())
        print(
            "  throughput with and without|\(hundredths / 100).\(hundredths % 100 < 10 ? "0" : "")\(hundredths % 100) ×|≥ 0.95 ×|"
                + "\(median(pairs.map(\.sandboxed))) and \(median(pairs.map(\.unconfined))) a second"
        )
    }

    private static func median(_ values: [Double]) -> Int {
        Int(values.sorted()[values.count / 2].rounded())
    }
}
