// SPDX-License-Identifier: Apache-2.0

/// The functions by which an operator sees the records that were given up, sends them again, or has them forgotten.
///
/// They need no session, as those for device tokens. A record that is on its way again belongs to the holder of its
/// partition, who learns of it with the next beat.
enum DeadLetterFunctions {
    static let sql = """
        -- Records that were given up, of a sink and of a push or of all, behind one in their order, 500 at most. Died:
        -- milliseconds since 1970.
        CREATE FUNCTION nestbox.dead_letters(
            p_sink text, p_name text, p_after_part smallint, p_after_sink text, p_after_place bigint, p_limit integer
        ) RETURNS TABLE (
            part smallint, sink text, place bigint, name text, attempts integer, reason text, died bigint, record bytea
        ) LANGUAGE sql STABLE SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
            SELECT part, sink, place, name, attempts, reason, (extract(epoch FROM died) * 1000)::bigint, record
            FROM nestbox.dead
            WHERE (p_sink IS NULL OR sink = p_sink) AND (p_name IS NULL OR name = p_name)
                AND (part, sink, place) > (p_after_part, p_after_sink, p_after_place)
            ORDER BY part, sink, place LIMIT least(p_limit, 500)
        $$;

        -- How many there are for each sink, of the first hundred thousand.
        CREATE FUNCTION nestbox.count_dead() RETURNS TABLE (sink text, count bigint)
        LANGUAGE sql STABLE SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
            SELECT sink, count(*) FROM (SELECT sink FROM nestbox.dead LIMIT 100000) AS counted GROUP BY sink
        $$;

        -- Puts them on their way again, with no attempt counted, up to so many; returns how many.
        CREATE FUNCTION nestbox.revive(p_sink text, p_name text, p_limit integer) RETURNS integer
        LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
        DECLARE
            v_count integer;
        BEGIN
            PERFORM pg_logical_emit_message(true, 'nestbox', '');
            WITH chosen AS (\(chosen)), gone AS (
                DELETE FROM nestbox.dead d USING chosen c
                WHERE d.part = c.part AND d.sink = c.sink AND d.place = c.place RETURNING d.*
            ), sent AS (
                INSERT INTO nestbox.outbox (part, sink, place, name, token, due, record)
                SELECT part, sink, place, name, token, clock_timestamp(), record FROM gone ON CONFLICT DO NOTHING
            ), told AS (
                UPDATE nestbox.parts SET revived = revived + 1 WHERE part IN (SELECT part FROM gone)
            )
            SELECT count(*) INTO v_count FROM gone;
            RETURN v_count;
        END $$;

        -- Forgets them, up to so many; returns how many. With an age, in seconds, those that are older.
        CREATE FUNCTION nestbox.drop_dead(p_sink text, p_name text, p_age bigint, p_limit integer) RETURNS integer
        LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
        DECLARE
            v_count integer;
        BEGIN
            PERFORM pg_logical_emit_message(true, 'nestbox', '');
            WITH chosen AS (\(chosen)) DELETE FROM nestbox.dead d USING chosen c
                WHERE d.part = c.part AND d.sink = c.sink AND d.place = c.place
                    AND (p_age IS NULL OR d.died < clock_timestamp() - p_age * interval '1 second');
            GET DIAGNOSTICS v_count = ROW_COUNT;
            RETURN v_count;
        END $$;

        -- Takes records over from a host that served alone, in their order: on their way, or given up if there is a
        -- reason. Died: milliseconds since 1970.
        CREATE FUNCTION nestbox.import_records(
            p_parts smallint[], p_sinks text[], p_names text[], p_tokens text[], p_records bytea[],
            p_attempts integer[], p_reasons text[], p_died bigint[]
        ) RETURNS void LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
        BEGIN
            PERFORM pg_logical_emit_message(true, 'nestbox', '');
            IF cardinality(p_parts) > 1048576 THEN
                PERFORM nestbox.fail('54000', 'too many records in a call');
            END IF;
            WITH taken AS (
                SELECT o.*, (pg_current_xact_id()::text::bigint << 20) | (o.index - 1) AS place
                FROM unnest(p_parts, p_sinks, p_names, p_tokens, p_records, p_attempts, p_reasons, p_died)
                    WITH ORDINALITY AS o(part, sink, name, token, record, attempts, reason, died, index)
            ), sent AS (
                INSERT INTO nestbox.outbox (part, sink, place, name, token, due, record)
                SELECT part, sink, place, name, token, clock_timestamp(), record FROM taken WHERE reason IS NULL
            ), dead AS (
                INSERT INTO nestbox.dead (part, sink, place, name, token, attempts, reason, died, record)
                SELECT part, sink, place, name, token, attempts, reason, to_timestamp(died / 1000.0), record
                FROM taken WHERE reason IS NOT NULL
            )
            UPDATE nestbox.parts SET revived = revived + 1
                WHERE part IN (SELECT part FROM taken WHERE reason IS NULL);
        END $$;

        -- How often records of each partition were put on their way again; those without one are left out.
        CREATE FUNCTION nestbox.revivals() RETURNS TABLE (part smallint, revived bigint)
        LANGUAGE sql STABLE SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
            SELECT part, revived FROM nestbox.parts WHERE revived > 0
        $$;
        """

    /// Rows that nobody else is moving, the oldest first.
    private static let chosen = """
        SELECT part, sink, place FROM nestbox.dead
        WHERE (p_sink IS NULL OR sink = p_sink) AND (p_name IS NULL OR name = p_name)
        ORDER BY died LIMIT p_limit FOR UPDATE SKIP LOCKED
        """
}
