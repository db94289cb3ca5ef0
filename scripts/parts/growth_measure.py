# SPDX-License-Identifier: Apache-2.0
"""What the parts of a fleet cost on this machine: PostgreSQL and its standby under the calls that hosts make."""
import os
import threading
import time

import libpq
from fleet_parts import fail, processor_seconds
from fleet_ranking import PARTITIONS, partition
from fleet_run import told
from growth_calls import ALL, BATCH, FAR, TOPIC, Member, Push, join
from growth_model import BEATS

# As packaging/fleet/postgresql.conf has it, with memory and log for a run of a minute.
SETTINGS = {"shared_buffers": "512MB", "wal_compression": "lz4", "max_wal_size": "8GB", "autovacuum_naptime": "10s",
            "autovacuum_vacuum_cost_limit": "2000"}
# Hosts that are at work when processor time is measured.
HOSTS = 2
# FleetReader.openedAtOnce, FleetReader.rowsOfEach, FleetLedger.prunedAtOnce, FleetLedger.prunedOfEach.
OPENED_AT_ONCE, ROWS_OF_EACH, PRUNED_AT_ONCE, PRUNED_OF_EACH = 64, 1_000, 64, 100


def quickest(seconds):
    """The bound of the quickest tenth: what else runs on this machine makes the others slower."""
    return sorted(seconds)[len(seconds) // 10]


class Measurement:
    def __init__(self, servers, programs, options):
        self.servers, self.programs, self.options, self.costs = servers, programs, options, {}

    def note(self, words):
        if self.options.verbose:
            os.write(2, f"fleet-growth: {words}\n".encode())

    def prepare(self):
        self.servers.start()
        self.servers.sql("CREATE ROLE host LOGIN")
        owner = f"host={self.servers.folder('a')} user=postgres dbname=nestbox"
        told(self.programs / "extension-host", "fleet", "init", "--database", owner, "--role", "host")
        # Both servers are young, and no session of this run is to be taken for alive because of that.
        self.sql("UPDATE nestbox.fleet SET grace = 0")
        self.conninfo = f"host={self.servers.folder('a')} user=host dbname=nestbox"

    def sql(self, statement):
        return self.servers.sql(statement, "nestbox")

    def log_position(self):
        return int(self.sql("SELECT (pg_current_wal_lsn() - '0/0'::pg_lsn)::bigint"))

    def size(self, table):
        return int(self.sql(f"SELECT pg_total_relation_size('nestbox.{table}')"))

    def used(self, work):
        """Microseconds of primary and standby, and bytes of log, while `work` ran; it returns a count to divide by."""
        log, before = self.log_position(), [self.servers.seconds_of(name) for name in "ab"]
        count = work()
        after = [self.servers.seconds_of(name) for name in "ab"]
        used = [(end - begin) * 1e6 / count for begin, end in zip(before, after)]
        return *used, (self.log_position() - log) / count

    def repeated(self, member, work):
        """Microseconds of a connection's process at the server for one call, made again and again for a while."""
        begin, end, count = processor_seconds(member.process()), time.monotonic() + self.options.seconds / 5, 0
        while time.monotonic() < end:
            work()
            count += 1
        return (processor_seconds(member.process()) - begin) * 1e6 / count

    def tokens(self):
        """Adds device tokens as hosts do, a thousand a call, and says what one takes on disk."""
        empty, connection = self.size("tokens"), libpq.Connection(self.conninfo)
        # Tokens of devices are random: their order is not that of their arrival.
        self.known = [os.urandom(32).hex() for _ in range(self.options.tokens)]
        for begin in range(0, len(self.known), 1_000):
            some = self.known[begin:begin + 1_000]
            values = [libpq.texts([word] * len(some)) for word in (TOPIC, "production", "owner")]
            connection.call("add_tokens", libpq.texts(some), *values, b"minted").close()
        connection.close()
        self.costs["tokenBytes"] = (self.size("tokens") - empty) / len(self.known)
        self.sql("ANALYZE nestbox.tokens")
        self.sql("CHECKPOINT")

    def idle(self):
        """Polls without news; beats, with what a host asks for each second, among few and many members."""
        member = Member(self.conninfo, "idle")
        member.take(ALL)
        for count in (16, 256, PARTITIONS):
            asked = [libpq.int16s(ALL[:count]), libpq.int64s([0] * count), libpq.int32(8)]
            cost = self.repeated(member, lambda: member.ask("read_waiting", *asked).close())
            self.costs[f"pollMicrosecondsOf{count}"] = cost

        # A beat has as many values as the schema of PROGRAMS asks for: since there is pressure, none of it.
        offered = dict(line.split("|") for line in self.sql(
            "SELECT proname, pronargs FROM pg_proc WHERE pronamespace = 'nestbox'::regnamespace").splitlines())
        values = [libpq.texts([])] * (int(offered["beat"]) - 2)
        beside = [name for name in ("holders", "revivals", "pressure") if name in offered]

        def beat():
            member.ask("beat", *values).close()
            for name in beside:
                member.call(name).close()
        # A session's lock is its connection's: one connection has those of all others.
        crowd, members = Member(self.conninfo, "crowd"), 2
        for count in BEATS:
            while members < count:
                join(crowd, f"crowd{members}", crowd.secret)
                members += 1
            # The server does so by itself after some changes; plans differ from then on.
            self.sql("ANALYZE nestbox.sessions")
            self.costs[f"beatMicrosecondsOf{count}"] = self.repeated(member, beat)
        crowd.close()
        member.leave()

    def path(self):
        """Pushes through the whole path: of one host for the time of a call, of some for the servers' time."""
        _, one = self.serve(1, self.options.seconds / 3)
        calls = {name: quickest(one[0].seconds[name])
                 for name in ("accept", "read_waiting", "remember", "conclude", "settle")}
        one[0].leave()
        (primary, standby, log), members = self.serve(HOSTS, self.options.seconds)
        # What every push leaves behind is forgotten one day: that belongs to it as well.
        rows, seconds = self.forget(members)
        for member in members:
            member.leave()
        self.note(f"path {primary:.0f} + {standby:.0f} µs, {log:.0f} bytes of log; forgetting {rows[0]:.0f} + "
                  f"{rows[1]:.0f} µs, {rows[2]:.0f} bytes, {seconds * 1e6:.0f} µs of the connection")
        self.costs["callMilliseconds"] = {name: round(spent * 1e3, 2) for name, spent in calls.items()}
        self.costs["primaryMicroseconds"] = primary + rows[0]
        self.costs["standbyMicroseconds"] = standby + rows[1]
        self.costs["logBytes"] = log + rows[2]
        self.costs["endMicroseconds"] = ((calls["conclude"] + calls["settle"]) / BATCH + seconds) * 1e6

    def serve(self, hosts, seconds):
        """What a push of so many hosts takes of the servers, and these hosts."""
        members, failures, counts = [], [], [0] * hosts
        for number in range(hosts):
            members.append(Member(self.conninfo, f"host{number}"))
            members[-1].take([part for part in ALL if part % hosts == number])
        end = time.monotonic() + seconds

        def work(number):
            try:
                push = Push([token for token in self.known if partition(token) % hosts == number])
                while time.monotonic() < end:
                    push.through(members[number], number)
                    counts[number] += BATCH
            except (libpq.Failure, SystemExit) as error:
                failures.append(error)

        def work_all():
            threads = [threading.Thread(target=work, args=[number], daemon=True) for number in range(hosts)]
            for thread in threads:
                thread.start()
            for thread in threads:
                thread.join()
            if failures or 0 in counts:
                fail(f"no push went through: {failures[:1]}")
            return sum(counts)

        used = self.used(work_all)
        self.costs[f"pushesPerSecondOf{hosts}"] = sum(counts) / seconds
        return used, members

    def forget(self, members):
        """What it takes to prune the key and the opening of a push: of both servers, of log, and seconds of calls."""
        member, each = members[0], []
        parts = [part for part in ALL if part % len(members) == 0]
        some = [libpq.int16s(parts[begin:begin + PRUNED_AT_ONCE]) for begin in range(0, len(parts), PRUNED_AT_ONCE)]
        # An age before the present makes all of them old.
        old = [libpq.int64(-60), libpq.int64(-FAR), libpq.int32(PRUNED_OF_EACH)]

        def prune():
            pushes, end, is_more = 0, time.monotonic() + self.options.seconds / 5, True
            while is_more and time.monotonic() < end:
                is_more = False
                for asked in some:
                    gone = member.ask("prune", asked, *old).number(0, 0) / 2
                    if gone:
                        each.append(member.seconds["prune"][-1] / gone)
                        pushes, is_more = pushes + gone, True
            return pushes
        return self.used(prune), quickest(each)

    def take_over(self):
        """Fills keys and openings of 512 partitions, and has a session take them and read all that is known of them."""
        parts = ALL[:512]
        each = max(1, self.options.keys // len(parts))
        for table in ("seen", "opened"):
            self.sql(f"TRUNCATE nestbox.{table}")
            rest = ("1, sha256(int8send(i))" if table == "seen"
                    else f"{FAR} + (i / 1000), substr(sha256(int8send(i)), 1, 16)")
            # In the order in which pushes come: partitions by turns, and places that grow.
            self.sql(f"INSERT INTO nestbox.{table} SELECT i % {len(parts)}, i, {rest} "
                     f"FROM generate_series(0::bigint, {each * len(parts) - 1}) i")
            self.costs[f"{table}Bytes"] = self.size(table) / (each * len(parts))
            self.sql(f"ANALYZE nestbox.{table}")
        member = Member(self.conninfo, "next")
        member.seconds = {}
        member.take(parts)
        for begin in range(0, len(parts), OPENED_AT_ONCE):
            some = parts[begin:begin + OPENED_AT_ONCE]
            for is_opened in (False, True):
                self.read_known(member, some, is_opened, each)
            member.ask("outbox_heads", libpq.int16s(some), libpq.int64(-1), b"", libpq.int32(10_000)).close()
        self.costs["takeOverPushes"] = each * len(parts)
        self.costs["takeOverSeconds"] = sum(map(sum, member.seconds.values()))
        member.leave()

    def read_known(self, member, parts, is_opened, each):
        """Reads pages of each partition, the newest first, as FleetReader does."""
        befores, left = {part: (1 << 63) - 1 for part in parts}, each
        while True:
            rows = member.ask("known", libpq.int16s(list(befores)), libpq.int64s(list(befores.values())),
                              libpq.boolean(is_opened), libpq.int32(ROWS_OF_EACH))
            page = min(left, ROWS_OF_EACH)
            if len(rows) != page * len(parts):
                fail(f"{len(rows)} rows are known in place of {page * len(parts)}")
            # The rows of a partition lie together, its last is the oldest.
            for last in range(page - 1, len(rows), page) if page else ():
                befores[rows.number(last, 0)] = rows.number(last, 1)
            rows.close()
            left -= page
            if page < ROWS_OF_EACH:
                return

    def run(self):
        for step in (self.prepare, self.tokens, self.idle, self.path, self.take_over):
            begin = time.monotonic()
            step()
            self.note(f"{step.__name__} took {time.monotonic() - begin:.1f} s")
        return self.costs
