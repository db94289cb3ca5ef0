// SPDX-License-Identifier: Apache-2.0

import CLinux
import Fleet
import Foundation
import PostgreSQL

/// `fleet` of host.yaml: the database that several hosts share.
struct FleetConfiguration: ConfigurationMapping {
    private(set) var database = ""
    private(set) var keyFile = ""
    private(set) var openingKeyFiles: [String] = []
    private(set) var host: String?
    private(set) var weight = 1
    private(set) var lease = Duration.seconds(5)
    private(set) var isUnsafe = false

    static var rows: [ConfigurationRow<Self>] {
        ConfigurationRow(
            "database",
            .text,
            \.database,
            "How libpq reaches the database: a connection string or a URI, as for psql.",
            required: true,
            example: "host=db1,db2 dbname=nestbox user=web1 target_session_attrs=read-write"
        )
        ConfigurationRow(
            "key",
            .path,
            \.keyFile,
            "The fleet's key, the same on every host, which seals what hosts leave for one another: `fleet keygen` makes it.",
            required: true,
            example: "fleet.key"
        )
        ConfigurationRow(
            "opening-keys",
            .paths,
            \.openingKeyFiles,
            "Keys that open what hosts left as well: the coming one before `key` is changed, the former one after it.",
            example: "[former.key]"
        )
        ConfigurationRow(
            "host",
            hostName,
            \.host,
            "The host's name in the fleet, which no other host has.",
            standard: "the machine's name",
            example: "web-1"
        )
        ConfigurationRow(
            "weight",
            .integer(0...1000),
            \.weight,
            "The host's share of the devices, beside those of the others; with 0 it works only if no other host does.",
            example: "2"
        )
        ConfigurationRow(
            "lease",
            .duration.checked("duration, `3s` to `10m`", example: "10s") { lease, place throws(ConfigurationFaults) in
                guard (.seconds(3) ... .seconds(600)).contains(lease) else {
                    throw place.fault("must be from 3s to 10m")
                }
            },
            \.lease,
            "The time after which others take over from a host that the database does not hear of."
        )
        ConfigurationRow(
            "unsafe",
            .flag,
            \.isUnsafe,
            "Serves on a server that may lose what it has accepted: without a synchronous standby, or with `fsync` off.",
            example: "true"
        )
    }

    private static var hostName: ConfigurationType<String> {
        .text.checked("up to 64 letters, digits, `.`, `_` and `-`", example: "web-1") {
            name,
            place throws(ConfigurationFaults) in
            guard isHostName(name) else {
                throw place.fault("must be up to 64 letters, digits, \".\", \"_\" and \"-\"")
            }
        }
    }

    private static func isHostName(_ name: String) -> Bool {
        (1...64).contains(name.utf8.count)
            && name.utf8.allSatisfy { byte in
                switch byte {
                case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                    UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "."), UInt8(ascii: "_"), UInt8(ascii: "-"):
                    true
                default: false
                }
            }
    }

    mutating func judge(_ fleet: ConfigurationSection<Self>) throws(ConfigurationFaults) {
        guard host == nil else { return }
        let machine = ProcessInfo.processInfo.hostName
        guard Self.isHostName(machine) else {
            throw fleet.fault(\.host, "is missing, and the machine has no name for it", hint: "write \"host: web-1\"")
        }
        host = machine
    }
}

extension FleetConfiguration {
    /// The host as it joins.
    var member: FleetMember {
        FleetMember(host: host ?? "", version: NESTBOX_VERSION, lease: lease, weight: Double(weight))
    }

    /// The files of all keys, that of the sealing one first.
    var allKeyFiles: [String] { [keyFile] + openingKeyFiles }

    /// Reads the files of all keys: call it before the host is confined.
    func keys() throws(CommandError) -> FleetKeys {
        var opening: [[UInt8]] = []
        for file in openingKeyFiles { opening.append(try FleetKey(file: file).bytes) }
        return FleetKeys(sealing: try FleetKey(file: keyFile).bytes, opening: opening)
    }

    /// Refuses a key that cannot be used, and a connection string that is none; connects to nothing.
    func check() throws(CommandError) {
        _ = try keys()
        let string: ConnectionString
        do throws(DatabaseError) {
            string = try ConnectionString(checked: database)
        } catch {
            throw CommandError(FleetError.database(error))
        }
        let environment = ProcessInfo.processInfo.environment
        let known = [
            string.options["user"], string.options["service"], environment["PGUSER"], environment["PGSERVICE"],
        ]
        guard known.contains(where: { $0 != nil }) else {
            throw CommandError(
                "the connection string of \"fleet\" names no user",
                hint: "add \"user=web1\": a host that serves may not look up its own name"
            )
        }
        guard let file = string.relativeFiles.first else { return }
        throw CommandError(
            "\"\(file)\" in the connection string of \"fleet\" is no absolute path",
            hint: "write it from the root on"
        )
    }

    /// Refuses a server that would not keep what senders are promised, and a clock that is far off.
    func judge(_ facts: FleetFacts, now: Date) throws(CommandError) {
        let offset = Double(facts.clock) / 1000 - now.timeIntervalSince1970
        guard abs(offset) < 60 else {
            throw CommandError(
                "this machine's clock is \(Int(abs(offset))) s off the clock of the fleet's database",
                hint: "set both by NTP: pushes would expire too early or too late"
            )
        }
        if abs(offset) > 2 {
            Terminal.warning("this machine's clock is \(Int(abs(offset))) s off the clock of the fleet's database")
        }
        guard (facts.oldestSchema...max(facts.oldestSchema, facts.schema)).contains(FleetSchema.version) else {
            throw CommandError(
                "the fleet's database has schema \(facts.oldestSchema) to \(facts.schema), and this program knows "
                    + "\(FleetSchema.version)",
                hint: FleetError.otherSchema("").nextStep
            )
        }
        guard let weakness = facts.weaknesses.first else { return }
        if isUnsafe { return Terminal.warning("\(weakness.reason): what was accepted may be lost") }
        throw CommandError(
            "\(weakness.reason), so what was accepted may be lost",
            hint: "\(weakness.nextStep); \"unsafe: true\" serves all the same"
        )
    }
}

extension FleetError: CommandFailure {
    package var commandError: CommandError { CommandError("the fleet's database: \(message)", hint: nextStep) }
}
