// SPDX-License-Identifier: Apache-2.0

/// The schema `nestbox` of a fleet's database, and what makes and changes it.
///
/// Tables belong to the role that makes them. A host's role may use the schema and call its functions, and nothing
/// else: every function runs with its owner's rights and asks for the session's secret where that matters.
package enum FleetSchema {
    /// The version that this program makes.
    package static let version: Int32 = 1
    /// Sessions that know only an older version may not join.
    package static let oldestVersion: Int32 = 1
    /// The number of shares into which a fleet's devices are divided, for ever.
    package static let partitions = 1024

    /// Makes everything in a database that has no fleet yet, as one script; `name` is the fleet's, eight hex digits.
    static func creation(name: String) -> String {
        """
        BEGIN;
        CREATE SCHEMA nestbox;
        \(FleetTables.sql)
        INSERT INTO nestbox.fleet (name, partitions, schema, oldest_schema)
            VALUES ('\(name)', \(partitions), \(version), \(oldestVersion));
        INSERT INTO nestbox.parts (part) SELECT generate_series(0, \(partitions - 1));
        \(functions)
        REVOKE ALL ON ALL FUNCTIONS IN SCHEMA nestbox FROM PUBLIC;
        COMMIT;
        """
    }

    /// Lets a role call what a host calls; `role` is an identifier in quotes.
    static func grants(to role: String) -> String {
        let calls = hostFunctions.map { "nestbox.\($0)" }.joined(separator: ", ")
        return """
            BEGIN;
            GRANT USAGE ON SCHEMA nestbox TO \(role);
            GRANT EXECUTE ON FUNCTION \(calls) TO \(role);
            COMMIT;
            """
    }

    private static var functions: String {
        [FenceFunctions.sql, MembershipFunctions.sql, IntakeFunctions.sql, LedgerFunctions.sql].joined(separator: "\n")
    }

    /// All that a host may call; what these call themselves is their owner's.
    package static let hostFunctions = [
        "facts", "join_fleet", "reattach", "beat", "holders", "take", "release", "drain", "depart", "accept",
        "read_waiting", "backlog", "known", "remember", "conclude", "settle", "outbox_heads", "records", "prune",
    ]
}
