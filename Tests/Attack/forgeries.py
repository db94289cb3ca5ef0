# SPDX-License-Identifier: Apache-2.0
"""Forged messages of every format to the opener under its real filter, beside another app's sealed pushes."""

import glob
import json
import os
import random
import re
import secrets
import subprocess
import sys
import uuid

import bech32
from gateways import Gateway, Neighbour
from hosts import Host, Place

GOOD, GOOD_TOKEN = "com.example.good", secrets.token_hex(32)
# The topic that the vectors are sealed for.
HOSTILE, HOSTILE_TOKENS = "com.example.app", [secrets.token_hex(32) for _ in range(50)]
FORMATS = ["v1", "sealed-box", "box", "web-push", "home-assistant", "bark-gcm", "bark-cbc"]


def configuration(place, formats):
    return f"""
listen:
  apns: {{ port: 0, plaintext: true }}
  web-push: {{ public-origin: "https://push.example.com" }}
state: {place.path("state")}
apps:
  - topic: {GOOD}
    device-tokens: ["{GOOD_TOKEN}"]
    extension: {place.bundle(GOOD)}
    keys: [{place.path("recipient.key")}]
  - topic: {HOSTILE}
    device-tokens: {json.dumps(HOSTILE_TOKENS)}
    keys: [{place.path("hostile.key")}]
    accept: [{", ".join(formats)}]
"""


class Vectors:
    """The project's test vectors: 554 messages, most of them refused for one defect each."""

    def __init__(self, root):
        self.secrets, self.bodies = set(), []
        for path in sorted(glob.glob(os.path.join(root, "Tests", "Vectors", "open", "*.txt"))):
            with open(path, "rb") as file:
                header, text = file.read().split(b"\n\n", 1)
            lines = [line.split(": ", 1) for line in header.decode().splitlines() if ": " in line]
            self._add(os.path.basename(path)[:-4], lines, text.rstrip(b"\n"))

    def _add(self, name, lines, text):
        named = dict(lines)
        format = next((each for each in FORMATS if name.startswith(each + "-")), "v1")
        if named.get("input") != "body":
            push = {"aps": {"alert": {"body": "sealed"}, "mutable-content": 1}}
            push["encrypted-content"] = text.decode("utf-8", "replace")
            text = json.dumps(push).encode()
        if 0 < len(text) <= 4096:
            self.bodies.append((format, text))


SEALED = re.compile(rb'"(?:encrypted-content|encrypted_data|ciphertext)": ?"([^"]{8,})"')


def distinct(bodies):
    """Without those that a host would know again: what is sealed tells a repeat, and a repeat has no record."""
    found = {}
    for body in bodies:
        sealed = SEALED.search(body)
        found.setdefault(sealed.group(1) if sealed else body, body)
    return list(found.values())


def mutated(body, chance):
    """A message with one byte of what is sealed changed, or its end missing."""
    sealed = SEALED.search(body)
    if not sealed:
        return body
    start, end = sealed.span(1)
    place = chance.randrange(start, end)
    if chance.random() < 0.2:
        return body[:place] + body[end:]
    letters = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789"
    return body[:place] + bytes([chance.choice(letters)]) + body[place + 1:]


def run(table, programs, options):
    table.heading("forgeries", "every vector and mutations of it to one app, sealed pushes of another beside it")
    vectors = Vectors(programs.root)
    sys.path.insert(0, os.path.join(programs.root, "Tests", "Vectors"))
    from second import formats
    place = Place(programs)
    place.write("hostile.key", "\n".join([
        bech32.encode("nse-secret-key-", formats.RECIPIENT).upper(), f"web-push: {formats.push_key()}",
        f"home-assistant: {formats.HOME.hex()}",
        f"bark-gcm: {formats.BARK_KEY} {formats.GCM_IV}", f"bark-cbc: {formats.BARK_KEY} {formats.CBC_IV}"]) + "\n")
    host = Host(place, configuration(place, FORMATS))
    address = ("127.0.0.1", host.port)
    endpoint = subscription(programs, place)
    chance, posted = random.Random(17), set()
    for format in FORMATS:
        bodies = [body for name, body in vectors.bodies if name == format]
        bodies += [mutated(chance.choice(bodies), chance) for _ in range(500)]
        bodies = [body for body in distinct(bodies) if body not in posted]
        posted.update(bodies)
        under(table, host, address, programs, f"{format}: vectors and mutations", len(bodies), poster(address, bodies))
    messages = [formats.web_push()[:-1] + bytes([byte]) for byte in range(100)]
    messages += [formats.web_push(point=b"\x04" + secrets.token_bytes(64)) for _ in range(100)]
    under(table, host, address, programs, "Web Push endpoint: tags and points", len(messages),
          lambda: endpoint_poster(address, endpoint, messages))
    status = host.close()
    table.row("the host's end", "SIGTERM", faults=[] if status == 0 else [f"exit status {status}"])
    place.remove()


def subscription(programs, place):
    """The path of a new Web Push endpoint of the hostile app."""
    result = subprocess.run(
        [programs.path("extension-host"), "subscription", "new", "--config", place.path("host.yaml"),
         "--topic", HOSTILE],
        stdout=subprocess.PIPE, text=True, check=True)
    return "/" + result.stdout.split()[0].split("/", 3)[3]


def poster(address, bodies):
    def post():
        gateway, sent = Gateway(address), []
        for number, body in enumerate(bodies):
            push = str(uuid.uuid4())
            if gateway.post(HOSTILE_TOKENS[number % len(HOSTILE_TOKENS)], HOSTILE, body, number=push) == 200:
                sent.append(push)
        gateway.close()
        return sent
    return post


def endpoint_poster(address, endpoint, messages):
    gateway = Gateway(address, headers=[("content-encoding", "aes128gcm"), ("ttl", "60")])
    answers = [gateway.post("", HOSTILE, message, path=endpoint) for message in messages]
    gateway.close()
    if answers.count(201) != len(messages):
        raise RuntimeError(f"{len(messages) - answers.count(201)} messages were not taken")
    return []


def under(table, host, address, programs, name, count, post):
    opener, before = host.opener, host.memory()
    with Neighbour(host, Gateway(address), programs, GOOD, GOOD_TOKEN) as neighbour:
        sent = post()
    good, faults = neighbour.verdict()
    results = host.results(sent)
    for reason in ("openerUnavailable", "lost"):
        if results.get(reason):
            faults.append(f"{results[reason]} forged pushes {reason}")
    if not host.is_alive:
        faults.append("the host is dead")
    elif host.opener != opener:
        faults.append("the opener is another process")
    table.row(name, f"{count} messages", good, f"{before:.1f} -> {host.memory():.1f}", faults)
