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

    /// Makes everything in a database that has no fleet yet, as one script of a superuser; `name` is the fleet's.
    ///
    /// All of it belongs to a role `nestbox` that nobody logs in as. Beside its own tables it may end processes of the
    /// server, which a stuck writer needs, and see what others run, which `facts` needs. The locks that are the fence
    /// are taken by its functions alone: nobody else in this database may call those that take them.
    static func creation(name: String) -> String {
        """
        BEGIN;
        DO $$
        DECLARE
            v_function regprocedure;
        BEGIN
            IF NOT EXISTS (SELECT FROM pg_roles WHERE rolname = 'nestbox') THEN
                CREATE ROLE nestbox NOLOGIN;
            END IF;
            IF EXISTS (SELECT FROM pg_roles WHERE rolname = 'nestbox' AND (rolcanlogin OR rolsuper)) THEN
                RAISE EXCEPTION USING ERRCODE = 'NB008', MESSAGE =
                    'the role "nestbox" can log in or is a superuser, and the schema is to belong to it';
            END IF;
            FOR v_function IN SELECT oid FROM pg_proc
                WHERE pronamespace = 'pg_catalog'::regnamespace AND proname ~ '^pg_(try_)?advisory_'
            LOOP
                EXECUTE format('REVOKE EXECUTE ON FUNCTION %s FROM PUBLIC', v_function);
                EXECUTE format('GRANT EXECUTE ON FUNCTION %s TO nestbox', v_function);
            END LOOP;
        END $$;
        GRANT pg_signal_backend, pg_read_all_stats TO nestbox;
        CREATE SCHEMA nestbox AUTHORIZATION nestbox;
        SET LOCAL ROLE nestbox;
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
    ///
    /// Each host should have a role of its own: those of one role may end each other's connections.
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
        [
            FenceFunctions.sql, MembershipFunctions.sql, IntakeFunctions.sql, LedgerFunctions.sql, TokenFunctions.sql,
            DeadLetterFunctions.sql,
        ]
        .joined(separator: "\n")
    }

    /// All that a host may call; what these call themselves is their owner's.
    package static let hostFunctions = [
        "facts", "join_fleet", "reattach", "beat", "members", "holders", "take", "release", "drain", "depart", "accept",
        "pressure",
        "read_waiting", "backlog", "known", "remember", "conclude", "settle", "outbox_heads", "records", "prune",
        "revivals", "dead_letters", "count_dead", "revive", "drop_dead", "import_records", "add_tokens", "remove_token",
        "list_tokens", "find_tokens", "prune_tokens",
    ]
}
