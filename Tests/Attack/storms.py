# SPDX-License-Identifier: Apache-2.0
"""Connections from many addresses of a network namespace, while a gateway with a credential wants in."""

import os
import secrets
import subprocess
import sys

from frames import END_HEADERS, END_STREAM, HEADERS, PREFACE, Stranger, frame, head
from gateways import Gateway, Neighbour
from hosts import Host, Place
from table import fail

TOPIC, TOKEN = "com.example.good", secrets.token_hex(32)
# Addresses for tests (RFC 2544) and local ones (RFC 4193), all of them this namespace's own.
IPV4, IPV6 = "198.18.{}.{}", "fd00:17:0:{:x}::{:x}"


def lay_out_network():
    """Makes every address of two ranges an address of the loopback device; asks for a namespace of one's own."""
    for command in (["link", "set", "lo", "up"], ["route", "add", "local", "198.18.0.0/15", "dev", "lo"],
                    ["-6", "route", "add", "local", "fd00:17::/32", "dev", "lo"]):
        result = subprocess.run(["ip", *command], stderr=subprocess.PIPE, text=True)
        if result.returncode:
            fail(f"ip {' '.join(command)}: {result.stderr.strip()}", "start it by make attack, in a network of its own")
    # A route makes IPv4 addresses usable as sources; IPv6 asks for this beside it.
    with open("/proc/sys/net/ipv6/ip_nonlocal_bind", "w") as file:
        file.write("1")


def configuration(place, host, security):
    return f"""
listen:
  apns:
    host: "{host}"
    port: 0
    {security}
    auth:
      teams: [{{ team: DEF123GHIJ, keys: [{{ id: ABC123DEFG, public-key: {place.path("apns.pem")} }}] }}]
state: {place.path("state")}
apps:
  - topic: {TOPIC}
    device-tokens: ["{TOKEN}"]
    extension: {place.bundle(TOPIC)}
    keys: [{place.path("recipient.key")}]
"""


def credential(place, programs):
    """Makes a provider's key, and returns the header that proves it."""
    key = place.path("AuthKey.p8")
    for command in (["genpkey", "-algorithm", "EC", "-pkeyopt", "ec_paramgen_curve:P-256", "-out", key],
                    ["ec", "-in", key, "-pubout", "-out", place.path("apns.pem")]):
        subprocess.run(["openssl", *command], check=True, stderr=subprocess.DEVNULL)
    sys.path.insert(0, os.path.join(programs.root, "Tests", "Clients"))
    from provider_token import provider_token
    return ("authorization", "bearer " + provider_token(key, "ABC123DEFG", "DEF123GHIJ"))


def refused(stranger):
    """One request without a credential, and its answer."""
    stranger.send(PREFACE + frame(HEADERS, END_HEADERS | END_STREAM, 1, head()))
    stranger.read()


def preface(stranger):
    stranger.send(PREFACE)


def half_hello(stranger):
    stranger.send(bytes.fromhex("160301"))


# A source has 64 places, a listener 1,024; some that gave way are still open, and the host has files of its own.
DOSES = 4
FEW, MANY = 64 + 32 + 100, 1024 + 32 + 100
STORMS = [
    # What, how many connections, from which address each, what each does, where the host is, its descriptors at most.
    ("17 addresses of one /64, one refusal each", 1024, lambda n: IPV6.format(1, n % 17 + 1), refused,
     IPV6.format(0, 1), FEW),
    ("one /64 that begins HTTP/2 and goes on coming", 3000, lambda n: IPV6.format(1, n + 1), preface,
     IPV6.format(0, 1), FEW),
    ("1,000 networks of /64, one refusal each", 3000, lambda n: IPV6.format(n % 1000 + 1, 1), refused,
     IPV6.format(0, 1), MANY),
    ("1,000 addresses, one refusal each", 3000, lambda n: IPV4.format(n % 1000 // 250 + 1, n % 250 + 1), refused,
     IPV4.format(0, 1), MANY),
    ("1,000 addresses that say nothing", 3000, lambda n: IPV4.format(n % 1000 // 250 + 1, n % 250 + 1),
     lambda stranger: None, IPV4.format(0, 1), MANY),
    ("1,000 addresses with half a hello", 3000, lambda n: IPV4.format(n % 1000 // 250 + 1, n % 250 + 1), half_hello,
     IPV4.format(0, 1), MANY),
]


def run(table, programs, options):
    table.heading("storms", "idle connections from many addresses, and a gateway that comes after them")
    for name, count, source, act, at, descriptors in STORMS:
        place = Place(programs)
        header = credential(place, programs)
        host = Host(place, configuration(place, at, "plaintext: true"))
        storm(table, programs, host, (at, host.port), header, name, count, source, act, descriptors)
        status = host.close()
        if status:
            table.row("the host's end", "SIGTERM", faults=[f"exit status {status}"])
        place.remove()


def storm(table, programs, host, address, header, name, count, source, act, descriptors):
    """Comes several times: what the first two leave is the heap's size, what the last adds to it is a leak."""
    cells, faults, doses = [], [], []
    for _ in range(DOSES):
        strangers = []
        for number in range(count):
            stranger = Stranger(address, source(number), timeout=2)
            act(stranger)
            strangers.append(stranger)
        # A credential is shown on this one alone, and only now.
        if host.descriptors() > descriptors:
            faults.append(f"{host.descriptors()} descriptors, at most {descriptors} are due")
        gateway = Gateway(address, source="fd00:17:0:ffff::1" if ":" in address[0] else "198.19.0.1", headers=[header])
        with Neighbour(host, gateway, programs, TOPIC, TOKEN) as neighbour:
            pass
        for stranger in strangers:
            stranger.close()
        good, found = neighbour.verdict()
        cells.append(good)
        faults += found
        if not host.is_alive:
            faults.append("the host is dead")
            break
        is_last = len(doses) == DOSES - 1
        doses.append(host.settled_memory(doses[1] * 1.1 + 2 if is_last else 0, seconds=30 if is_last else 3))
    if len(doses) == DOSES and doses[-1] > doses[1] * 1.1 + 2:
        faults.append("memory grows with every storm")
    memory = " -> ".join(f"{dose:.1f}" for dose in doses)
    table.row(name, f"{count} connections, {DOSES} times", cells[-1], memory, faults)
