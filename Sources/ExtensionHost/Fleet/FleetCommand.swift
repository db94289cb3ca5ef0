// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import Fleet

/// Makes a fleet and tells how it is.
struct FleetCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "fleet",
        abstract: "Makes the database and the key of several hosts that act as one, and tells how they are.",
        subcommands: [Keygen.self, Init.self, FleetImportCommand.self, FleetStatusCommand.self, Drain.self]
    )

    struct Keygen: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "keygen",
            abstract: "Makes the key of a fleet, in a new file that its user alone may read.",
            discussion: """
                The key seals what the hosts leave for one another in the database. Copy the file to each of them.

                Example:
                  extension-host fleet keygen fleet.key
                """
        )

        @Argument(help: "The new file.", completion: .file())
        var file: String

        func run() throws { try FleetKey.make(file: file) }
    }

    struct Init: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "init",
            abstract: "Makes a fleet in a database that has none, as a superuser, and lets roles act as its hosts.",
            discussion: """
                Makes the schema "nestbox" with all that is in it. Hosts need no more than to call its functions, so
                give each a role of its own, made with CREATE ROLE … LOGIN, and name them here. With roles alone, on a
                database that has a fleet, it lets further ones in.

                Example:
                  extension-host fleet init --database "host=db1 dbname=nestbox user=postgres" --role web1 --role web2
                """
        )

        @Option(help: "How libpq reaches the database as a superuser: a connection string or a URI.")
        var database: String

        @Option(help: "A role that acts as a host; may be given several times.")
        var role: [String] = []

        func run() throws {
            let known = try ask { () throws(FleetError) in try FleetDatabase.name(of: database) }
            if let known, role.isEmpty {
                throw CommandError(
                    "the database has the fleet \(known) already",
                    hint: "\"--role NAME\" lets a further host in"
                )
            }
            try ask { () throws(FleetError) in
                let fleet = if let known { known } else { try FleetDatabase.create(database) }
                for role in role { try FleetDatabase.grant(to: role, database) }
                print(known == nil ? "made fleet \(fleet)" : "fleet \(fleet)")
            }
        }
    }

    struct Drain: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "drain",
            abstract: "Has others work on what a host holds, as a superuser; the host runs on, and accepts for them.",
            discussion: """
                The host gives back some partitions each second, and is done after about a minute: "fleet status" tells
                how many it still has. It takes none until "--undo" or its next start. A host that is stopped gives
                everything back by itself, within seconds.

                Example:
                  extension-host fleet drain web2 --database "host=db1 dbname=nestbox user=postgres"
                """
        )

        @Argument(help: "The host's name in the fleet.")
        var host: String

        @Option(help: "How libpq reaches the database as a superuser: a connection string or a URI.")
        var database: String

        @Flag(help: "Have the host take part again.")
        var undo = false

        func run() throws {
            try ask { () throws(FleetError) in try FleetDatabase.setLeaving(!undo, host: host, database) }
            let drained = "gives back what it holds; \"fleet status\" shows how far"
            print("\(host) \(undo ? "takes part again" : drained)")
        }
    }
}

extension ParsableCommand {
    /// Asks a fleet's database, and tells people what went wrong.
    fileprivate func ask<Value>(_ body: () throws(FleetError) -> Value) throws(CommandError) -> Value {
        do throws(FleetError) { return try body() } catch { throw CommandError(error) }
    }
}
