// SPDX-License-Identifier: Apache-2.0

import PostgreSQL

/// The source of a fleet's device token.
package enum FleetTokenOrigin: String, Sendable {
    /// The command `token new` made the token.
    case minted
    /// The token stood in the configuration of a host that started.
    case configured
}

/// A device token as somebody asks for it to be active.
package struct OfferedToken: Sendable, Equatable {
    /// 2…200 lower-case hex digits.
    package let token: String
    /// Up to 255 bytes.
    package let topic: String
    /// `development` or `production`.
    package let environment: String
    /// Up to 64 bytes.
    package let owner: String

    package init(token: String, topic: String, environment: String, owner: String) {
        self.token = token
        self.topic = topic
        self.environment = environment
        self.owner = owner
    }
}

/// A device token as the fleet's database has it, with times in milliseconds since 1970.
package struct FleetToken: Sendable, Equatable {
    /// 2…200 lower-case hex digits.
    package let token: String
    package let topic: String
    package let environment: String
    package let owner: String
    package let origin: FleetTokenOrigin
    /// The time at which the token was added, or minted again.
    package let added: Int64
    /// The time of the removal; `nil` means that the token is active.
    package let removed: Int64?

    package init(
        token: String,
        topic: String,
        environment: String,
        owner: String,
        origin: FleetTokenOrigin,
        added: Int64,
        removed: Int64? = nil
    ) {
        self.token = token
        self.topic = topic
        self.environment = environment
        self.owner = owner
        self.origin = origin
        self.added = added
        self.removed = removed
    }
}

/// The answer of the database to one token that somebody asks for.
package enum TokenVerdict: Int16, Sendable {
    /// The token is active as asked.
    case active = 0
    /// The token is active and belongs to another topic.
    case ofAnotherTopic = 1
    /// The token was removed and stays so; a configured one alone.
    case removed = 2
    /// The token is active for that topic, with another environment or owner; a configured one alone.
    case activeOtherwise = 3
}

extension FleetOperations {
    private static let add = Statement("nestbox_add_tokens", "SELECT * FROM nestbox.add_tokens($1, $2, $3, $4, $5)")
    private static let remove = Statement("nestbox_remove_token", "SELECT nestbox.remove_token($1)")
    private static let list = Statement("nestbox_list_tokens", "SELECT * FROM nestbox.list_tokens($1, $2, $3)")
    private static let find = Statement("nestbox_find_tokens", "SELECT * FROM nestbox.find_tokens($1, $2)")
    private static let prune = Statement("nestbox_prune_tokens", "SELECT nestbox.prune_tokens($1)")

    /// Has tokens be active, and returns the answer to each.
    ///
    /// A minted token takes the place of a tombstone, or of a token of the same topic. A configured one is added if the
    /// database has no row of it; otherwise it stays as it is, but for its origin.
    package func addTokens(
        _ tokens: [OfferedToken],
        origin: FleetTokenOrigin
    ) throws(FleetError) -> [TokenVerdict] {
        let verdicts = try database.call(
            Self.add,
            [
                .texts(tokens.map(\.token)), .texts(tokens.map(\.topic)), .texts(tokens.map(\.environment)),
                .texts(tokens.map(\.owner)), .text(origin.rawValue),
            ]
        ) { rows, row throws(DatabaseError) -> TokenVerdict in
            let number = try rows.int16(row, 0)
            guard let verdict = TokenVerdict(rawValue: number) else {
                throw .malformed("there is no verdict \(number)")
            }
            return verdict
        }
        guard verdicts.count == tokens.count else {
            throw .database(.malformed("\(verdicts.count) verdicts on \(tokens.count) tokens"))
        }
        return verdicts
    }

    /// Leaves a tombstone in the place of an active token; returns false if there is none that is active.
    package func removeToken(_ token: String) throws(FleetError) -> Bool {
        try database.one(Self.remove, [.text(token)]) { rows, row throws(DatabaseError) in try rows.boolean(row, 0) }
    }

    /// Returns tokens behind one in their order, removed ones too, of one topic or of all; 1,000 at most.
    package func tokens(
        of topic: String? = nil,
        after token: String = "",
        limit: Int32 = 1_000
    ) throws(FleetError) -> [FleetToken] {
        try database.call(Self.list, [.optional(topic), .text(token), .int32(limit)], FleetToken.read)
    }

    /// Returns the token of that text first, and then those whose SHA-256 begins with these hex digits; 1,000 at most.
    ///
    /// Fewer than eight digits find a token by its text alone. Removed tokens are found too.
    package func findTokens(_ text: String, limit: Int32) throws(FleetError) -> [FleetToken] {
        try database.call(Self.find, [.text(text.lowercased()), .int32(limit)], FleetToken.read)
    }

    /// Deletes tombstones of minted tokens after 90 days, at most `limit`; returns how many.
    package func pruneTokens(limit: Int32) throws(FleetError) -> Int {
        try database.one(Self.prune, [.int32(limit)]) { rows, row throws(DatabaseError) in Int(try rows.int32(row, 0)) }
    }
}

extension FleetToken {
    /// The token of a row.
    fileprivate static func read(_ rows: borrowing Rows, _ row: Int) throws(DatabaseError) -> FleetToken {
        let text = try rows.text(row, 4)
        guard let origin = FleetTokenOrigin(rawValue: text) else { throw .malformed("there is no origin \(text)") }
        return FleetToken(
            token: try rows.text(row, 0),
            topic: try rows.text(row, 1),
            environment: try rows.text(row, 2),
            owner: try rows.text(row, 3),
            origin: origin,
            added: try rows.int64(row, 5),
            removed: try rows.optionalInt64(row, 6)
        )
    }
}
