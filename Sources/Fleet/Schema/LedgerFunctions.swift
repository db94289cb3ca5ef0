// SPDX-License-Identifier: Apache-2.0

/// The functions by which a holder writes: each is refused as a whole once its session is fenced.
enum LedgerFunctions {
    static let sql = """
        -- By what concluded pushes of some partitions are known, or which envelopes were opened under which place;
        -- the newest of each partition before a place, so many at most.
        CREATE FUNCTION nestbox.known(
            p_session bigint, p_secret bytea, p_parts smallint[], p_befores bigint[], p_is_opened boolean,
            p_each integer
        ) RETURNS TABLE (part smallint, place bigint, at bigint, keys bytea)
        LANGUAGE plpgsql STABLE SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
        #variable_conflict use_column
        BEGIN
            PERFORM nestbox.look(p_session, p_secret, p_parts);
            IF p_is_opened THEN
                RETURN QUERY SELECT o.part, o.place, o.expiry, o.id
                    FROM unnest(p_parts, p_befores) AS asked(part, before)
                    CROSS JOIN LATERAL (
                        SELECT * FROM nestbox.opened o WHERE o.part = asked.part AND o.place < asked.before
                        ORDER BY o.place DESC LIMIT p_each
                    ) o;
            ELSE
                RETURN QUERY SELECT s.part, s.place, s.at, s.keys
                    FROM unnest(p_parts, p_befores) AS asked(part, before)
                    CROSS JOIN LATERAL (
                        SELECT * FROM nestbox.seen s WHERE s.part = asked.part AND s.place < asked.before
                        ORDER BY s.place DESC LIMIT p_each
                    ) s;
            END IF;
        END $$;

        -- Keeps which envelopes are being opened, before anybody hears what is in them. Expiry: seconds since 1970.
        CREATE FUNCTION nestbox.remember(
            p_session bigint, p_secret bytea, p_parts smallint[], p_places bigint[], p_ids bytea[], p_expiries bigint[]
        ) RETURNS void LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
        BEGIN
            PERFORM nestbox.guard_write(p_session, p_secret, p_parts);
            INSERT INTO nestbox.opened (part, place, id, expiry)
                SELECT * FROM unnest(p_parts, p_places, p_ids, p_expiries) ON CONFLICT DO NOTHING;
        END $$;

        -- Ends pushes, and puts their records into the outbox; returns how many there were. A push that is not there
        -- has ended before: then its records are not written once more. Repeats end without a key of their own.
        CREATE FUNCTION nestbox.conclude(
            p_session bigint, p_secret bytea, p_parts smallint[], p_places bigint[], p_is_repeat boolean[],
            p_outbox_parts smallint[], p_outbox_places bigint[], p_sinks text[], p_records bytea[]
        ) RETURNS integer LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
        DECLARE
            v_count integer;
        BEGIN
            PERFORM nestbox.guard_write(p_session, p_secret, p_parts);
            WITH ended AS (
                DELETE FROM nestbox.waiting w USING unnest(p_parts, p_places, p_is_repeat) AS e(part, place, is_repeat)
                WHERE w.part = e.part AND w.place = e.place
                RETURNING w.part, w.place, w.keys, w.name, w.token, e.is_repeat
            ), noted AS (
                INSERT INTO nestbox.seen (part, place, at, keys)
                SELECT part, place, extract(epoch FROM clock_timestamp())::bigint, keys FROM ended WHERE NOT is_repeat
            ), sent AS (
                INSERT INTO nestbox.outbox (part, sink, place, name, token, due, record)
                SELECT e.part, o.sink, e.place, e.name, e.token, clock_timestamp(), o.record
                FROM unnest(p_outbox_parts, p_outbox_places, p_sinks, p_records) AS o(part, place, sink, record)
                JOIN ended e ON e.part = o.part AND e.place = o.place
            )
            SELECT count(*) INTO v_count FROM ended;
            RETURN v_count;
        END $$;

        -- What became of attempts. Verdict: 0 taken, 1 to be tried again after so many milliseconds, 2 given up.
        CREATE FUNCTION nestbox.settle(
            p_session bigint, p_secret bytea, p_parts smallint[], p_sinks text[], p_places bigint[],
            p_verdicts smallint[], p_waits bigint[], p_reasons text[]
        ) RETURNS void LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
        BEGIN
            PERFORM nestbox.guard_write(p_session, p_secret, p_parts);
            UPDATE nestbox.outbox o SET attempts = o.attempts + 1,
                    due = clock_timestamp() + s.wait * interval '1 millisecond'
                FROM unnest(p_parts, p_sinks, p_places, p_verdicts, p_waits) AS s(part, sink, place, verdict, wait)
                WHERE o.part = s.part AND o.sink = s.sink AND o.place = s.place AND s.verdict = 1;
            WITH gone AS (
                DELETE FROM nestbox.outbox o
                USING unnest(p_parts, p_sinks, p_places, p_verdicts, p_reasons)
                    AS s(part, sink, place, verdict, reason)
                WHERE o.part = s.part AND o.sink = s.sink AND o.place = s.place AND s.verdict <> 1
                RETURNING o.*, s.verdict, s.reason
            )
            INSERT INTO nestbox.dead (part, sink, place, name, token, attempts, reason, died, record)
                SELECT part, sink, place, name, token, attempts + 1, reason, clock_timestamp(), record
                FROM gone WHERE verdict = 2;
        END $$;

        -- What waits for sinks, without its content, in the order of places and sinks, behind one of both. A record
        -- that is put there later may have a smaller place. Due: milliseconds from now.
        CREATE FUNCTION nestbox.outbox_heads(
            p_session bigint, p_secret bytea, p_parts smallint[], p_after bigint, p_after_sink text, p_limit integer
        ) RETURNS TABLE (
            part smallint, sink text, place bigint, token text, attempts integer, due bigint, bytes integer
        ) LANGUAGE plpgsql STABLE SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
        #variable_conflict use_column
        BEGIN
            PERFORM nestbox.look(p_session, p_secret, p_parts);
            RETURN QUERY SELECT part, sink, place, token, attempts,
                    greatest(0, extract(epoch FROM due - clock_timestamp()) * 1000)::bigint, octet_length(record)
                FROM nestbox.outbox WHERE part = ANY (p_parts) AND (place, sink) > (p_after, p_after_sink)
                ORDER BY place, sink LIMIT p_limit;
        END $$;

        -- Records that are asked for by name, in the order of their places; what is gone is left out.
        CREATE FUNCTION nestbox.records(
            p_session bigint, p_secret bytea, p_parts smallint[], p_sinks text[], p_places bigint[]
        ) RETURNS TABLE (
            part smallint, sink text, place bigint, name text, token text, attempts integer, record bytea
        ) LANGUAGE plpgsql STABLE SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
        #variable_conflict use_column
        BEGIN
            PERFORM nestbox.look(p_session, p_secret, p_parts);
            RETURN QUERY SELECT o.part, o.sink, o.place, o.name, o.token, o.attempts, o.record
                FROM unnest(p_parts, p_sinks, p_places) AS asked(part, sink, place)
                JOIN nestbox.outbox o USING (part, sink, place) ORDER BY o.place, o.sink;
        END $$;

        -- Forgets keys of this age, and envelopes that expired so long ago, at most so many of both in each
        -- partition; returns how many.
        -- Ages are seconds by the database's clock, as the times of keys are.
        CREATE FUNCTION nestbox.prune(
            p_session bigint, p_secret bytea, p_parts smallint[], p_age bigint, p_expired bigint, p_each integer
        ) RETURNS integer LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
        DECLARE
            v_now bigint := extract(epoch FROM clock_timestamp())::bigint;
            v_seen integer;
            v_opened integer;
        BEGIN
            PERFORM nestbox.guard_write(p_session, p_secret, p_parts);
            -- Each partition's first rows in the order of a key, so that no call looks at more than it may delete.
            DELETE FROM nestbox.seen s USING (
                SELECT old.part, old.place FROM unnest(p_parts) AS named(part) CROSS JOIN LATERAL (
                    SELECT x.part, x.place, x.at FROM nestbox.seen x WHERE x.part = named.part
                    ORDER BY x.place LIMIT p_each
                ) old WHERE old.at < v_now - p_age
            ) gone WHERE s.part = gone.part AND s.place = gone.place;
            GET DIAGNOSTICS v_seen = ROW_COUNT;
            DELETE FROM nestbox.opened o USING (
                SELECT old.part, old.place FROM unnest(p_parts) AS named(part) CROSS JOIN LATERAL (
                    SELECT x.part, x.place FROM nestbox.opened x
                    WHERE x.part = named.part AND x.expiry < v_now - p_expired
                    ORDER BY x.expiry LIMIT p_each
                ) old
            ) gone WHERE o.part = gone.part AND o.place = gone.place;
            GET DIAGNOSTICS v_opened = ROW_COUNT;
            RETURN v_seen + v_opened;
        END $$;
        """
}
