# SPDX-License-Identifier: Apache-2.0
"""A sender of pushes in a process of its own: one HTTP/2 connection and many pushes under way on it.

The pushes of an app are numbered, in turn over its devices: number, badge and text of a push are one.
"""

import json
import multiprocessing
import os
import select
import socket
import struct
import time

DATA, HEADERS, RESET, SETTINGS, PING, GOAWAY, WINDOW_UPDATE = 0, 1, 3, 4, 6, 7, 8
OPEN_LIMIT = 256
# Pushes that a sender makes up for when the host was away: those of a quarter of a second.
ARREARS = 0.25
# Every so many pushes of an app, one has a collapse id of its own, and one that of a slot that it takes over.
COLLAPSE_EVERY, SLOT_EVERY = 10, 25
# Of each app: a host takes 100 pushes a second of one, after a burst of 1,000.
DEVICES = 20


def frame(kind, flags, stream, body):
    return struct.pack(">I", len(body))[1:] + struct.pack(">BBI", kind, flags, stream) + body


def field(name, value):
    """A literal that neither side remembers."""
    return b"".join([b"\0", bytes([len(name)]), name, bytes([len(value)]), value])


def is_slot(number):
    """Whether the push takes the place of the last one of its app's slot."""
    return number % SLOT_EVERY == 0


def device(number):
    """The device of its app to which a push goes; those of the slot go to one, which makes their order known."""
    return 0 if is_slot(number) else 1 + number % (DEVICES - 1)


def push_id(app, number):
    return f"{app:08x}-0000-4000-8000-{number:012x}"


class Push:
    __slots__ = ("app", "number", "sent")

    def __init__(self, app, number, sent):
        self.app, self.number, self.sent = app, number, sent


class Connection:
    """One connection, until the host ends it."""

    def __init__(self, port):
        self.socket = socket.create_connection(("127.0.0.1", port), timeout=5)
        self.socket.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        self.socket.setblocking(False)
        self.out = bytearray(b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n" + frame(SETTINGS, 0, 0, b""))
        self.into = bytearray()
        self.window, self.stream, self.is_leaving, self.open = 65535, 1, False, {}

    @property
    def has_room(self):
        return len(self.open) < OPEN_LIMIT and self.window > 1024 and not self.is_leaving

    def post(self, push, path, topic):
        number, app = push.number, push.app
        fields = field(b"apns-topic", topic) + field(b"apns-id", push_id(app, number).encode())
        if is_slot(number):
            fields += field(b"apns-collapse-id", b"slot-%d" % app)
        elif number % COLLAPSE_EVERY == 0:
            fields += field(b"apns-collapse-id", b"own-%d-%d" % (app, number))
        body = b'{"aps":{"alert":{"title":"Storm","body":"%d"},"badge":%d,"sound":"default"}}' % (number, number)
        # :method POST and :scheme http are entries of the static table, :path has its name there.
        head = b"\x83\x86\x04" + bytes([len(path)]) + path + fields
        self.out += frame(HEADERS, 4, self.stream, head) + frame(DATA, 1, self.stream, body)
        self.open[self.stream] = push
        self.window -= len(body)
        self.stream += 2

    def turn(self, seconds):
        """Sends and reads what is possible; yields the pushes that were answered, with their statuses."""
        reading, writing, _ = select.select([self.socket], [self.socket] if self.out else [], [], seconds)
        if writing:
            del self.out[:self.socket.send(memoryview(self.out)[:65536].tobytes())]
        if not reading:
            return
        data = self.socket.recv(262144)
        if not data:
            raise ConnectionError
        self.into += data
        place = 0
        while len(self.into) - place >= 9:
            length = int.from_bytes(self.into[place:place + 3], "big")
            if len(self.into) - place < 9 + length:
                break
            kind, flags, stream = struct.unpack_from(">BBI", self.into, place + 3)
            body = bytes(self.into[place + 9:place + 9 + length])
            place += 9 + length
            if kind == HEADERS:
                # `:status: 200` is one byte, the first, unless the table changes its size before it.
                push = self.open.pop(stream, None)
                if push:
                    block = body.lstrip(bytes(range(0x20, 0x40)))
                    yield push, 200 if block[:1] == b"\x88" else 500
            elif kind == RESET:
                push = self.open.pop(stream, None)
                if push:
                    yield push, 0
            elif kind == WINDOW_UPDATE and stream == 0:
                self.window += int.from_bytes(body, "big")
            elif kind == SETTINGS and not flags & 1:
                self.out += frame(SETTINGS, 1, 0, b"")
            elif kind == PING and not flags & 1:
                self.out += frame(PING, 1, 0, body)
            elif kind == GOAWAY:
                self.is_leaving = True
        del self.into[:place]
        if self.is_leaving and not self.open:
            raise ConnectionError

    def close(self):
        self.socket.close()


class Sender:
    """The sender as others see it: what it is told, and what was answered; `tokens` are those of each topic."""

    def __init__(self, port, topics, tokens):
        context = multiprocessing.get_context("fork")
        # Pushes a second, and those that may still be sent; a negative number is no limit.
        self.rate, self.left = context.Value("d", 0.0), context.Value("q", -1)
        self.accepted, self.is_over = context.Value("q", 0), context.Value("b", 0)
        self.under_way = context.Value("q", 0)
        # The last push of each app that was accepted.
        self.last = context.Array("q", len(topics))
        self.results, child = context.Pipe(False)
        self.process = context.Process(target=self._run, args=(port, topics, tokens, child), daemon=True)
        self.process.start()
        child.close()

    def end(self):
        """Ends the process; returns (app, number, status, time of sending, seconds until the answer) of each push."""
        self.is_over.value = 1
        answers = []
        while (piece := self.results.recv()) is not None:
            answers += piece
        self.process.join()
        return answers

    def quiet(self, seconds=30):
        """Sends nothing more, and waits for the answers to what is under way."""
        self.rate.value = 0.0
        end = time.monotonic() + seconds
        time.sleep(0.1)
        while self.under_way.value and time.monotonic() < end:
            time.sleep(0.02)

    def _run(self, port, topics, tokens, results):
        os.setpriority(os.PRIO_PROCESS, 0, -5 if os.geteuid() == 0 else 0)
        paths = [[f"/3/device/{token}".encode() for token in of_app] for of_app in tokens]
        topics = [topic.encode() for topic in topics]
        answers, numbers, connection = [], [0] * len(topics), None
        due, last, turn = 0.0, time.monotonic(), 0

        def note(push, status):
            now = time.monotonic()
            answers.append((push.app, push.number, status, push.sent, now - push.sent))
            if status == 200:
                self.accepted.value += 1
                self.last[push.app] = max(self.last[push.app], push.number)

        while not self.is_over.value or (connection and connection.open):
            now, rate = time.monotonic(), self.rate.value
            due, last = min(due + (now - last) * rate, max(1.0, rate * ARREARS)) if rate else 0.0, now
            try:
                connection = connection or Connection(port)
                while due >= 1 and connection.has_room and self.left.value and not self.is_over.value:
                    app = turn % len(topics)
                    turn, due = turn + 1, due - 1
                    numbers[app] += 1
                    if self.left.value > 0:
                        self.left.value -= 1
                    number = numbers[app]
                    connection.post(Push(app, number, time.monotonic()), paths[app][device(number)], topics[app])
                for push, status in connection.turn(0.001):
                    note(push, status)
            except OSError:
                if connection:
                    for push in connection.open.values():
                        note(push, 0)
                    connection.close()
                    connection = None
                else:
                    time.sleep(0.01)
            self.under_way.value = len(connection.open) if connection else 0
        for place in range(0, len(answers), 10_000):
            results.send(answers[place:place + 10_000])
        results.send(None)
