# SPDX-License-Identifier: Apache-2.0
"""Extensions that misbehave in every way, beside another app's sealed pushes and their own app's good ones."""

import json
import re
import secrets
import uuid

from gateways import Gateway, Neighbour
from hosts import Host, Place

GOOD, GOOD_TOKEN = "com.example.good", secrets.token_hex(32)
BAD, BAD_TOKENS = "com.example.bad", [secrets.token_hex(32) for _ in range(60)]
# Their content comes back; all others end in the content that was given.
COMPLETE = {"late", "twice", "exitAfter", "mainQueue", "mainActor", "digest", "spoil", "dropFiles", "report", "centre",
            "attach", "twiceRaw", "readyAgain", "flood"}


def configuration(place):
    return f"""
listen: {{ apns: {{ port: 0, plaintext: true }} }}
state: {place.path("state")}
apps:
  - topic: {GOOD}
    device-tokens: ["{GOOD_TOKEN}"]
    extension: {place.bundle(GOOD)}
    keys: [{place.path("recipient.key")}]
  - topic: {BAD}
    device-tokens: {json.dumps(BAD_TOKENS)}
    extension: {place.bundle(BAD)}
    budget: 4s
    grace: 1s
"""


def behaviors(root):
    """What the extension of the tests can be asked for."""
    with open(f"{root}/Tests/Support/MisbehavingExtension/Behavior.swift") as file:
        return re.findall(r"^    case (\w+)$", file.read(), re.MULTILINE)


def run(table, programs, options):
    table.heading("extensions", "three pushes of one app that misbehave; sealed pushes of another app beside them")
    place = Place(programs)
    host = Host(place, configuration(place))
    address = ("127.0.0.1", host.port)
    for number, behavior in enumerate(behaviors(programs.root)):
        under(table, host, address, programs, behavior, BAD_TOKENS[number % 50:][:3])
    crowd(table, host, address)
    status = host.close()
    table.row("the host's end", "SIGTERM", faults=[] if status == 0 else [f"exit status {status}"])
    place.remove()


def post(address, token, behavior=None):
    gateway, number = Gateway(address), str(uuid.uuid4())
    payload = {"aps": {"alert": {"title": "given"}, "mutable-content": 1}}
    if behavior:
        payload["behave"] = behavior
    gateway.post(token, BAD, json.dumps(payload).encode(), number=number)
    gateway.close()
    return number


def under(table, host, address, programs, behavior, tokens):
    opener = host.opener
    with Neighbour(host, Gateway(address), programs, GOOD, GOOD_TOKEN) as neighbour:
        sent = [post(address, token, behavior) for token in tokens]
        results = host.results(sent)
    good, faults = neighbour.verdict()
    if results.get("lost"):
        faults.append(f"{results['lost']} pushes without a record")
    if not host.is_alive:
        faults.append("the host is dead")
    elif host.opener != opener:
        faults.append("the opener is another process")
    said = ", ".join(f"{result} {count}" for result, count in sorted(results.items()))
    table.row(behavior, said, good, faults=faults)


def crowd(table, host, address):
    """One push that hangs, and twenty good ones of the same app right behind it."""
    hanging = post(address, BAD_TOKENS[0], "hang")
    sent = [post(address, token) for token in BAD_TOKENS[10:30]]
    results = host.results(sent)
    good, faults = results.get("modified", 0), []
    if good != len(sent):
        faults = [f"{count} {result}" for result, count in results.items() if result != "modified"]
    host.results([hanging])
    table.row("one that hangs, twenty behind it", "21 pushes of one app", f"{good} of {len(sent)}", faults=faults)
