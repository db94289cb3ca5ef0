# SPDX-License-Identifier: Apache-2.0
"""Notes in the database what sessions write and when each is fenced, in the order of their commits."""
from fleet_parts import fail

# Commits have times only with this setting, on the primary and on its standby.
SETTINGS = {"track_commit_timestamp": "on"}

# The session is known by the lock that its write has, not by what the call says. The lock of a fence is a number of 64
# bits, whose halves pg_locks shows.
PREPARATION = """
CREATE SCHEMA lab;
CREATE TABLE lab.writes (session bigint, what text NOT NULL, xid xid8 NOT NULL);
CREATE TABLE lab.fences (session bigint NOT NULL, xid xid8 NOT NULL);

CREATE FUNCTION lab.note_write() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER AS $$
BEGIN
    IF EXISTS (SELECT FROM changed) THEN
        INSERT INTO lab.writes SELECT (
            SELECT (classid::bigint << 32) | objid::bigint FROM pg_locks
            WHERE locktype = 'advisory' AND objsubid = 1 AND granted AND pid = pg_backend_pid() LIMIT 1
        ), TG_ARGV[0], pg_current_xact_id();
    END IF;
    RETURN NULL;
END $$;
CREATE FUNCTION lab.note_fence() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER AS $$
BEGIN
    INSERT INTO lab.fences VALUES (NEW.session, pg_current_xact_id());
    RETURN NULL;
END $$;

CREATE TRIGGER concluded AFTER DELETE ON nestbox.waiting REFERENCING OLD TABLE AS changed
    FOR EACH STATEMENT EXECUTE FUNCTION lab.note_write('concluded');
CREATE TRIGGER remembered AFTER INSERT ON nestbox.opened REFERENCING NEW TABLE AS changed
    FOR EACH STATEMENT EXECUTE FUNCTION lab.note_write('remembered');
CREATE TRIGGER settled AFTER DELETE ON nestbox.outbox REFERENCING OLD TABLE AS changed
    FOR EACH STATEMENT EXECUTE FUNCTION lab.note_write('settled');
CREATE TRIGGER postponed AFTER UPDATE ON nestbox.outbox REFERENCING NEW TABLE AS changed
    FOR EACH STATEMENT EXECUTE FUNCTION lab.note_write('postponed');
CREATE TRIGGER fenced AFTER UPDATE ON nestbox.sessions
    FOR EACH ROW WHEN (NEW.fenced AND NOT OLD.fenced) EXECUTE FUNCTION lab.note_fence();
"""

# In nanoseconds since 1970, by the clock of the servers. A write without its session's lock is nobody's.
EVENTS = """
SELECT concat_ws(' ', 'wrote', coalesce(session::text, 'nobody'), what,
    (extract(epoch FROM pg_xact_commit_timestamp(xid::xid)) * 1000000000)::bigint) FROM lab.writes
UNION ALL
SELECT concat_ws(' ', 'fenced', session,
    (extract(epoch FROM pg_xact_commit_timestamp(xid::xid)) * 1000000000)::bigint) FROM lab.fences
"""


def prepare(servers):
    servers.sql(PREPARATION, "nestbox")


def add_events(servers, history):
    """Adds to the history what was noted: writes, and fences of sessions."""
    for line in servers.sql(EVENTS, "nestbox").splitlines():
        words = line.split()
        if len(words) != (4 if words[0] == "wrote" else 3):
            fail(f"the server knows no time of the commit in \"{line}\"")
        history.add(*words)
        history.count("writes of sessions" if words[0] == "wrote" else "fenced sessions")
