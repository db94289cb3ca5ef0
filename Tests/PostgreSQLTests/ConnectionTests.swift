// SPDX-License-Identifier: Apache-2.0

import DatabaseTesting
import Glibc
import Testing

@testable import PostgreSQL

@Suite("A connection to PostgreSQL", .enabled(if: DatabaseServer.programs != nil, "\(DatabaseServer.missing)"))
struct ConnectionTests {
    static let server = Result { try DatabaseServer() }

    @Test("every kind of value comes back as it went")
    func values() throws {
        let connection = try Self.server.get().connect()
        let echo = Statement(
            "echo",
            """
            SELECT $1::boolean, $2::smallint, $3::int, $4::bigint, $5::text, $6::bytea, $7::text,
                array_to_string($8::smallint[], ','), array_to_string($9::int[], ','),
                array_to_string($10::bigint[], ','), array_to_string($11::text[], ',', 'null'),
                ($12::bytea[])[2], cardinality($13::bytea[]), $14::float8 = 0.5
            """
        )
        let rows = try connection.run(
            echo,
            [
                .boolean(true), .int16(-2), .int32(-3), .int64(.min), .text("Grüße 👋"), .bytes([0, 255, 0]), .null,
                .int16s([1, -1]), .int32s([7]), .int64s([.max, 0]), .texts(["a", nil, ""]),
                .byteArrays([[1], [], [0, 2]]), .byteArrays([]), .double(0.5),
            ]
        )
        #expect(rows.count == 1)
        #expect(try rows.boolean(0, 0) == true)
        #expect(try rows.int16(0, 1) == -2)
        #expect(try rows.int32(0, 2) == -3)
        #expect(try rows.int64(0, 3) == .min)
        #expect(try rows.text(0, 4) == "Grüße 👋")
        #expect(try rows.bytes(0, 5) == [0, 255, 0])
        #expect(try rows.isNull(0, 6) == true)
        #expect(try rows.optionalText(0, 6) == nil)
        #expect(try rows.text(0, 7) == "1,-1")
        #expect(try rows.text(0, 8) == "7")
        #expect(try rows.text(0, 9) == "\(Int64.max),0")
        #expect(try rows.text(0, 10) == "a,null,")
        #expect(try rows.bytes(0, 11) == [])
        #expect(try rows.int32(0, 12) == 0)
        #expect(try rows.boolean(0, 13) == true)
    }

    @Test("a value that is asked for as something else is an error, and so is one that is not there")
    func malformed() throws {
        let connection = try Self.server.get().connect()
        let rows = try connection.run(Statement("three", "SELECT 1::bigint, NULL::bigint, '\\xff'::bytea"))
        #expect(throws: DatabaseError.malformed("a number of 8 bytes in place of 4")) { _ = try rows.int32(0, 0) }
        #expect(throws: DatabaseError.malformed("column 1 is null")) { _ = try rows.int64(0, 1) }
        #expect(try rows.optionalInt64(0, 1) == nil)
        #expect(throws: DatabaseError.malformed("column 2 is not UTF-8")) { _ = try rows.text(0, 2) }
        #expect(throws: DatabaseError.malformed("row 1, column 0 of 1 rows with 3 columns")) {
            _ = try rows.int64(1, 0)
        }
        #expect(throws: DatabaseError.malformed("row 0, column 3 of 1 rows with 3 columns")) {
            _ = try rows.int64(0, 3)
        }
    }

    @Test("what the server refuses is an error with its code, and the connection goes on")
    func refused() throws {
        let connection = try Self.server.get().connect()
        let wrong = Statement("wrong", "SELECT * FROM nothing")
        let refusal = DatabaseError.refused(state: .undefinedTable, message: "relation \"nothing\" does not exist")
        #expect(throws: refusal) { try connection.run(wrong) }
        #expect(throws: refusal) { try connection.run(wrong) }
        #expect(throws: DatabaseError.refused(state: "22012", message: "division by zero")) {
            try connection.run(Statement("divide", "SELECT 1 / $1::int"), [.int32(0)])
        }
        #expect(connection.isOpen)
        #expect(try connection.run(Statement("one", "SELECT 1")).int32(0, 0) == 1)
        #expect(connection.serverVersion >= 150_000)
    }

    @Test("a script is one transaction")
    func script() throws {
        let connection = try Self.server.get().connect()
        #expect(throws: DatabaseError.refused(state: "22012", message: "division by zero")) {
            try connection.runScript("CREATE TABLE half (); SELECT 1 / 0")
        }
        try connection.runScript("CREATE TABLE half ()")
    }

    @Test("no server, no such role: nothing was asked, and the error says what is wrong")
    func unreachable() throws {
        let server = try Self.server.get()
        #expect(
            throws: DatabaseError.unreachable(
                "connection to server on socket \"/nowhere/.s.PGSQL.5432\" failed: No such file or directory; "
                    + "Is the server running locally and accepting connections on that socket?"
            )
        ) { try Connection("host=/nowhere", application: "tests") }
        #expect(
            throws: DatabaseError.unreachable(
                "connection to server on socket \"\(server.folder)/.s.PGSQL.5432\" failed: "
                    + "FATAL:  role \"nobody\" does not exist"
            )
        ) { try server.connect(role: "nobody") }
    }

    @Test(
        "of several servers another one comes first, each with its own port",
        arguments: [
            ("host=a,b,c port=1 dbname=x", 1, ["host": "b,c,a"]),
            ("host=a,b port=1,2", 3, ["host": "b,a", "port": "2,1"]),
            ("postgresql://u@a:1,b:2/x", 1, ["host": "b,a", "port": "2,1"]),
            ("hostaddr=10.0.0.1,10.0.0.2 host=a,b", 1, ["host": "b,a", "hostaddr": "10.0.0.2,10.0.0.1"]),
            ("host=a dbname=x", 1, [:]), ("dbname=x", 5, [:]),
        ]
    )
    func servers(_ text: String, first: Int, options: [String: String]) throws {
        let string = try #require(ConnectionString(text))
        #expect(Dictionary(string.servers(beginningWith: first)) { $1 } == options)
    }

    @Test(
        "a server that was reached is found among those of the text",
        arguments: [
            ("host=a,b,c port=1", 0, "c", "1", 2), ("host=a,a port=1,2", 0, "a", "2", 1),
            ("host=a,a", 1, "a", "5432", 1),
            ("host=a port=1,2", 0, "a", "2", 1), ("hostaddr=10.0.0.1,10.0.0.2", 0, "10.0.0.2", "5432", 1),
            ("host=a,b", 3, "elsewhere", "5432", 1), ("dbname=x", 5, "/tmp", "5432", 0),
        ]
    )
    func place(_ text: String, first: Int, host: String, port: String, place: Int) throws {
        let string = try #require(ConnectionString(text))
        #expect(string.place(of: host, port, beginningWith: first) == place)
    }

    @Test("a connection knows which of several servers it has reached")
    func reached() throws {
        let server = try Self.server.get()
        let conninfo = server.conninfo().replacing("host=\(server.folder)", with: "host=/nowhere,\(server.folder)")
        #expect(try Connection(conninfo, application: "tests").server == 1)
        #expect(try Connection(conninfo, application: "tests", beginningWith: 1).server == 1)
    }

    @Test(
        "of a connection string that is none the error tells nothing, for it may have a password in it",
        arguments: ["no sense=1", "password=my secret host=/nowhere", "postgresql://me:pa%ss@/nowhere"]
    )
    func malformed(conninfo: String) {
        #expect(throws: DatabaseError.unreachable("the connection string is malformed")) {
            try Connection(conninfo, application: "tests")
        }
        #expect(ConnectionString(conninfo) == nil)
    }

    @Test(
        "a password that is not escaped is not taken for a host, a port or a database",
        arguments: ["postgresql://me:se@cret@127.0.0.1/nestbox", "postgres://me:se/cret@127.0.0.1/nestbox"]
    )
    func unescaped(conninfo: String) {
        let said = "the connection string has an \"@\" or a \"/\" in a user or password: write %40, %2F"
        #expect(throws: DatabaseError.unreachable(said)) { try Connection(conninfo, application: "tests") }
    }

    @Test(
        "hosts may be folders and abstract sockets, and a database's name may stand alone",
        arguments: ["host=/run/a@b,@name dbname=x", "postgresql://me@db1:5432,db2:5433/x?host=/run/a@b", "nestbox"]
    )
    func legitimate(conninfo: String) throws {
        #expect(try ConnectionString(checked: conninfo).options["dbname"] != nil)
    }

    @Test("the files that a connection string names are known")
    func files() throws {
        let text = "host=db1 passfile=/etc/nestbox/pass sslrootcert=/etc/nestbox/ca.pem sslcert=relative.pem"
        let string = try #require(ConnectionString(text))
        #expect(string.options["host"] == "db1")
        #expect(string.files == ["/etc/nestbox/pass", "/etc/nestbox/ca.pem"])
    }

    @Test("a call without an answer in its time ends the connection, for the answer may still come")
    func unanswered() throws {
        let connection = try Self.server.get().connect()
        let asked = ContinuousClock.now
        #expect(throws: DatabaseError.unanswered("its time is over")) {
            try connection.run(Statement("sleep", "SELECT pg_sleep(600)"), within: .milliseconds(50))
        }
        #expect(ContinuousClock.now - asked < .seconds(300))
        #expect(!connection.isOpen)
        #expect(throws: DatabaseError.unreachable("the connection is closed")) {
            try connection.run(Statement("one", "SELECT 1"))
        }
    }

    /// The server reads nothing, and what is sent is more than the sockets hold.
    @Test("a call that a stopped server does not read has an end as well")
    func unread() throws {
        let server = try DatabaseServer()
        let connection = try server.connect()
        try connection.run(Statement("length", "SELECT length($1::bytea)"), [.bytes([1])])
        try server.signal(SIGSTOP)
        defer { try? server.signal(SIGCONT) }
        #expect(throws: DatabaseError.unanswered("its time is over")) {
            try connection.run(
                Statement("length", "SELECT length($1::bytea)"),
                [.bytes(Array(repeating: 0, count: 8 << 20))],
                within: .milliseconds(100)
            )
        }
        #expect(!connection.isOpen)
    }

    @Test("a server that dies leaves the call unanswered")
    func killed() throws {
        let server = try DatabaseServer()
        let connection = try server.connect()
        try server.signal(SIGKILL)
        #expect(throws: DatabaseError.self) { try connection.run(Statement("one", "SELECT 1")) }
        #expect(!connection.isOpen)
        try server.restart()
        #expect(try server.connect().run(Statement("one", "SELECT 1")).int32(0, 0) == 1)
    }

    @Test("a connection string decides over what is usual: a standby is refused unless it is asked for")
    func standby() throws {
        let primary = try DatabaseServer()
        let standby = try DatabaseServer(standbyOf: primary)
        #expect(
            throws: DatabaseError.unreachable(
                "connection to server on socket \"\(standby.folder)/.s.PGSQL.5432\" failed: session is read-only"
            )
        ) { try standby.connect() }
        let reader = try Connection(standby.conninfo() + " target_session_attrs=any", application: "tests")
        #expect(try reader.run(Statement("asleep", "SELECT pg_is_in_recovery()")).boolean(0, 0) == true)
        #expect(
            throws: DatabaseError.refused(
                state: .readOnlyTransaction,
                message: "cannot execute CREATE TABLE in a read-only transaction"
            )
        ) { try reader.runScript("CREATE TABLE mine ()") }
    }
}
