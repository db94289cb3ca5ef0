// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import Fleet
import Foundation
import NotificationPayload

/// Tells who is in the fleet of a host's configuration, who works on how much, and what the server is.
struct FleetStatusCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "status",
        abstract: "Tells which hosts a fleet has, how many partitions each holds, and what its server lacks.",
        discussion: """
            Exit status 1 if a partition is nobody's, the server may lose what was accepted, or a transaction on it has
            kept the hosts from reading for ten seconds.

            Example:
              extension-host fleet status --config host.yaml
            """
    )

    @Option(help: "The configuration of one of its hosts, host.yaml.", completion: .file())
    var config: String

    @Flag(help: "Print JSON, one object.")
    var json = false

    func run() throws {
        let configuration = try HostConfiguration(file: config)
        guard let fleet = configuration.fleet else { throw HostConfiguration.noFleet(config) }
        let facts: FleetFacts
        let members: [FleetSnapshot.Listed]
        let holdings: [FleetSnapshot.Holding]
        do throws(FleetError) {
            let database = try FleetDatabase(fleet.database)
            defer { database.close() }
            (facts, members, holdings) = (try database.facts(), try database.members(), try database.holders())
        } catch {
            throw CommandError(error)
        }
        let report = FleetReport(facts: facts, members: members, holdings: holdings)
        print(json ? String(decoding: report.json.serialized, as: UTF8.self) : report.text)
        guard report.isSound else { throw ExitCode.refused }
    }
}

extension HostConfiguration {
    /// The error about a configuration without a fleet.
    static func noFleet(_ file: String) -> CommandError {
        CommandError(
            "\(file) has no \"fleet\", so the host serves alone",
            hint: "docs/fleet.md shows how hosts join one"
        )
    }
}

/// The state of a fleet at one moment, in words and as JSON.
struct FleetReport {
    private struct Host {
        let name: String
        let version: String
        let weight: Double
        let state: String
        let partitions: Int
    }

    private let facts: FleetFacts
    private let hosts: [Host]
    /// Partitions that no living host holds.
    private let free: Int

    init(facts: FleetFacts, members: [FleetSnapshot.Listed], holdings: [FleetSnapshot.Holding]) {
        self.facts = facts
        let counts = holdings.reduce(into: [Int64: Int]()) { counts, holding in
            if let holder = holding.holder { counts[holder, default: 0] += 1 }
        }
        hosts = members.map { member in
            Host(
                name: ForeignText.visible(member.host),
                version: ForeignText.visible(member.version),
                weight: member.weight,
                state: member.isDead ? "gone" : member.isLeaving ? "leaving" : "member",
                partitions: counts[member.session] ?? 0
            )
        }
        .sorted { ($0.name, $0.state) < ($1.name, $1.state) }
        free = holdings.count - hosts.reduce(0) { $0 + ($1.state == "gone" ? 0 : $1.partitions) }
    }

    /// The longest time for which a transaction may hold up the reading of all hosts.
    private static let patience = Duration.seconds(10)

    var isSound: Bool { free == 0 && facts.weaknesses.isEmpty && facts.horizonAge < Self.patience }

    var text: String {
        let width = hosts.map(\.name.count).max() ?? 0
        var lines = [
            "fleet \(facts.fleet), PostgreSQL \(facts.version / 10_000), \(facts.standbys) synchronous standbys"
        ]
        lines += hosts.map { host in
            let name = host.name.padding(toLength: width, withPad: " ", startingAt: 0)
            let share = host.weight == 1 ? "" : ", weight \(host.weight.formatted())"
            return "\(name)  \(host.state), \(host.partitions) partitions, version \(host.version)\(share)"
        }
        if hosts.isEmpty { lines.append("no host is a member") }
        if free > 0 { lines.append("\(free) partitions are with no host: what is accepted for their devices waits") }
        if facts.horizonAge >= Self.patience {
            let age = facts.horizonAge.components.seconds
            lines.append("a transaction has written for \(age) s: what was accepted since then waits for its end")
        }
        lines += facts.weaknesses.map { "\($0.reason): \($0.nextStep)" }
        return lines.joined(separator: "\n")
    }

    var json: JSONObject {
        [
            "fleet": .string(facts.fleet), "version": .integer(Int64(facts.version)),
            "standbys": .integer(Int64(facts.standbys)), "free": .integer(Int64(free)),
            "oldestWriter": .integer(facts.horizonAge.components.seconds),
            "hosts": .array(
                hosts.map { host in
                    [
                        "name": .string(host.name), "state": .string(host.state), "version": .string(host.version),
                        "weight": .double(host.weight), "partitions": .integer(Int64(host.partitions)),
                    ]
                }
            ),
            "weaknesses": .array(facts.weaknesses.map { .string($0.reason) }),
        ]
    }
}
