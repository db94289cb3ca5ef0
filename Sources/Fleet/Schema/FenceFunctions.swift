// SPDX-License-Identifier: Apache-2.0

/// The functions that those for hosts call, and `facts`, which says what kind of server this is.
///
/// The fence is two statements: the lock, shared, and then the flag. In one statement the flag would be looked at
/// before the lock was waited for: 146 of 300 batches of fenced sessions were committed that way. It needs a new
/// snapshot for the second statement, which only READ COMMITTED gives.
enum FenceFunctions {
    static let sql = """
        CREATE FUNCTION nestbox.fail(p_code text, p_message text) RETURNS void LANGUAGE plpgsql STABLE AS $$
        BEGIN
            RAISE EXCEPTION USING ERRCODE = p_code, MESSAGE = p_message;
        END $$;

        -- Looks whether the session stands and holds the partitions. Where it is volatile each statement sees what is
        -- committed by then; a reader looks without a lock, and what it reads may be another's a moment later.
        CREATE FUNCTION nestbox.look(p_session bigint, p_secret bytea, p_parts smallint[]) RETURNS void
        LANGUAGE plpgsql AS $$
        BEGIN
            PERFORM 1 FROM nestbox.sessions s
                WHERE s.session = p_session AND NOT s.fenced AND s.secret = sha256(p_secret);
            IF NOT FOUND THEN
                PERFORM nestbox.fail('NB001', 'the session is fenced');
            END IF;
            PERFORM 1 FROM unnest(p_parts) AS named(part) LEFT JOIN nestbox.parts p USING (part)
                WHERE p.session IS DISTINCT FROM p_session;
            IF FOUND THEN
                PERFORM nestbox.fail('NB002', 'the session does not hold that partition');
            END IF;
        END $$;

        CREATE FUNCTION nestbox.check_isolation() RETURNS void LANGUAGE plpgsql STABLE AS $$
        BEGIN
            IF current_setting('transaction_isolation') <> 'read committed' THEN
                PERFORM nestbox.fail('NB006', 'the transaction is not READ COMMITTED');
            END IF;
        END $$;

        CREATE FUNCTION nestbox.guard(p_session bigint, p_secret bytea, p_parts smallint[]) RETURNS void
        LANGUAGE plpgsql AS $$
        BEGIN
            PERFORM nestbox.check_isolation();
            PERFORM pg_advisory_xact_lock_shared(p_session);
            PERFORM nestbox.look(p_session, p_secret, p_parts);
        END $$;

        -- The same before a write, which makes the commit wait for the standby even if there turns out to be nothing to
        -- write: a second call after a lost answer must not be heard before the first is on two machines.
        CREATE FUNCTION nestbox.guard_write(p_session bigint, p_secret bytea, p_parts smallint[]) RETURNS void
        LANGUAGE plpgsql AS $$
        BEGIN
            PERFORM nestbox.guard(p_session, p_secret, p_parts);
            PERFORM pg_logical_emit_message(true, 'nestbox', '');
        END $$;

        -- The same before a partition is given back: it waits for what the session is writing on other connections, a
        -- second at most, for whoever else writes waits behind it.
        CREATE FUNCTION nestbox.guard_end(p_session bigint, p_secret bytea, p_parts smallint[]) RETURNS void
        LANGUAGE plpgsql AS $$
        BEGIN
            PERFORM set_config('lock_timeout', '1s', true);
            PERFORM pg_advisory_xact_lock(p_session);
            PERFORM nestbox.guard_write(p_session, p_secret, p_parts);
        END $$;

        -- Two numbers make the key of the lock that says that a session's process is there: another space of keys than
        -- that of the fence, which is the session itself.
        CREATE FUNCTION nestbox.upper_half(p_session bigint) RETURNS integer LANGUAGE sql IMMUTABLE
            AS $$ SELECT (p_session >> 32)::integer $$;
        CREATE FUNCTION nestbox.lower_half(p_session bigint) RETURNS integer LANGUAGE sql IMMUTABLE
            AS $$ SELECT ((p_session << 32) >> 32)::integer $$;

        -- Who has the lock of a session: of its process with two numbers, of its fence with one.
        CREATE FUNCTION nestbox.locked(p_numbers integer) RETURNS TABLE (
            session bigint, pid integer, is_shared boolean
        ) LANGUAGE sql VOLATILE AS $$
            SELECT (classid::bigint << 32) | objid::bigint, pid, mode = 'ShareLock' FROM pg_locks
            WHERE locktype = 'advisory' AND objsubid = p_numbers AND granted
                AND database = (SELECT oid FROM pg_database WHERE datname = current_database())
        $$;

        -- Since when the server is what it is; null until the first beat after a start, a crash or a promotion.
        CREATE FUNCTION nestbox.up_since() RETURNS timestamptz LANGUAGE sql STABLE AS $$
            SELECT at FROM nestbox.awake WHERE started = pg_postmaster_start_time()
        $$;

        -- A session is dead when it was fenced; when its lock is free and its last beat two seconds old; or when its
        -- last beat is older than its lease. One that was not heard of since the server came up counts from then.
        CREATE FUNCTION nestbox.deaths() RETURNS TABLE (session bigint, is_dead boolean) LANGUAGE sql VOLATILE AS $$
            WITH locked AS MATERIALIZED (SELECT l.session FROM nestbox.locked(2) l), heard AS (
                SELECT s.session, s.fenced, s.lease,
                    clock_timestamp() >= u.since + f.grace * interval '1 millisecond' AS counts,
                    clock_timestamp() - coalesce(b.at, u.since) AS silence,
                    EXISTS (SELECT FROM locked l WHERE l.session = s.session) AS is_locked
                FROM nestbox.sessions s
                LEFT JOIN nestbox.beats b USING (session)
                CROSS JOIN nestbox.fleet f
                CROSS JOIN (SELECT nestbox.up_since() AS since) u
                WHERE s.ended IS NULL
            )
            SELECT heard.session,
                fenced OR coalesce(counts AND (
                    silence > lease * interval '1 millisecond'
                    OR NOT is_locked AND silence > interval '2 seconds'
                ), false)
            FROM heard
        $$;

        CREATE FUNCTION nestbox.facts() RETURNS TABLE (
            fleet text, schema integer, oldest_schema integer, version integer, fsync boolean,
            full_page_writes boolean, synchronous_commit text, standbys integer, system bigint, timeline integer,
            clock bigint, horizon_age bigint
        ) LANGUAGE sql VOLATILE SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
            SELECT f.name, f.schema, f.oldest_schema, current_setting('server_version_num')::integer,
                current_setting('fsync')::boolean, current_setting('full_page_writes')::boolean,
                current_setting('synchronous_commit'),
                CASE WHEN current_setting('synchronous_standby_names') = '' THEN 0 ELSE (
                    SELECT count(*)::integer FROM pg_stat_replication WHERE sync_state IN ('sync', 'quorum')
                ) END,
                (SELECT system_identifier FROM pg_control_system()),
                ('x' || lpad(left(pg_walfile_name(pg_current_wal_lsn()), 8), 8, '0'))::bit(32)::integer,
                (extract(epoch FROM clock_timestamp()) * 1000)::bigint,
                coalesce((
                    SELECT (extract(epoch FROM clock_timestamp() - min(xact_start)) * 1000)::bigint
                    FROM pg_stat_activity WHERE backend_xid IS NOT NULL AND pid <> pg_backend_pid()
                ), 0)
            FROM nestbox.fleet f
        $$;
        """
}
