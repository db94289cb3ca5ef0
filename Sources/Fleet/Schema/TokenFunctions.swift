// SPDX-License-Identifier: Apache-2.0

/// The functions by which hosts and commands keep the device tokens of all hosts.
///
/// They need no session: whoever may call them may add and remove tokens. Rows are locked in the order of the tokens,
/// so that two calls which name the same ones wait for each other and do not deadlock.
enum TokenFunctions {
    static let sql = """
        -- Adds tokens, and says of each in its order whether it is active as asked. Verdict: 0 it is, 1 it is another
        -- app's, 2 it was removed and stays so, 3 it is active with another environment or owner; configured tokens
        -- alone have the last two. One that stands twice in a call is added as it stands there first.
        CREATE FUNCTION nestbox.add_tokens(
            p_tokens text[], p_topics text[], p_environments text[], p_owners text[], p_origin text
        ) RETURNS TABLE (verdict smallint)
        LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
        BEGIN
            PERFORM pg_logical_emit_message(true, 'nestbox', '');
            IF p_origin = 'configured' THEN
                INSERT INTO nestbox.tokens AS t (token, topic, environment, owner, origin)
                    \(offered)
                    -- The origin alone changes, so that the tombstone of what a configuration names stays.
                    ON CONFLICT (token) DO UPDATE SET origin = excluded.origin
                    WHERE t.origin <> excluded.origin AND t.topic = excluded.topic;
            ELSE
                INSERT INTO nestbox.tokens AS t (token, topic, environment, owner, origin)
                    \(offered)
                    ON CONFLICT (token) DO UPDATE SET topic = excluded.topic, environment = excluded.environment,
                        owner = excluded.owner, origin = excluded.origin, added = excluded.added, removed = NULL
                    WHERE t.removed IS NOT NULL OR t.topic = excluded.topic;
            END IF;
            -- A statement of its own, which sees what others have committed by now. A token that is not there any more
            -- had been removed.
            RETURN QUERY SELECT (
                    CASE WHEN t.token IS NULL OR t.removed IS NOT NULL THEN 2 WHEN t.topic <> o.topic THEN 1
                        WHEN (t.environment, t.owner) <> (o.environment, o.owner) THEN 3 ELSE 0 END
                )::smallint
                FROM \(arguments) LEFT JOIN nestbox.tokens t ON t.token = o.token ORDER BY o.index;
        END $$;

        -- Leaves a tombstone in the place of an active token; false if there is none that is active.
        CREATE FUNCTION nestbox.remove_token(p_token text) RETURNS boolean
        LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
        BEGIN
            PERFORM pg_logical_emit_message(true, 'nestbox', '');
            UPDATE nestbox.tokens SET removed = clock_timestamp() WHERE token = p_token AND removed IS NULL;
            RETURN FOUND;
        END $$;

        -- Tokens behind one in their order, of one app or of all if it is null, a thousand at most.
        CREATE FUNCTION nestbox.list_tokens(p_topic text, p_after text, p_limit integer) RETURNS TABLE (\(columns))
        LANGUAGE plpgsql STABLE SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
        #variable_conflict use_column
        BEGIN
            -- Two statements: each has an index in whose order it reads.
            IF p_topic IS NULL THEN
                RETURN QUERY SELECT \(values) FROM nestbox.tokens t
                    WHERE t.token > p_after ORDER BY t.token LIMIT least(p_limit, 1000);
            ELSE
                RETURN QUERY SELECT \(values) FROM nestbox.tokens t
                    WHERE t.topic = p_topic AND t.token > p_after ORDER BY t.token LIMIT least(p_limit, 1000);
            END IF;
        END $$;

        -- The token of that text, and then, from eight digits on, those of which the hash begins so, a thousand at
        -- most. A hash that begins so is not less than the digits, and less than they are with a "g" behind them.
        CREATE FUNCTION nestbox.find_tokens(p_prefix text, p_limit integer) RETURNS TABLE (\(columns))
        LANGUAGE plpgsql STABLE SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
        #variable_conflict use_column
        BEGIN
            -- Found first and put in order then: a plan for both would read all tokens in their order.
            RETURN QUERY WITH t AS MATERIALIZED (
                SELECT * FROM nestbox.tokens WHERE token = p_prefix
                UNION ALL
                SELECT * FROM nestbox.tokens WHERE length(p_prefix) >= 8 AND token <> p_prefix
                    AND \(FleetTables.tokenHash) >= p_prefix AND \(FleetTables.tokenHash) < p_prefix || 'g'
            )
            SELECT \(values) FROM t ORDER BY t.token <> p_prefix, t.token LIMIT least(p_limit, 1000);
        END $$;

        -- Deletes tombstones of minted tokens after 90 days, the oldest first, and returns how many; those of
        -- configured ones stay, or the next host that starts would add them again. What somebody else is changing is
        -- left to the next call.
        CREATE FUNCTION nestbox.prune_tokens(p_limit integer) RETURNS integer
        LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
        DECLARE
            -- The index takes no condition that asks for the time itself.
            v_until timestamptz := clock_timestamp() - interval '2160 hours';
            v_count integer;
        BEGIN
            PERFORM pg_logical_emit_message(true, 'nestbox', '');
            WITH old AS MATERIALIZED (
                SELECT token FROM nestbox.tokens
                WHERE origin = 'minted' AND removed <= v_until
                ORDER BY removed LIMIT p_limit FOR UPDATE SKIP LOCKED
            )
            DELETE FROM nestbox.tokens t USING old WHERE t.token = old.token;
            GET DIAGNOSTICS v_count = ROW_COUNT;
            RETURN v_count;
        END $$;
        """

    private static let arguments = """
        unnest(p_tokens, p_topics, p_environments, p_owners)
                    WITH ORDINALITY AS o(token, topic, environment, owner, index)
        """

    private static let offered = """
        SELECT DISTINCT ON (o.token) o.token, o.topic, o.environment, o.owner, p_origin
                    FROM \(arguments) ORDER BY o.token, o.index
        """

    /// A token as hosts read it, with times in milliseconds since 1970.
    private static let columns = """
        token text, topic text, environment text, owner text, origin text, added bigint, removed bigint
        """
    private static let values = """
        t.token, t.topic, t.environment, t.owner, t.origin, (extract(epoch FROM t.added) * 1000)::bigint,
                    (extract(epoch FROM t.removed) * 1000)::bigint
        """
}
