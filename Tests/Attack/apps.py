# SPDX-License-Identifier: Apache-2.0
"""Many apps on one host: it starts, opens a sealed push of the last one, and a push costs what it costs beside none."""

import json
import secrets
import subprocess

import connections
from gateways import Gateway, seal
from hosts import Host, Place

COUNTS = [1, 100, 1000]
SENDERS, PUSHES = 10, 10_000
# A push may cost so many times what it costs with one app; the figure moves by a third with what else runs.
MOST = 1.5


def keygen(programs, place, name):
    """A new key file, and its public half."""
    path = place.path(name)
    program = programs.path("seal-payload")
    subprocess.run([program, "keygen", "-o", path], check=True, stderr=subprocess.DEVNULL)
    command = [program, "keygen", "-y", path]
    said = subprocess.run(command, check=True, stdout=subprocess.PIPE, stderr=subprocess.STDOUT).stdout.decode()
    return next(word for word in said.split() if word.startswith("nse1"))


def configuration(place, topics, senders):
    """The last app has the key of the examples and the devices; each has senders and a key."""
    listed = json.dumps([{"public-key": key, "name": f"sender{number}"} for number, key in enumerate(senders)])
    tokens = json.dumps(connections.TOKENS)
    lines = ["listen: { apns: { port: 0, plaintext: true } }", f'state: {place.path("state")}', "apps:"]
    for topic in topics:
        key = "recipient.key" if topic == topics[-1] else "other.key"
        lines += [f"  - topic: {topic}", f"    keys: [{place.path(key)}]", f"    senders: {listed}"]
    lines.append(f"    device-tokens: {tokens}")
    return "\n".join(lines) + "\n"


def run(table, programs, options):
    table.heading("apps", f"{PUSHES:,} pushes to the last of many apps with a key and {SENDERS} senders each")
    costs = []
    for count in COUNTS:
        place = Place(programs)
        keygen(programs, place, "other.key")
        senders = [keygen(programs, place, f"sender{number}.key") for number in range(SENDERS)]
        # The crowd sends to this topic.
        topics = [f"com.example.app{number}" for number in range(count - 1)] + [connections.TOPIC]
        host = Host(place, configuration(place, topics, senders))
        if not host.started(120):
            table.row(f"{count} apps", "-", faults=["it does not start: " + "".join(host.notes[-2:]).strip()])
            continue
        good, faults = sealed(host, programs)
        before = host.processor_seconds()
        crowd = connections.Crowd(host.port)
        crowd.run(PUSHES)
        costs.append((host.processor_seconds() - before) / PUSHES * 1e6)
        if crowd.accepted != PUSHES:
            faults.append(f"{crowd.accepted} of {PUSHES} accepted")
        if costs[-1] > costs[0] * MOST:
            faults.append(f"{costs[-1] / costs[0]:.2f} times the cost with one app")
        if host.close():
            faults.append("it does not end well")
        table.row(f"{count} apps", f"{costs[-1]:.0f} µs of the host a push", good, faults=faults)
        place.remove()


def sealed(host, programs):
    """One sealed push of the last app."""
    gateway, number = Gateway(("127.0.0.1", host.port)), "00000000-0000-4000-8000-000000000001"
    body = seal(programs, connections.TOPIC, 1)[0]
    gateway.post(connections.TOKENS[0], connections.TOPIC, body, number=number)
    gateway.close()
    results = host.results([number])
    return str(results.get("opened", 0)), [] if results.get("opened") else [f"the sealed push: {results}"]
