# SPDX-License-Identifier: Apache-2.0
"""The calls that a host makes of a fleet's database, in the form in which it makes them."""
import os

import libpq
from fleet_parts import fail
from fleet_ranking import PARTITIONS, partition

TOPIC, SINK, SCHEMA = "com.example.chat", "hook", 1
BODY_BYTES, BATCH = 2_048, 128
ALL = list(range(PARTITIONS))
FAR = 2_000_000_000


def join(connection, name, secret):
    rows = connection.call("join_fleet", name.encode(), secret, b"growth", libpq.int32(SCHEMA), libpq.int32(600_000),
                           libpq.double(1))
    return libpq.int64(rows.number(0, 0))


class Member(libpq.Connection):
    """A session with one connection, on which it makes the calls of a host one after the other."""

    def __init__(self, conninfo, name):
        super().__init__(conninfo)
        self.secret = os.urandom(32)
        self.session = join(self, name, self.secret)

    def ask(self, function, *values):
        return self.call(function, self.session, self.secret, *values)

    def take(self, parts):
        holders = self.call("holders")
        epochs = dict(zip(holders.column(0), holders.column(2)))
        wanted = [libpq.int16s(parts), libpq.int64s([epochs[part] for part in parts])]
        if len(self.ask("take", None, *wanted)) != len(parts):
            fail("partitions that nobody holds were not taken")

    def leave(self):
        self.ask("depart")
        self.close()


class Push:
    """What is the same in every batch of a host: bodies, topics and records; tokens come in turn."""

    def __init__(self, tokens):
        self.tokens, self.turn = tokens, 0
        self.bodies = libpq.byte_arrays([os.urandom(BODY_BYTES) for _ in range(BATCH)])
        self.keys = libpq.byte_arrays([os.urandom(32) for _ in range(BATCH)])
        self.same = {word: libpq.texts([word] * BATCH) for word in (TOPIC, "production", SINK, "")}
        self.heads = libpq.texts(['{"id":"6f1c8c8e-0000-4000-8000-00000000abcd","priority":10}'] * BATCH)

    def through(self, member, place):
        """A batch from its acceptance to the answer of its one sink."""
        tokens = [self.tokens[(self.turn + index) % len(self.tokens)] for index in range(BATCH)]
        self.turn += BATCH
        parts, same = libpq.int16s([partition(token) for token in tokens]), self.same
        names = libpq.texts([f"{place:016x}-{self.turn + index}" for index in range(BATCH)])
        stored = member.call("accept", parts, same[TOPIC], libpq.texts(tokens), same[TOPIC], same["production"], names,
                             self.keys, self.heads, self.bodies)
        if any(stored.column(1)):
            fail("a device token that was added is not known")
        places = stored.column(0)
        stored.close()
        found = sorted({partition(token) for token in tokens})
        member.ask("read_waiting", libpq.int16s(found), libpq.int64s([places[0] - 1] * len(found)),
                   libpq.int32(256)).close()
        numbers = libpq.int64s(places)
        member.ask("remember", parts, numbers, libpq.byte_arrays([os.urandom(16) for _ in places]),
                   libpq.int64s([FAR] * BATCH)).close()
        ended = member.ask("conclude", parts, numbers, libpq.booleans([False] * BATCH), parts, numbers, same[SINK],
                           self.bodies)
        if ended.number(0, 0) != BATCH:
            fail("pushes that were accepted could not be concluded")
        ended.close()
        nothing = [libpq.int16s([0] * BATCH), libpq.int64s([0] * BATCH), same[""]]
        member.ask("settle", parts, same[SINK], numbers, *nothing).close()
