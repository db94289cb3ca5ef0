// SPDX-License-Identifier: Apache-2.0

/// The tables: what only grows at one end and is deleted by range, and who may do it.
///
/// `place`: the number of an accepted push, transaction id * 2^20 + its index in the statement. Bodies and records
/// stay in their rows, up to a page: out of line they cost a seventh more log and a fifth more processor.
enum FleetTables {
    static let sql = """
        -- Grace: milliseconds after the server came up in which no session is called dead, because all lost their
        -- locks.
        CREATE TABLE nestbox.fleet (
            name text NOT NULL,
            partitions integer NOT NULL,
            schema integer NOT NULL,
            oldest_schema integer NOT NULL,
            grace integer NOT NULL DEFAULT 10000,
            is_only boolean PRIMARY KEY DEFAULT true CHECK (is_only)
        );

        -- Who is, or was, a member. Secret: SHA-256 of what the session shows. Lease: milliseconds.
        CREATE TABLE nestbox.sessions (
            session bigint PRIMARY KEY,
            host text NOT NULL,
            secret bytea NOT NULL,
            version text NOT NULL,
            schema integer NOT NULL,
            lease integer NOT NULL CHECK (lease BETWEEN 100 AND 600000),
            weight float8 NOT NULL CHECK (weight >= 0 AND weight <= 1000),
            fenced boolean NOT NULL DEFAULT false,
            leaving boolean NOT NULL DEFAULT false,
            ended timestamptz
        );
        -- When each session was heard of last, and since when the server is what it is, with the start of its process.
        -- Both are empty after a crash and on a standby that becomes the primary, when locks and beats are lost.
        -- Pressure: what the session has too much of, in words that hosts know.
        CREATE UNLOGGED TABLE nestbox.beats (
            session bigint PRIMARY KEY, at timestamptz NOT NULL, pressure text[] NOT NULL DEFAULT '{}'
        );
        CREATE UNLOGGED TABLE nestbox.awake (
            at timestamptz NOT NULL,
            started timestamptz NOT NULL,
            is_only boolean PRIMARY KEY DEFAULT true CHECK (is_only)
        );

        -- Who works on a partition. Since: pushes before this place may have been started by another session.
        -- Revived: how often records that had been given up were put into the outbox again.
        CREATE TABLE nestbox.parts (
            part smallint PRIMARY KEY,
            session bigint REFERENCES nestbox.sessions,
            epoch bigint NOT NULL DEFAULT 0,
            since bigint NOT NULL DEFAULT 0,
            is_clean boolean NOT NULL DEFAULT true,
            revived bigint NOT NULL DEFAULT 0
        );
        CREATE INDEX parts_held ON nestbox.parts (session);

        -- Accepted and without an outcome. Keys: by which a repeat is known, 16 or 32 bytes. Head: JSON.
        CREATE TABLE nestbox.waiting (
            part smallint NOT NULL,
            place bigint NOT NULL,
            topic text NOT NULL,
            token text NOT NULL,
            owner text NOT NULL,
            name text NOT NULL,
            keys bytea NOT NULL,
            head text NOT NULL,
            body bytea NOT NULL,
            PRIMARY KEY (part, place),
            -- No host makes others read what they have no room for.
            CHECK (octet_length(name) <= 64 AND octet_length(keys) <= 32 AND octet_length(topic) <= 512),
            CHECK (octet_length(head) <= 16384 AND octet_length(body) <= 65536)
        ) WITH (toast_tuple_target = 8160, autovacuum_vacuum_scale_factor = 0.02);
        ALTER TABLE nestbox.waiting ALTER COLUMN body SET STORAGE EXTERNAL;

        -- What each concluded push was known by, for a day, and what each opened envelope was, until it expires.
        -- At: seconds since 1970.
        CREATE TABLE nestbox.seen (
            part smallint NOT NULL, place bigint NOT NULL, at bigint NOT NULL, keys bytea NOT NULL,
            PRIMARY KEY (part, place)
        ) WITH (autovacuum_vacuum_scale_factor = 0.02);
        CREATE TABLE nestbox.opened (
            part smallint NOT NULL, place bigint NOT NULL, expiry bigint NOT NULL, id bytea NOT NULL,
            PRIMARY KEY (part, place)
        ) WITH (autovacuum_vacuum_scale_factor = 0.02);
        CREATE INDEX opened_expiry ON nestbox.opened (part, expiry);

        -- Records on their way, and those that were given up. Records are sealed before they come here.
        CREATE TABLE nestbox.outbox (
            part smallint NOT NULL,
            sink text NOT NULL,
            place bigint NOT NULL,
            name text NOT NULL,
            token text NOT NULL,
            attempts integer NOT NULL DEFAULT 0,
            due timestamptz NOT NULL,
            record bytea NOT NULL,
            PRIMARY KEY (part, sink, place)
        ) WITH (toast_tuple_target = 8160, autovacuum_vacuum_scale_factor = 0.02);
        ALTER TABLE nestbox.outbox ALTER COLUMN record SET STORAGE EXTERNAL;
        CREATE TABLE nestbox.dead (
            part smallint NOT NULL,
            sink text NOT NULL,
            place bigint NOT NULL,
            name text NOT NULL,
            token text NOT NULL,
            attempts integer NOT NULL,
            reason text NOT NULL,
            died timestamptz NOT NULL,
            record bytea NOT NULL,
            PRIMARY KEY (part, sink, place)
        );
        ALTER TABLE nestbox.dead ALTER COLUMN record SET STORAGE EXTERNAL;

        -- Device tokens of all hosts. Removed: null while the token is active. Collation C: their order is the same
        -- on every machine, whatever its locale.
        CREATE TABLE nestbox.tokens (
            token text COLLATE "C" PRIMARY KEY CHECK (octet_length(token) BETWEEN 2 AND 200 AND token !~ '[^0-9a-f]'),
            topic text NOT NULL CHECK (octet_length(topic) <= 255),
            environment text NOT NULL CHECK (environment IN ('development', 'production')),
            owner text NOT NULL CHECK (octet_length(owner) <= 64),
            origin text NOT NULL CHECK (origin IN ('minted', 'configured')),
            added timestamptz NOT NULL DEFAULT clock_timestamp(),
            removed timestamptz
        );
        CREATE INDEX tokens_topic ON nestbox.tokens (topic, token);
        CREATE INDEX tokens_removed ON nestbox.tokens (removed) WHERE origin = 'minted' AND removed IS NOT NULL;
        CREATE INDEX tokens_hash ON nestbox.tokens ((\(tokenHash)));
        """

    /// SHA-256 of a token's digits, in hex: its beginning is the token's name in logs.
    ///
    /// An index needs an immutable expression, which `convert_to` is not. The cast is, and gives the digits' own bytes.
    static let tokenHash = "encode(sha256(token::bytea), 'hex') COLLATE \"C\""
}
