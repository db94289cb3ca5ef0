// SPDX-License-Identifier: Apache-2.0

/// The functions that say who is a member, and who holds which partition.
///
/// `take` fences with the exclusive lock of the old session: it waits for what that session is writing, a second at
/// most, and ends the server's process that holds it up. Which one that is, `pg_locks` says: hosts may not call the
/// functions that take such locks. `release` and `depart` wait in the same way, for other connections of their own. So
/// does `join_fleet` for what its host joined with before.
enum MembershipFunctions {
    static let sql = """
        -- Waits for what a session is writing, a second at most; then ends the server's process that holds it up.
        CREATE FUNCTION nestbox.shut_out(p_session bigint) RETURNS void LANGUAGE plpgsql AS $$
        BEGIN
            PERFORM set_config('lock_timeout', '1s', true);
            BEGIN
                PERFORM pg_advisory_xact_lock(p_session);
            EXCEPTION WHEN lock_not_available THEN
                -- Who has it alone and is at work takes, joins or gives back, and waits for the standby.
                PERFORM pg_terminate_backend(l.pid) FROM nestbox.locked(1) l JOIN pg_stat_activity a USING (pid)
                    WHERE l.session = p_session AND (l.is_shared OR a.state LIKE 'idle in transaction%');
                -- Within a second once more: a process that was told to end may take a moment.
                PERFORM pg_advisory_xact_lock(p_session);
            END;
        END $$;

        -- Begins a session. It follows those of its host that have the same secret: one that ended by itself, or one of
        -- whose beginning the host has not heard. What they hold is the new one's; nothing of it is at work any more.
        CREATE FUNCTION nestbox.join_fleet(
            p_host text, p_secret bytea, p_version text, p_schema integer, p_lease integer, p_weight float8
        ) RETURNS bigint LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
        DECLARE
            v_fleet nestbox.fleet;
            v_session bigint;
            v_former bigint;
        BEGIN
            PERFORM nestbox.check_isolation();
            SELECT * INTO STRICT v_fleet FROM nestbox.fleet;
            IF p_schema < v_fleet.oldest_schema OR p_schema > v_fleet.schema THEN
                PERFORM nestbox.fail('NB005', format(
                    'the database has schema %s to %s, and the host knows %s',
                    v_fleet.oldest_schema, v_fleet.schema, p_schema
                ));
            END IF;
            -- Two that join as one host wait for each other here, a second at most.
            PERFORM set_config('lock_timeout', '1s', true);
            PERFORM pg_advisory_xact_lock(hashtextextended('nestbox.join ' || p_host, 0));
            PERFORM 1 FROM nestbox.sessions s JOIN nestbox.deaths() d USING (session)
                WHERE s.host = p_host AND NOT d.is_dead AND s.session IN (SELECT l.session FROM nestbox.locked(2) l)
                    AND s.secret <> sha256(p_secret);
            IF FOUND THEN
                PERFORM nestbox.fail('NB007', format('a host named "%s" is a member already', p_host));
            END IF;
            -- 62 random bits: no two sessions are named alike, not even of two databases or after a restoration.
            v_session := ('x' || left(encode(
                sha256(uuid_send(gen_random_uuid()) || uuid_send(gen_random_uuid())), 'hex'
            ), 16))::bit(64)::bigint & 4611686018427387903;
            -- What an operator has said of the host holds for each session of its process.
            INSERT INTO nestbox.sessions (session, host, secret, version, schema, lease, weight, leaving)
                SELECT v_session, p_host, sha256(p_secret), p_version, p_schema, p_lease, p_weight, EXISTS (
                    SELECT FROM nestbox.sessions s
                    WHERE s.host = p_host AND s.secret = sha256(p_secret) AND s.leaving
                );
            FOR v_former IN SELECT s.session FROM nestbox.sessions s WHERE s.host = p_host AND NOT s.fenced
                AND s.secret = sha256(p_secret) AND s.session <> v_session
            LOOP
                PERFORM nestbox.shut_out(v_former);
                UPDATE nestbox.sessions SET fenced = true, ended = clock_timestamp()
                    WHERE session = v_former AND NOT fenced;
                -- Somebody may have fenced it while this waited for the lock.
                IF FOUND THEN
                    UPDATE nestbox.parts SET session = v_session, epoch = epoch + 1, is_clean = false,
                            since = pg_current_xact_id()::text::bigint << 20
                        WHERE session = v_former;
                END IF;
            END LOOP;
            -- What is left of members that are gone and held nothing, as far as no other call is at it.
            UPDATE nestbox.sessions SET fenced = true, ended = clock_timestamp() WHERE session IN (
                SELECT s.session FROM nestbox.sessions s JOIN nestbox.deaths() d USING (session)
                WHERE d.is_dead AND s.session <> v_session
                    AND NOT EXISTS (SELECT FROM nestbox.parts p WHERE p.session = s.session)
                FOR UPDATE OF s SKIP LOCKED
            );
            DELETE FROM nestbox.sessions WHERE session IN (
                SELECT s.session FROM nestbox.sessions s WHERE s.ended < clock_timestamp() - interval '1 day'
                    AND NOT EXISTS (SELECT FROM nestbox.parts p WHERE p.session = s.session)
                FOR UPDATE OF s SKIP LOCKED
            );
            DELETE FROM nestbox.beats WHERE session IN (
                SELECT b.session FROM nestbox.beats b
                WHERE NOT EXISTS (SELECT FROM nestbox.sessions s WHERE s.session = b.session)
                FOR UPDATE OF b SKIP LOCKED
            );
            INSERT INTO nestbox.beats VALUES (v_session, clock_timestamp());
            PERFORM pg_advisory_lock(nestbox.upper_half(v_session), nestbox.lower_half(v_session));
            RETURN v_session;
        END $$;

        -- Takes the session's lock on a new connection in place of one that broke; false while another has it.
        CREATE FUNCTION nestbox.reattach(p_session bigint, p_secret bytea) RETURNS boolean
        LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
        BEGIN
            PERFORM nestbox.look(p_session, p_secret, '{}');
            RETURN pg_try_advisory_lock(nestbox.upper_half(p_session), nestbox.lower_half(p_session));
        END $$;

        -- Says that the session lives and what it has too much of, and returns all that do or did lately. Without a
        -- lock that another call may hold while it waits for the standby, and without such a wait of its own.
        CREATE FUNCTION nestbox.beat(p_session bigint, p_secret bytea, p_pressure text[]) RETURNS TABLE (
            session bigint, host text, weight float8, is_dead boolean, is_leaving boolean
        ) LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
        #variable_conflict use_column
        BEGIN
            PERFORM set_config('synchronous_commit', 'off', true);
            PERFORM nestbox.look(p_session, p_secret, '{}');
            -- Every host reads it once a second.
            IF cardinality(p_pressure) > \(Pressure.limit) OR octet_length(p_pressure::text) > 65536
                OR array_position(p_pressure, NULL) IS NOT NULL
            THEN
                PERFORM nestbox.fail('54000', 'too much pressure in a call');
            END IF;
            INSERT INTO nestbox.beats (session, at, pressure) VALUES (p_session, clock_timestamp(), p_pressure)
                ON CONFLICT (session) DO UPDATE SET at = excluded.at, pressure = excluded.pressure;
            -- A clock that was set back must not keep anybody alive until it has come forward again.
            UPDATE nestbox.beats b SET at = clock_timestamp() WHERE b.session IN (
                SELECT f.session FROM nestbox.beats f
                WHERE f.at > clock_timestamp() + interval '1 second' FOR UPDATE SKIP LOCKED
            );
            IF NOT EXISTS (
                SELECT FROM nestbox.awake WHERE started = pg_postmaster_start_time() AND at <= clock_timestamp()
            ) THEN
                INSERT INTO nestbox.awake (at, started) VALUES (clock_timestamp(), pg_postmaster_start_time())
                    ON CONFLICT (is_only) DO UPDATE SET at = excluded.at, started = excluded.started;
            END IF;
            RETURN QUERY SELECT s.session, s.host, s.weight, d.is_dead, s.leaving
                FROM nestbox.sessions s JOIN nestbox.deaths() d USING (session);
        END $$;

        -- What sessions have too much of, a row a word, and the partitions that these sessions hold.
        CREATE FUNCTION nestbox.pressure() RETURNS TABLE (session bigint, part bigint, word text)
        LANGUAGE sql STABLE SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
            SELECT b.session, NULL::bigint, named.word FROM nestbox.beats b CROSS JOIN unnest(b.pressure) AS named(word)
            UNION ALL
            SELECT p.session, p.part, NULL FROM nestbox.beats b JOIN nestbox.parts p USING (session)
            WHERE b.pressure <> '{}'
        $$;

        -- Who is or was a member, for people, who are no session.
        CREATE FUNCTION nestbox.members() RETURNS TABLE (
            session bigint, host text, version text, weight float8, is_dead boolean, is_leaving boolean
        ) LANGUAGE sql VOLATILE SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
            SELECT s.session, s.host, s.version, s.weight, d.is_dead, s.leaving
            FROM nestbox.sessions s JOIN nestbox.deaths() d USING (session)
        $$;

        CREATE FUNCTION nestbox.holders() RETURNS TABLE (part smallint, session bigint, epoch bigint, since bigint)
        LANGUAGE sql STABLE SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
            SELECT part, session, epoch, since FROM nestbox.parts ORDER BY part
        $$;

        -- Takes those of the partitions that are as the caller saw them: free, or held by a session that is dead now.
        CREATE FUNCTION nestbox.take(
            p_session bigint, p_secret bytea, p_from bigint, p_parts smallint[], p_epochs bigint[]
        ) RETURNS TABLE (part smallint, epoch bigint, since bigint)
        LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
        #variable_conflict use_column
        BEGIN
            -- Before anything is done for the caller; the fence itself is below, behind the wait for a lock.
            PERFORM nestbox.look(p_session, p_secret, '{}');
            IF p_from IS NOT NULL THEN
                PERFORM 1 FROM nestbox.sessions s WHERE s.session = p_from;
                IF NOT FOUND THEN
                    RETURN;
                END IF;
                PERFORM 1 FROM nestbox.deaths() d WHERE d.session = p_from AND NOT d.is_dead;
                IF FOUND OR p_from = p_session THEN
                    PERFORM nestbox.fail('NB003', 'the session that holds the partitions is alive');
                END IF;
                PERFORM nestbox.shut_out(p_from);
                UPDATE nestbox.sessions SET fenced = true WHERE session = p_from AND NOT fenced;
            END IF;
            PERFORM nestbox.guard_write(p_session, p_secret, '{}');
            -- Who leaves takes nothing while anybody else is there.
            PERFORM 1 FROM nestbox.sessions s WHERE s.session = p_session AND s.leaving AND EXISTS (
                SELECT FROM nestbox.sessions o JOIN nestbox.deaths() d USING (session)
                WHERE NOT d.is_dead AND NOT o.leaving
            );
            IF FOUND THEN
                RETURN;
            END IF;
            RETURN QUERY
                UPDATE nestbox.parts p SET session = p_session, epoch = p.epoch + 1, is_clean = false,
                    since = CASE WHEN p.is_clean THEN p.since
                        ELSE pg_current_xact_id()::text::bigint << 20 END
                FROM unnest(p_parts, p_epochs) AS named(part, epoch)
                WHERE p.part = named.part AND p.epoch = named.epoch AND p.session IS NOT DISTINCT FROM p_from
                RETURNING p.part, p.epoch, p.since;
            UPDATE nestbox.sessions SET ended = clock_timestamp() WHERE session = p_from AND ended IS NULL
                AND NOT EXISTS (SELECT FROM nestbox.parts p WHERE p.session = p_from);
        END $$;

        -- Gives partitions back of which nothing is at work any more.
        CREATE FUNCTION nestbox.release(p_session bigint, p_secret bytea, p_parts smallint[]) RETURNS void
        LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
        BEGIN
            PERFORM nestbox.guard_end(p_session, p_secret, p_parts);
            UPDATE nestbox.parts SET session = NULL, epoch = epoch + 1, is_clean = true
                WHERE part = ANY (p_parts) AND session = p_session;
        END $$;

        -- From now on the others count as if the session were not there, and it takes nothing.
        CREATE FUNCTION nestbox.drain(p_session bigint, p_secret bytea) RETURNS void
        LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
        BEGIN
            PERFORM nestbox.guard_write(p_session, p_secret, '{}');
            UPDATE nestbox.sessions SET leaving = true WHERE session = p_session;
        END $$;

        -- An operator says that a host leaves, or that it takes part again; no host may call this.
        CREATE FUNCTION nestbox.set_leaving(p_host text, p_leaving boolean) RETURNS void
        LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $$
        BEGIN
            -- One after the other, and not beside a session of the host that begins: it would not hear of this.
            PERFORM pg_advisory_xact_lock(hashtextextended('nestbox.set_leaving', 0));
            PERFORM pg_advisory_xact_lock(hashtextextended('nestbox.join ' || p_host, 0));
            PERFORM 1 FROM nestbox.sessions s JOIN nestbox.deaths() d USING (session)
                WHERE s.host = p_host AND NOT d.is_dead;
            IF NOT FOUND THEN
                PERFORM nestbox.fail('NB009', format('no host named "%s" is a member', p_host));
            END IF;
            PERFORM 1 FROM nestbox.sessions s JOIN nestbox.deaths() d USING (session)
                WHERE s.host <> p_host AND NOT d.is_dead AND NOT s.leaving;
            IF p_leaving AND NOT FOUND THEN
                PERFORM nestbox.fail('NB010', format('no other host would work on what "%s" holds', p_host));
            END IF;
            UPDATE nestbox.sessions SET leaving = p_leaving WHERE host = p_host;
        END $$;

        -- Ends a session; what it still holds is free, and may have been started.
        CREATE FUNCTION nestbox.depart(p_session bigint, p_secret bytea) RETURNS void
        LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
        BEGIN
            PERFORM nestbox.guard_end(p_session, p_secret, '{}');
            UPDATE nestbox.parts SET session = NULL, epoch = epoch + 1 WHERE session = p_session;
            UPDATE nestbox.sessions SET fenced = true, ended = clock_timestamp() WHERE session = p_session;
        END $$;
        """
}
