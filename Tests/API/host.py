# SPDX-License-Identifier: Apache-2.0
"""A host as the centre meets it, for one moment: it says which apps there are, and hands over files and records."""

import array
import contextlib
import json
import os
import secrets
import socket
import tempfile
import time

from center import PATIENCE

HELLO, SHUTDOWN, RECORD, APPS_TYPE, FILE = 0x01, 0x04, 0x20, 0x26, 0x27
TAKEN, UNFIT, GATES = 0xA0, 0xA1, 0xA4


def packet(kind, body, number=0):
    return bytes([kind]) + number.to_bytes(8) + json.dumps(body).encode()


@contextlib.contextmanager
def joined(center, journal="0a1b2c3d"):
    """A link to the centre on which it has said what it keeps from apps."""
    with contextlib.closing(socket.socket(socket.AF_UNIX, socket.SOCK_SEQPACKET)) as link:
        link.settimeout(PATIENCE)
        link.connect(os.path.join(center.folder, "link.sock"))
        link.send(packet(HELLO, {"protocol": 1, "journal": journal, "floor": 0}))
        while True:
            said = link.recv(1 << 17)
            if said[0] == GATES and json.loads(said[9:])["last"]:
                break
        yield link


def tell_apps(link, apps):
    """Says which apps there are, each by its topic with its name and what else is said of it."""
    told = [{"topic": topic, "name": name, "criticalAlerts": False, "pendingLimit": 64, "authorization": "ask", **more}
            for topic, (name, more) in apps.items()]
    link.send(packet(APPS_TYPE, {"owners": [{"name": "me"}], "apps": told, "last": True}))


def introduce(center, topic, name, files=(), **more):
    """Has the centre know an app; `files` has pairs of a sound's name, None for the icon, and its bytes.

    Whatever else the host says of the app is in `more`.
    """
    introduce_all(center, {topic: (name, files, more)})


def introduce_all(center, apps):
    """Has the centre know these apps alone, each by its topic with its name, its files and what else is said of it."""
    with joined(center) as link:
        for topic, (_, files, _) in apps.items():
            for sound, content in files:
                body = {"topic": topic} | ({"sound": sound} if sound else {})
                with tempfile.TemporaryFile() as file:
                    file.write(content)
                    file.flush()
                    rights = array.array("i", [file.fileno()])
                    link.sendmsg([packet(FILE, body)], [(socket.SOL_SOCKET, socket.SCM_RIGHTS, rights)])
        tell_apps(link, {topic: (name, more) for topic, (name, _, more) in apps.items()})
        names = {(topic, name) for topic, (name, _, _) in apps.items()}
        end = time.monotonic() + PATIENCE
        while time.monotonic() < end:
            known = center.owner.ask("GET", "/v1/apps").object["apps"]
            if names <= {(app["app"], app.get("name")) for app in known}:
                break
            time.sleep(0.05)
        link.send(packet(SHUTDOWN, {}))


def deliver(center, topic, payload, *, name=None, outcome="modified", refused=(), **more):
    """Hands over the record of a push, as of a journal of its own.

    `refused` has pairs of a file's name and the reason for which it is not there.
    """
    journal = secrets.token_hex(4)
    record = {"owner": "me", "id": journal, "topic": topic, "identifier": journal, "outcome": outcome, "payload": payload,
              "date": time.strftime("%Y-%m-%dT%H:%M:%S.000Z", time.gmtime()), **more}
    if refused:
        record["refusedAttachments"] = [{"identifier": file, "reason": reason} for file, reason in refused]
    with joined(center, journal) as link:
        tell_apps(link, {topic: (name or topic, {})})
        link.send(packet(RECORD, record, 1))
        while (said := link.recv(1 << 17))[0] not in (TAKEN, UNFIT):
            pass
        assert said[0] == TAKEN, said
        link.send(packet(SHUTDOWN, {}))
