// SPDX-License-Identifier: Apache-2.0

/// The functions by which any host hands pushes in, and their holder reads them.
///
/// Places come from the transaction's id, and only those below the oldest transaction that still runs are read:
/// what a reader has passed never gets a row any more. Numbers of a sequence would: reading behind four writers
/// missed a fourth of the rows. A transaction that waits for the standby still runs, so nothing is read before it is
/// on two machines, unless that wait was cut off.
enum IntakeFunctions {
    static let sql = """
        -- Stores what may come in, each in its order, and answers for each. Verdict: 0 stored, 1 no such token, 2 the
        -- token was removed, 3 it is another app's, 4 it is of another environment. Removed: milliseconds since 1970.
        -- An offer's environment is empty if either will do.
        CREATE FUNCTION nestbox.accept(
            p_parts smallint[], p_topics text[], p_tokens text[], p_apps text[], p_environments text[],
            p_names text[], p_keys bytea[], p_heads text[], p_bodies bytea[]
        ) RETURNS TABLE (place bigint, verdict smallint, removed bigint)
        LANGUAGE sql VOLATILE SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
            -- A refusal, too, waits for the standby: a server that has lost it knows the tokens of yesterday.
            SELECT pg_logical_emit_message(true, 'nestbox', '');
            -- A place has room for 2^20 pushes of a transaction.
            SELECT nestbox.fail('54000', 'too many pushes in a call') WHERE cardinality(p_parts) > 1048576;
            WITH offered AS (
                SELECT o.*, (pg_current_xact_id()::text::bigint << 20) | (o.index - 1) AS place,
                    CASE WHEN t.token IS NULL THEN 1
                        WHEN o.environment <> '' AND t.environment <> o.environment THEN 4
                        WHEN t.removed IS NOT NULL THEN 2 WHEN t.topic <> o.app THEN 3 ELSE 0 END AS verdict,
                    t.removed, t.owner
                FROM unnest(
                    p_parts, p_topics, p_tokens, p_apps, p_environments, p_names, p_keys, p_heads, p_bodies
                ) WITH ORDINALITY AS o(part, topic, token, app, environment, name, keys, head, body, index)
                LEFT JOIN nestbox.tokens t ON t.token = o.token
            ), stored AS (
                INSERT INTO nestbox.waiting (part, place, topic, token, owner, name, keys, head, body)
                SELECT part, place, topic, token, owner, name, keys, head, body FROM offered WHERE verdict = 0
            )
            SELECT place, verdict::smallint,
                CASE WHEN verdict = 2 THEN (extract(epoch FROM removed) * 1000)::bigint END
            FROM offered ORDER BY index
        $$;

        -- Pushes of some partitions behind the places that the caller has read, of each at most so many.
        CREATE FUNCTION nestbox.read_waiting(
            p_session bigint, p_secret bytea, p_parts smallint[], p_after bigint[], p_each integer
        ) RETURNS TABLE (
            part smallint, place bigint, topic text, token text, owner text, name text, keys bytea, head text,
            body bytea
        ) LANGUAGE plpgsql STABLE SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
        #variable_conflict use_column
        BEGIN
            PERFORM nestbox.look(p_session, p_secret, p_parts);
            RETURN QUERY SELECT w.part, w.place, w.topic, w.token, w.owner, w.name, w.keys, w.head, w.body
            FROM unnest(p_parts, p_after) AS asked(part, after)
            CROSS JOIN LATERAL (
                SELECT * FROM nestbox.waiting w
                WHERE w.part = asked.part AND w.place > asked.after
                    AND w.place < pg_snapshot_xmin(pg_current_snapshot())::text::bigint << 20
                ORDER BY w.place LIMIT p_each
            ) w
            ORDER BY w.place;
        END $$;

        -- What is there of some partitions behind a place, without its content.
        CREATE FUNCTION nestbox.backlog(
            p_session bigint, p_secret bytea, p_parts smallint[], p_after bigint, p_limit integer
        ) RETURNS TABLE (part smallint, place bigint, topic text, token text, bytes integer)
        LANGUAGE plpgsql STABLE SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
        #variable_conflict use_column
        BEGIN
            PERFORM nestbox.look(p_session, p_secret, p_parts);
            RETURN QUERY SELECT part, place, topic, token, octet_length(body) FROM nestbox.waiting
                WHERE part = ANY (p_parts) AND place > p_after
                    AND place < pg_snapshot_xmin(pg_current_snapshot())::text::bigint << 20
                ORDER BY place LIMIT p_limit;
        END $$;
        """
}
