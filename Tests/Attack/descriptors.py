# SPDX-License-Identifier: Apache-2.0
"""More connections than the host may have descriptors, for several limits of them."""

import secrets
import time

from frames import PREFACE, Stranger
from gateways import Gateway, Neighbour
from hosts import Host, Place

TOPIC, TOKEN = "com.example.good", secrets.token_hex(32)
LIMITS = [64, 128, 256, 384, 512, 600, 900, 1024, 2048, 4096]


def configuration(place):
    return f"""
listen:
  apns: {{ port: 0, plaintext: true }}
  ndjson: {{ socket: {place.path("state", "lines.sock")} }}
state: {place.path("state")}
admin: {{ socket: {place.path("state", "admin.sock")} }}
apps:
  - topic: {TOPIC}
    device-tokens: ["{TOKEN}"]
    extension: {place.bundle(TOPIC)}
    keys: [{place.path("recipient.key")}]
"""


def run(table, programs, options):
    table.heading("descriptors", "a hard limit, 300 connections more than it, and a gateway among them")
    for limit in LIMITS:
        place = Place(programs)
        host = Host(place, configuration(place), descriptors=limit)
        if host.started():
            crowd(table, programs, host, limit)
        else:
            refused(table, host, limit)
        place.remove()


def refused(table, host, limit):
    """Too low a limit is refused in words that name it."""
    text = "".join(host.notes)
    faults = [] if "descriptor" in text and "error:" in text else ["no word of descriptors: " + text.strip()[-120:]]
    if host.process.poll() is None:
        faults.append("it neither starts nor ends")
        host.process.kill()
    elif host.process.returncode < 0:
        faults.append(f"ended by signal {-host.process.returncode}")
    table.row(f"{limit} descriptors", "refused at the start", faults=faults)


def crowd(table, programs, host, limit):
    address = ("127.0.0.1", host.port)
    before = host.memory()
    strangers = [Stranger(address, timeout=1) for _ in range(limit + 300)]
    for stranger in strangers:
        stranger.send(PREFACE)
    used, since = host.processor_seconds(), time.monotonic()
    time.sleep(3)
    share = (host.processor_seconds() - used) / (time.monotonic() - since)
    with Neighbour(host, Gateway(address), programs, TOPIC, TOKEN) as neighbour:
        pass
    for stranger in strangers:
        stranger.close()
    good, faults = neighbour.verdict()
    if share > 0.5:
        faults.append(f"{share:.0%} of a processor while nobody asks for anything")
    status = host.close() if host.is_alive else host.process.returncode
    if status:
        faults.append(f"exit status {status}")
    table.row(f"{limit} descriptors", f"{limit + 300} connections", good, f"{before:.1f}", faults)
