// SPDX-License-Identifier: Apache-2.0

import Foundation

/// The shares of a fleet's hosts, which the first one of them has alone until it gives some back.
enum FleetShares {
    private struct Status: Decodable {
        struct Host: Decodable { let partitions: Int }
        let hosts: [Host]
    }

    private static let limit = Duration.seconds(300)

    /// Returns when each host holds most of an equal share, as "fleet status" says.
    static func settle(_ hosts: [HostProcess], of programs: String) async throws {
        let end = ContinuousClock.now + limit
        while try !isSettled(hosts, programs) {
            guard .now < end else { throw BenchError("the hosts have no equal shares after \(limit)") }
            try await Task.sleep(for: .seconds(1))
        }
    }

    private static func isSettled(_ hosts: [HostProcess], _ programs: String) throws -> Bool {
        let (command, output) = (Process(), Pipe())
        command.executableURL = URL(fileURLWithPath: programs + "/extension-host")
        command.arguments = ["fleet", "status", "--json", "--config", hosts[0].configuration]
        command.standardOutput = output
        try command.run()
        let text = output.fileHandleForReading.readDataToEndOfFile()
        command.waitUntilExit()
        let shares = try JSONDecoder().decode(Status.self, from: text).hosts.map(\.partitions)
        return shares.count == hosts.count && shares.allSatisfy { 10 * $0 * hosts.count > 7 * 1024 }
    }
}
