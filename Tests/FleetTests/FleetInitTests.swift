// SPDX-License-Identifier: Apache-2.0

import DatabaseTesting
import Fleet
import PostgreSQL
import Testing

@Suite(
    "A fleet is made",
    .enabled(if: DatabaseServer.programs != nil, "\(DatabaseServer.missing)"),
    .timeLimit(.minutes(5))
)
struct FleetInitTests {
    @Test("of a role that somebody may log in as the schema is not, and a role that is not there is not let in")
    func roles() throws {
        let server = try DatabaseServer(settings: ["autovacuum": "off"])
        let conninfo = server.conninfo()
        #expect(try FleetDatabase.name(of: conninfo) == nil)
        try server.connect().runScript("CREATE ROLE nestbox LOGIN")
        let taken = FleetError.ownerLogsIn(
            "the role \"nestbox\" can log in or is a superuser, and the schema is to belong to it"
        )
        #expect(throws: taken) { try FleetDatabase.create(conninfo) }
        // Nothing of it is there.
        #expect(try FleetDatabase.name(of: conninfo) == nil)
        try server.connect().runScript("ALTER ROLE nestbox NOLOGIN")
        let name = try FleetDatabase.create(conninfo)
        #expect(try FleetDatabase.name(of: conninfo) == name)
        let missing = DatabaseError.refused(state: .undefinedObject, message: "role \"web1\" does not exist")
        #expect(throws: FleetError.database(missing)) { try FleetDatabase.grant(to: "web1", conninfo) }
        #expect(missing.nextStep == "make the role first: CREATE ROLE web1 LOGIN")
    }

    @Test("what a server lacks is said, the worst first")
    func weaknesses() throws {
        let server = try DatabaseServer(settings: ["autovacuum": "off", "full_page_writes": "off"])
        _ = try FleetDatabase.create(server.conninfo())
        let facts = try FleetDatabase(server.conninfo(), patience: .seconds(60)).facts()
        #expect(
            facts.weaknesses.map(\.reason) == [
                "the fleet's database has \"fsync\" off", "the fleet's database has \"full_page_writes\" off",
                "the fleet's database has no synchronous standby",
            ]
        )
    }
}
