# SPDX-License-Identifier: Apache-2.0
"""A connection for each push, tens of thousands of them or a million: the host keeps nothing of any."""

import re
import secrets
import select
import socket
import time

from frames import END_HEADERS, END_STREAM, DATA, HEADERS, PREFACE, frame, head
from hosts import Host, Place

TOPIC = "com.example.good"
TOKENS = [secrets.token_hex(32) for _ in range(4000)]
BODY = b'{"aps":{"alert":{"title":"Alice","body":"Lunch?"}}}'
# A step, after the first of which memory is measured; and how many connections are open at a time.
STEP, AT_ONCE = 10_000, 500
# How long a host may take to give back what it does not use: it does so after ten seconds without a push.
REST = 20
# Bytes that glibc needs for the smallest object: whoever keeps anything of each connection keeps as much. A heap that
# ages grows by less, because pages that are partly used cannot go back.
SMALLEST_OBJECT = 32
IP_BIND_ADDRESS_NO_PORT = 24


def configuration(place):
    tokens = ", ".join(f'"{token}"' for token in TOKENS)
    return f"""
listen: {{ apns: {{ port: 0, plaintext: true }} }}
state: {place.path("state")}
admin: {{ socket: {place.path("state", "admin.sock")} }}
apps: [{{ topic: {TOPIC}, device-tokens: [{tokens}] }}]
"""


def http2(token):
    return PREFACE + frame(HEADERS, END_HEADERS, 1, head(token, TOPIC.encode())) + frame(DATA, END_STREAM, 1, BODY)


def http1(token):
    return (f"POST /3/device/{token} HTTP/1.1\r\nhost: localhost\r\napns-topic: {TOPIC}\r\n"
            f"content-length: {len(BODY)}\r\nconnection: close\r\n\r\n").encode() + BODY


def is_answered(data, is_http2):
    """Whether a status of 200 stands in what came."""
    return b"\x88" in data if is_http2 else data.startswith(b"HTTP/1.1 200")


class Crowd:
    """So many sockets at a time, each with one push of its own."""

    def __init__(self, port):
        self.port = port
        self.poll = select.epoll()
        self.open, self.begun, self.accepted = {}, 0, 0

    def run(self, count):
        end = self.begun + count
        while self.begun < end or self.open:
            while self.begun < end and len(self.open) < AT_ONCE:
                self._begin()
            for number, _ in self.poll.poll(10) or self._hang():
                self._read(number)

    def _hang(self):
        raise TimeoutError(f"{len(self.open)} connections without an answer for 10 s")

    def _begin(self):
        number, self.begun = self.begun, self.begun + 1
        is_http2 = number % 4 != 3
        stranger = socket.socket()
        # From another address each, so that ports do not run out; the kernel finds one when it knows both ends.
        stranger.setsockopt(socket.IPPROTO_IP, IP_BIND_ADDRESS_NO_PORT, 1)
        stranger.bind((f"127.1.{number // 250 % 250}.{number % 250 + 1}", 0))
        stranger.connect(("127.0.0.1", self.port))
        stranger.sendall((http2 if is_http2 else http1)(TOKENS[number % len(TOKENS)]))
        self.open[stranger.fileno()] = [stranger, is_http2, b""]
        self.poll.register(stranger, select.EPOLLIN)

    def _read(self, number):
        entry = self.open[number]
        stranger, is_http2, data = entry
        try:
            piece = stranger.recv(65536)
        except ConnectionError:
            piece = b""
        entry[2] = data + piece
        done = is_answered(entry[2], is_http2)
        if done or not piece:
            self.accepted += done
            self.poll.unregister(stranger)
            stranger.close()
            del self.open[number]


def known(place):
    """Megabytes of memory in which the host knows the newest pushes, as its metrics say."""
    with socket.socket(socket.AF_UNIX) as admin:
        admin.connect(place.path("state", "admin.sock"))
        admin.sendall(b"GET /metrics HTTP/1.1\r\nhost: localhost\r\nconnection: close\r\n\r\n")
        text = b"".join(iter(lambda: admin.recv(65536), b"")).decode()
    return int(re.search(r"^nestbox_journal_key_bytes (\d+)", text, re.MULTILINE)[1]) / 2**20


def run(table, programs, options):
    count = options.connections
    table.heading("connections", f"a push on each of {count:,}, {AT_ONCE} open at a time, HTTP/2 and HTTP/1.1")
    place = Place(programs)
    memory, faults, first, last = [], [], (0, 0), (0, 0)
    with open(place.path("records"), "w") as records:
        host = Host(place, configuration(place), records=records)
        crowd, start = Crowd(host.port), time.monotonic()
        try:
            crowd.run(STEP)
            first = (host.settled_memory(0, seconds=REST), known(place))
            while crowd.begun < count:
                crowd.run(STEP)
                memory.append(host.memory())
            taken = time.monotonic() - start - REST
            last = (host.settled_memory(0, seconds=REST), known(place))
        except (OSError, TimeoutError) as error:
            taken = time.monotonic() - start
            faults.append(str(error))
        status = host.close() if host.is_alive else host.process.returncode
    with open(place.path("records")) as records:
        written = sum(1 for _ in records)
    if status:
        faults.append(f"exit status {status}")
    if crowd.accepted != crowd.begun or written != crowd.accepted:
        faults.append(f"{crowd.begun} sent, {crowd.accepted} accepted, {written} records")
    before, after = first[0], last[0]
    kept = (after - before) * 2**20 / max(1, crowd.begun - STEP)
    if kept >= SMALLEST_OBJECT:
        faults.append(f"{kept:.0f} bytes kept of each connection after the first {STEP:,}")
    table.row(f"{crowd.begun:,} connections", f"{crowd.begun / taken:.0f} a second", f"{crowd.accepted}",
              f"{before:.1f} -> {after:.1f}", faults)
    steps = " ".join(f"{each:.1f}" for each in memory[::max(1, len(memory) // 10)])
    print(f"  MB at rest: {before:.1f}, at the end {after:.1f}, {after / before:.2f} times as much; "
          f"of it known pushes: {first[1]:.1f}, {last[1]:.1f}")
    print(f"  kept of each connection after the first {STEP:,}: {kept:.1f} bytes")
    print(f"  MB while they come, by step: {steps}", flush=True)
    place.remove()
