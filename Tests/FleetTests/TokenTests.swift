// SPDX-License-Identifier: Apache-2.0

import DatabaseTesting
import Fleet
import Glibc
import PostgreSQL
import Testing

@Suite(
    "Device tokens in a real database",
    .enabled(if: DatabaseServer.programs != nil, "\(DatabaseServer.missing)"),
    .serialized,
    .timeLimit(.minutes(10))
)
struct TokenTests {
    static let server = FleetFixture.server()
    static let chat = "com.example.chat"
    static let mail = "com.example.mail"

    static func offer(
        _ token: String,
        _ topic: String = chat,
        environment: String = "production",
        owner: String = "me"
    ) -> OfferedToken {
        OfferedToken(token: token, topic: topic, environment: environment, owner: owner)
    }

    /// The row of a token, without its times.
    static func row(_ token: String, _ fixture: FleetFixture) throws -> String? {
        try fixture.texts(
            """
            SELECT concat_ws(' ', topic, environment, owner, origin, CASE WHEN removed IS NULL THEN 'active' END)
            FROM nestbox.tokens WHERE token = '\(token)'
            """
        ).first
    }

    // MARK: Adding

    @Test("a minted token is active, and the same topic's is replaced with all that belongs to it")
    func minting() throws {
        let fixture = try FleetFixture(on: Self.server)
        let database = try fixture.connect()
        #expect(
            try database.operations.addTokens([Self.offer("aa"), Self.offer("bb")], origin: .minted) == [
                .active, .active,
            ]
        )
        try fixture.owner.runScript("UPDATE nestbox.tokens SET added = to_timestamp(5)")
        let changed = Self.offer("aa", environment: "development", owner: "maria")
        #expect(try database.operations.addTokens([changed], origin: .minted) == [.active])
        let tokens = try database.operations.tokens()
        #expect(tokens.map(\.token) == ["aa", "bb"])
        #expect(tokens[0].added > 5_000)
        #expect(
            tokens == [
                FleetToken(
                    token: "aa",
                    topic: Self.chat,
                    environment: "development",
                    owner: "maria",
                    origin: .minted,
                    added: tokens[0].added
                ),
                FleetToken(
                    token: "bb",
                    topic: Self.chat,
                    environment: "production",
                    owner: "me",
                    origin: .minted,
                    added: 5_000
                ),
            ]
        )
        #expect(try database.operations.addTokens([], origin: .minted) == [])
    }

    @Test("an active token of another topic is refused and stays as it is; a removed one is taken over")
    func anotherTopic() throws {
        let fixture = try FleetFixture(on: Self.server)
        let database = try fixture.connect()
        _ = try database.operations.addTokens([Self.offer("aa")], origin: .configured)
        let other = Self.offer("aa", Self.mail, owner: "maria")
        #expect(
            try database.operations.addTokens([other, Self.offer("bb")], origin: .minted) == [.ofAnotherTopic, .active]
        )
        #expect(try database.operations.addTokens([other], origin: .configured) == [.ofAnotherTopic])
        #expect(try Self.row("aa", fixture) == "com.example.chat production me configured active")
        #expect(try database.operations.removeToken("aa"))
        #expect(try database.operations.addTokens([other], origin: .minted) == [.active])
        #expect(try Self.row("aa", fixture) == "com.example.mail production maria minted active")
    }

    @Test("a removed token comes back to life if it is minted again")
    func revival() throws {
        let fixture = try FleetFixture(on: Self.server)
        let database = try fixture.connect()
        _ = try database.operations.addTokens([Self.offer("aa")], origin: .minted)
        #expect(try database.operations.removeToken("aa"))
        guard case .removedToken = try database.accept([FleetFixture.push("aa", name: "one")])[0] else {
            Issue.record("the token is not removed")
            return
        }
        #expect(try database.operations.addTokens([Self.offer("aa")], origin: .minted) == [.active])
        #expect(try database.operations.tokens().map(\.removed) == [nil])
        guard case .stored = try database.accept([FleetFixture.push("aa", name: "two")])[0] else {
            Issue.record("the token is not active")
            return
        }
    }

    @Test("a configured token is added if nobody knows it, and changes a row's origin alone otherwise")
    func configured() throws {
        let fixture = try FleetFixture(on: Self.server)
        let database = try fixture.connect()
        _ = try database.operations.addTokens([Self.offer("aa"), Self.offer("bb"), Self.offer("cc")], origin: .minted)
        #expect(try database.operations.removeToken("bb"))
        let before = try database.operations.tokens()
        let offers = [
            Self.offer("dd", owner: "maria"), Self.offer("cc", environment: "development"), Self.offer("bb"),
            Self.offer("aa"), Self.offer("cc", owner: "maria"), Self.offer("bb", Self.mail),
        ]
        let verdicts: [TokenVerdict] = [.active, .activeOtherwise, .removed, .active, .activeOtherwise, .removed]
        // The second time as a host that starts again.
        for _ in 0..<2 { #expect(try database.operations.addTokens(offers, origin: .configured) == verdicts) }
        let named = before.map { known in
            FleetToken(
                token: known.token,
                topic: known.topic,
                environment: known.environment,
                owner: known.owner,
                origin: .configured,
                added: known.added,
                removed: known.removed
            )
        }
        #expect(try database.operations.tokens().prefix(3) == named[...])
        #expect(try Self.row("dd", fixture) == "com.example.chat production maria configured active")
        #expect(try database.operations.removeToken("dd"))
        for _ in 0..<2 {
            #expect(
                try database.operations.addTokens([Self.offer("dd", owner: "maria")], origin: .configured) == [.removed]
            )
        }
        #expect(try Self.row("dd", fixture) == "com.example.chat production maria configured")
    }

    @Test("a token that stands twice in a call is added as it stands there first", arguments: ["minted", "configured"])
    func twice(origin: String) throws {
        let fixture = try FleetFixture(on: Self.server)
        let database = try fixture.connect()
        let offers = [
            Self.offer("bb"), Self.offer("aa"), Self.offer("aa", Self.mail), Self.offer("bb", owner: "maria"),
            Self.offer("aa"),
        ]
        let verdicts = try database.operations.addTokens(
            offers,
            origin: try #require(FleetTokenOrigin(rawValue: origin))
        )
        #expect(verdicts == [.active, .active, .ofAnotherTopic, .activeOtherwise, .active])
        #expect(try Self.row("aa", fixture) == "com.example.chat production me \(origin) active")
        #expect(try Self.row("bb", fixture) == "com.example.chat production me \(origin) active")
    }

    @Test(
        "a call with a value that no host may store is refused, all of it",
        arguments: [
            offer("a"), offer(String(repeating: "a", count: 201)), offer("AA"), offer("ag"), offer("aa\n"),
            offer("aa", String(repeating: "ü", count: 128)), offer("aa", environment: ""),
            offer("aa", owner: String(repeating: "x", count: 65)),
        ]
    )
    func malformed(_ offer: OfferedToken) throws {
        let fixture = try FleetFixture(on: Self.server)
        let database = try fixture.connect()
        for origin in [FleetTokenOrigin.minted, .configured] {
            let error = failure { () throws(FleetError) in
                _ = try database.operations.addTokens([Self.offer("00"), offer], origin: origin)
            }
            guard case .database(.refused("23514", _)) = error else {
                Issue.record("\(String(describing: error))")
                return
            }
        }
        #expect(try database.operations.tokens() == [])
    }

    @Test("the longest values that a host may store are stored, and no origin but two is")
    func longest() throws {
        let fixture = try FleetFixture(on: Self.server)
        let database = try fixture.connect()
        let topic = String(repeating: "ü", count: 127) + "x"
        let owner = String(repeating: "x", count: 64)
        let long = Self.offer(String(repeating: "f", count: 200), topic, environment: "development", owner: owner)
        #expect(try database.operations.addTokens([long], origin: .minted) == [.active])
        let host = try Connection(fixture.conninfo, application: "tests")
        let add = Statement("add", "SELECT * FROM nestbox.add_tokens('{aa}', '{x}', '{production}', '{me}', $1)")
        let message = """
            new row for relation "tokens" violates check constraint "tokens_origin_check"
            """
        #expect(throws: DatabaseError.refused(state: "23514", message: message)) {
            try host.run(add, [.text("found")], within: .seconds(60))
        }
        #expect(try fixture.number("SELECT count(*) FROM nestbox.tokens") == 1)
    }

    @Test("an offer without an environment goes to tokens of either")
    func eitherEnvironment() throws {
        let fixture = try FleetFixture(on: Self.server)
        let database = try fixture.connect()
        let offers = [Self.offer("aa"), Self.offer("bb", environment: "development"), Self.offer("cc", Self.mail)]
        _ = try database.operations.addTokens(offers, origin: .minted)
        let pushes = ["aa", "bb", "cc", "dd"].map { token in
            OfferedPush(
                topic: Self.chat,
                token: token,
                app: Self.chat,
                environment: "",
                name: token,
                keys: Array(repeating: 7, count: 16),
                head: "{}",
                body: []
            )
        }
        let verdicts = try database.accept(pushes + [FleetFixture.push("bb", name: "other")])
        guard case .stored(let first) = verdicts[0] else {
            Issue.record("not stored: \(verdicts)")
            return
        }
        #expect(
            verdicts == [
                .stored(place: first), .stored(place: first + 1), .tokenOfAnotherApp, .unknownToken,
                .tokenOfAnotherEnvironment,
            ]
        )
    }

    // MARK: Removing

    @Test("removing says whether the token was active, and keeps the time of the first removal")
    func removing() throws {
        let fixture = try FleetFixture(on: Self.server)
        let database = try fixture.connect()
        _ = try database.operations.addTokens([Self.offer("aa"), Self.offer("bb")], origin: .minted)
        #expect(try database.operations.removeToken("aa"))
        try fixture.owner.runScript("UPDATE nestbox.tokens SET removed = to_timestamp(7.25) WHERE token = 'aa'")
        #expect(try !database.operations.removeToken("aa"))
        #expect(try !database.operations.removeToken("cc"))
        #expect(try database.operations.tokens().map(\.removed) == [7_250, nil])
        #expect(try database.accept([FleetFixture.push("aa", name: "one")]) == [.removedToken(at: 7_250)])
    }

    @Test("tombstones are deleted after 90 days, the oldest first, but for those of configured tokens")
    func pruning() throws {
        let fixture = try FleetFixture(on: Self.server)
        let database = try fixture.connect()
        _ = try database.operations.addTokens(["aa", "bb", "cc", "dd"].map { Self.offer($0) }, origin: .minted)
        // A command made the last one before a host's configuration named it.
        _ = try database.operations.addTokens([Self.offer("ee")], origin: .minted)
        _ = try database.operations.addTokens([Self.offer("ee")], origin: .configured)
        try fixture.owner.runScript(
            """
            UPDATE nestbox.tokens SET removed = clock_timestamp() - hours * interval '1 hour'
            FROM (VALUES ('aa', 2160), ('bb', 2161), ('cc', 2159), ('ee', 99999)) AS old(name, hours)
            WHERE token = name
            """
        )
        #expect(try database.operations.pruneTokens(limit: 0) == 0)
        #expect(try database.operations.pruneTokens(limit: 1) == 1)
        #expect(try database.operations.tokens().map(\.token) == ["aa", "cc", "dd", "ee"])
        #expect(try database.operations.pruneTokens(limit: 9) == 1)
        #expect(try database.operations.tokens().map(\.token) == ["cc", "dd", "ee"])
        #expect(try database.operations.pruneTokens(limit: 9) == 0)
        #expect(
            try database.operations.addTokens([Self.offer("bb"), Self.offer("ee")], origin: .configured) == [
                .active, .removed,
            ]
        )
    }

    /// Another transaction is reviving the token, and has not ended.
    @Test("a tombstone that somebody else is changing is left to the next call")
    func prunedMeanwhile() throws {
        let fixture = try FleetFixture(on: Self.server)
        let database = try fixture.connect()
        _ = try database.operations.addTokens([Self.offer("aa"), Self.offer("bb")], origin: .minted)
        try fixture.owner.runScript("UPDATE nestbox.tokens SET removed = to_timestamp(1)")
        try fixture.owner.runScript(
            "BEGIN; SELECT nestbox.add_tokens('{aa}', '{\(Self.chat)}', '{production}', '{me}', 'minted')"
        )
        #expect(try database.operations.pruneTokens(limit: 9) == 1)
        try fixture.owner.runScript("COMMIT")
        #expect(try database.operations.pruneTokens(limit: 9) == 0)
        #expect(try Self.row("aa", fixture) == "com.example.chat production me minted active")
        #expect(try Self.row("bb", fixture) == nil)
    }

    // MARK: Reading

    @Test("tokens are listed in their order, a page of a thousand at most, of one topic or of all")
    func listing() throws {
        let fixture = try FleetFixture(on: Self.server)
        let database = try fixture.connect()
        let tokens = (0..<1_200).map { String(0x1_0000 + $0, radix: 16) }
        try fixture.add(tokens: tokens.reversed())
        _ = try database.operations.addTokens(
            [Self.offer("0f", Self.mail), Self.offer("f0", Self.mail)],
            origin: .configured
        )
        #expect(try database.operations.removeToken("f0"))
        #expect(try database.operations.tokens(limit: 5_000).map(\.token) == ["0f"] + tokens.prefix(999))
        #expect(try database.operations.tokens(after: tokens[998], limit: 3).map(\.token) == Array(tokens[999..<1_002]))
        #expect(try database.operations.tokens(after: tokens[1_198]).map(\.token) == [tokens[1_199], "f0"])
        let ofMail = try database.operations.tokens(of: Self.mail)
        #expect(ofMail.map(\.token) == ["0f", "f0"])
        #expect(ofMail.map(\.origin) == [.configured, .configured])
        #expect(ofMail.map { $0.removed == nil } == [true, false])
        #expect(try database.operations.tokens(of: Self.mail, after: "0f", limit: 9) == [ofMail[1]])
        #expect(try database.operations.tokens(of: Self.chat, limit: 5_000).map(\.token) == Array(tokens.prefix(1_000)))
        #expect(try database.operations.tokens(of: "com.example") == [])
        #expect(try database.operations.tokens(limit: 0) == [])
    }

    @Test("a token is found by eight digits of its hash or more, and by its text")
    func finding() throws {
        let fixture = try FleetFixture(on: Self.server)
        let database = try fixture.connect()
        let hash = "b7e3ef9e4ac67f53d193d7e9d8e5234c39ef33ea070ee12954e7124ed93068fc"
        // Another token has the digits of the hash as its text, and comes first.
        try fixture.add(tokens: ["00c0ffee", "0123", String(hash.prefix(8)), "ffff"])
        #expect(try database.operations.removeToken("00c0ffee"))
        let found = try database.operations.findTokens(String(hash.prefix(9)).uppercased(), limit: 9)
        #expect(found.map(\.token) == ["00c0ffee"])
        #expect(found.map { $0.removed == nil } == [false])
        #expect(try database.operations.findTokens(hash, limit: 9) == found)
        let both = try database.operations.findTokens(String(hash.prefix(8)), limit: 9)
        #expect(both.map(\.token) == [String(hash.prefix(8)), "00c0ffee"])
        #expect(try database.operations.findTokens(String(hash.prefix(8)), limit: 1) == [both[0]])
        #expect(try database.operations.findTokens("00C0FFEE", limit: 9) == found)
        for text in [
            String(hash.prefix(7)), "", "%%%%%%%%", "________", "zzzzzzzz", hash + "0", "00c0ffe", "00c0ffee0",
            String(hash.prefix(8)) + "g",
        ] { #expect(try database.operations.findTokens(text, limit: 9) == [], "\(text)") }
    }

    /// The scans of the whole table, and the rows that were fetched by an index.
    private static func reads(_ fixture: FleetFixture) throws -> (scans: Int64, rows: Int64) {
        let table = "pg_stat_xact_user_tables WHERE schemaname = 'nestbox' AND relname = 'tokens'"
        return (
            try fixture.number("SELECT seq_scan FROM \(table)"),
            try fixture.number("SELECT idx_tup_fetch FROM \(table)")
        )
    }

    /// The server counts what a transaction reads, also of what a function in it reads.
    @Test("no call but the list of all reads the whole table")
    func indexes() throws {
        let fixture = try FleetFixture(on: Self.server)
        try fixture.owner.runScript(
            """
            INSERT INTO nestbox.tokens (token, topic, environment, owner, origin, removed)
            SELECT md5(n::text), 'com.example.' || n % 100, 'production', 'me', 'minted',
                CASE WHEN n % 10 = 0 THEN clock_timestamp() WHEN n % 10 = 1 THEN to_timestamp(n) END
            FROM generate_series(1, 50000) n;
            ANALYZE nestbox.tokens;
            """
        )
        let name = try fixture.texts("SELECT encode(sha256(md5('7')::bytea), 'hex')")[0].prefix(8)
        let calls = [
            "find_tokens('\(name)', 2)", "find_tokens('00', 2)", "list_tokens(NULL, 'f', 9)",
            "list_tokens('com.example.7', '', 1000)", "list_tokens('none', '', 1000)", "prune_tokens(100)",
            "remove_token(md5('2'))", "add_tokens(ARRAY[md5('3')], '{x}', '{production}', '{me}', 'minted')",
        ]
        for call in calls {
            try fixture.owner.runScript("BEGIN")
            let before = try Self.reads(fixture)
            // From the sixth call on the server may have one plan for all values.
            for _ in 0..<8 { try fixture.owner.runScript("SELECT nestbox.\(call)") }
            let after = try Self.reads(fixture)
            let (scans, rows) = (after.scans - before.scans, after.rows - before.rows)
            #expect(scans == 0 && rows <= 8 * 1_000, "\(call): \(scans) scans, \(rows) rows")
            try fixture.owner.runScript("ROLLBACK")
        }
    }

    // MARK: Two machines

    @Test("what changes tokens waits for the standby, even if nothing changes")
    func standby() async throws {
        let primary = try DatabaseServer(settings: ["autovacuum": "off"])
        let standby = try DatabaseServer(standbyOf: primary)
        let fixture = try FleetFixture(on: .success(primary))
        try await fixture.becomeReplicated()
        let calls: [@Sendable (FleetDatabase) throws -> Void] = [
            { _ = try $0.operations.addTokens([Self.offer("aa")], origin: .configured) },
            { _ = try $0.operations.addTokens([], origin: .minted) },
            { _ = try $0.operations.removeToken("bb") },
            { _ = try $0.operations.pruneTokens(limit: 9) },
        ]
        for call in calls {
            let database = try fixture.connect()
            try call(database)
            database.patience = .milliseconds(200)
            try standby.signal(SIGSTOP)
            #expect(throws: FleetError.database(.unanswered("its time is over"))) { try call(database) }
            try standby.signal(SIGCONT)
        }
    }
}
