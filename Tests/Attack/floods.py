# SPDX-License-Identifier: Apache-2.0
"""Floods of frames and requests over one listener, each bounded in count, with good pushes beside them."""

import concurrent.futures
import secrets

from frames import (
    ACK, CONTINUATION, DATA, END_HEADERS, END_STREAM, GOAWAY, HEADERS, PADDED, PING, PREFACE, PRIORITY, PUSH_PROMISE,
    RESET, SETTINGS, WINDOW_UPDATE, Stranger, drain, field, frame, head, integer, pour,
)
from gateways import Gateway, Neighbour
from hosts import Host, Place

TOPIC, TOKEN = "com.example.good", secrets.token_hex(32)


def repeated(data, count, rounds):
    """So many pieces, each of so many frames."""
    return (data * count for _ in range(rounds))


def streams(count, body):
    """The preface, then `body(stream)` for so many streams of a peer."""
    yield PREFACE
    for first in range(0, count, 100):
        yield b"".join(body(2 * number + 1) for number in range(first, min(first + 100, count)))


def open_stream(stream, flags=END_HEADERS, more=b""):
    return frame(HEADERS, flags, stream, head(more=more))


def preface_and(pieces):
    yield PREFACE
    yield from pieces


BIG = field(b"x-filler", b"a" * 4000)
# An entry of 4,000 bytes goes into the table once and is named a thousand times in a block.
INDEXED = b"\x40\x08x-filler\x7f" + integer(3800 - 127) + b"a" * 3800
ALL = {
    "settings": lambda: preface_and(repeated(frame(SETTINGS, 0, 0, b"\0\4\0\0\xff\xff"), 500, 40)),
    "acknowledged settings": lambda: preface_and(repeated(frame(SETTINGS, ACK), 500, 40)),
    "pings": lambda: preface_and(repeated(frame(PING, 0, 0, b"attacked"), 500, 40)),
    "acknowledged pings": lambda: preface_and(repeated(frame(PING, ACK, 0, b"attacked"), 500, 40)),
    "rapid reset": lambda: streams(50_000, lambda id: open_stream(id) + frame(RESET, 0, id, b"\0\0\0\x08")),
    "resets provoked by windows of 0": lambda: streams(
        20_000, lambda id: open_stream(id) + frame(WINDOW_UPDATE, 0, id, bytes(4))),
    "resets provoked by data after the end": lambda: streams(
        20_000, lambda id: open_stream(id, END_HEADERS | END_STREAM) + frame(DATA, 0, id, b"x")),
    "headers without an end": lambda: preface_and(
        [frame(HEADERS, 0, 1, head())] + [frame(CONTINUATION, 0, 1, BIG)] * 1000),
    "empty continuations": lambda: preface_and(
        [frame(HEADERS, 0, 1, head())] + list(repeated(frame(CONTINUATION, 0, 1), 500, 40))),
    "empty data": lambda: preface_and([open_stream(1), *repeated(frame(DATA, 0, 1), 500, 40)]),
    "padding": lambda: preface_and([open_stream(1), *repeated(frame(DATA, PADDED, 1, b"\xff" + bytes(255)), 100, 50)]),
    "priorities": lambda: preface_and(repeated(frame(PRIORITY, 0, 3, b"\0\0\0\0\x10"), 500, 40)),
    "window updates": lambda: preface_and(repeated(frame(WINDOW_UPDATE, 0, 0, b"\0\0\0\1"), 500, 40)),
    "frames of an unknown type": lambda: preface_and(repeated(frame(0xFA, 0, 0, bytes(100)), 100, 200)),
    "compressed headers that unfold": lambda: streams(
        2000, lambda id: frame(HEADERS, END_HEADERS, id, head() + (INDEXED if id == 1 else b"") + b"\xbe" * 4000)),
    "headers over the limit": lambda: streams(
        2000, lambda id: frame(HEADERS, END_HEADERS, id, head(more=BIG * 3) + BIG)),
    "goaways": lambda: preface_and(repeated(frame(GOAWAY, 0, 0, bytes(8)), 500, 40)),
    "promises": lambda: preface_and(repeated(frame(PUSH_PROMISE, END_HEADERS, 1, b"\0\0\0\2" + head()), 50, 50)),
    "streams of the server's": lambda: streams(2000, lambda id: open_stream(id + 1)),
    "bodies too long": lambda: streams(500, lambda id: open_stream(id) + frame(DATA, END_STREAM, id, bytes(16_000))),
    "refused requests": lambda: streams(20_000, lambda id: open_stream(id, END_HEADERS | END_STREAM)),
    "noise": lambda: (secrets.token_bytes(16_384) for _ in range(200)),
    "noise after the preface": lambda: preface_and(secrets.token_bytes(16_384) for _ in range(200)),
    "a TLS hello": lambda: (bytes.fromhex("16030100f8010000f4") + secrets.token_bytes(16_000) for _ in range(50)),
    "pipelined requests that are refused": lambda: repeated(
        b"POST /3/device/00 HTTP/1.1\r\nhost: a\r\ncontent-length: 2\r\n\r\n{}", 100, 100),
    "chunks of one byte": lambda: preceded(
        b"POST /3/device/00 HTTP/1.1\r\nhost: a\r\ntransfer-encoding: chunked\r\n\r\n", b"1\r\nx\r\n", 500, 100),
    "chunk extensions": lambda: preceded(
        b"POST /3/device/00 HTTP/1.1\r\nhost: a\r\ntransfer-encoding: chunked\r\n\r\n", b"1;" + b"x" * 16_000, 1, 100),
    "header lines without end": lambda: preceded(
        b"POST / HTTP/1.1\r\n", b"x-filler: " + b"a" * 100 + b"\r\n", 100, 200),
}


def preceded(first, then, count, rounds):
    yield first
    yield from repeated(then, count, rounds)


def unread(address):
    """Asks for much and reads nothing: answers and acknowledgements have to wait somewhere."""
    strangers = [Stranger(address, timeout=0.5) for _ in range(20)]
    for stranger in strangers:
        for piece in streams(900, lambda id: open_stream(id, END_HEADERS | END_STREAM)):
            stranger.send(piece)
        for _ in range(100):
            if not stranger.send(frame(PING, 0, 0, b"attacked") * 500):
                break
    for stranger in strangers:
        stranger.reset()


def dropped(address):
    """Connections with a thousand open streams each, dropped; the kernel sends RST for half of them."""
    for number in range(100):
        stranger = Stranger(address)
        for piece in streams(1000, open_stream):
            stranger.send(piece)
        drain(stranger)
        stranger.reset() if number % 2 else stranger.close()


def slow(address):
    """Two hundred connections that stop in the middle of a head, of a body, of a frame."""
    starts = [b"", b"P", PREFACE, PREFACE + open_stream(1), PREFACE + frame(HEADERS, 0, 1, head())[:20],
              b"POST / HTTP/1.1\r\nhost: a\r\n", b"POST / HTTP/1.1\r\nhost: a\r\ncontent-length: 9\r\n\r\nx"]
    strangers = [Stranger(address) for _ in range(200)]
    for number, stranger in enumerate(strangers):
        stranger.send(starts[number % len(starts)])
    for stranger in strangers:
        stranger.close()


def configuration(place):
    return f"""
listen: {{ apns: {{ port: 0, plaintext: true }} }}
state: {place.path("state")}
apps:
  - topic: {TOPIC}
    device-tokens: ["{TOKEN}"]
    extension: {place.bundle(TOPIC)}
    keys: [{place.path("recipient.key")}]
"""


def run(table, programs, options):
    table.heading("floods", "one kind after another, eight connections of each, good pushes beside them")
    place = Place(programs)
    host = Host(place, configuration(place))
    address = ("127.0.0.1", host.port)
    attacks = {name: pouring(make) for name, make in ALL.items()} | {
        "answers that nobody reads": unread, "connections with 1,000 streams, dropped": dropped,
        "requests that stop in the middle": slow}
    for name, attack in attacks.items():
        if options.only and options.only not in name:
            continue
        under(table, host, address, programs, name, attack)
    status = host.close()
    table.row("the host's end", "SIGTERM", faults=[] if status == 0 else [f"exit status {status}"])
    place.remove()


def pouring(make):
    return lambda address: pour(address, make())


def under(table, host, address, programs, name, attack):
    """Attacks twice: what the first dose leaves is the heap's size, what the second adds to it is a leak."""
    opener = host.opener
    with Neighbour(host, Gateway(address), programs, TOPIC, TOKEN) as neighbour:
        doses = []
        for _ in range(2):
            with concurrent.futures.ThreadPoolExecutor(4) as pool:
                list(pool.map(lambda _: attack(address), range(8 if attack.__name__ == "<lambda>" else 2)))
            bound = doses[0] * 1.1 + 2 if doses else 0
            doses.append(host.settled_memory(bound, seconds=30 if doses else 3))
    good, faults = neighbour.verdict()
    if not host.is_alive:
        faults.append("the host is dead")
    elif host.opener != opener:
        faults.append("the opener is another process")
    if doses[1] > doses[0] * 1.1 + 2:
        faults.append("memory grows with every dose")
    table.row(name, "8 connections, twice", good, f"{doses[0]:.1f} -> {doses[1]:.1f}", faults)
