# SPDX-License-Identifier: Apache-2.0
"""A host as the centre meets it, for one moment: it says which apps there are, and hands over their files."""

import array
import contextlib
import json
import os
import socket
import tempfile
import time

from center import PATIENCE

HELLO, SHUTDOWN, APPS_TYPE, FILE, GATES = 0x01, 0x04, 0x26, 0x27, 0xA4


def packet(kind, body):
    return bytes([kind]) + (0).to_bytes(8) + json.dumps(body).encode()


def introduce(center, topic, name, files=(), **more):
    """Has the centre know an app; `files` has pairs of a sound's name, None for the icon, and its bytes.

    Whatever else the host says of the app is in `more`.
    """
    introduce_all(center, {topic: (name, files, more)})


def introduce_all(center, apps):
    """Has the centre know these apps alone, each by its topic with its name, its files and what else is said of it."""
    with contextlib.closing(socket.socket(socket.AF_UNIX, socket.SOCK_SEQPACKET)) as link:
        link.settimeout(PATIENCE)
        link.connect(os.path.join(center.folder, "link.sock"))
        link.send(packet(HELLO, {"protocol": 1, "journal": "0a1b2c3d", "floor": 0}))
        while True:
            said = link.recv(1 << 17)
            if said[0] == GATES and json.loads(said[9:])["last"]:
                break
        for topic, (_, files, _) in apps.items():
            for sound, content in files:
                body = {"topic": topic} | ({"sound": sound} if sound else {})
                with tempfile.TemporaryFile() as file:
                    file.write(content)
                    file.flush()
                    rights = array.array("i", [file.fileno()])
                    link.sendmsg([packet(FILE, body)], [(socket.SOL_SOCKET, socket.SCM_RIGHTS, rights)])
        told = [{"topic": topic, "name": name, "criticalAlerts": False, "pendingLimit": 64, "authorization": "ask", **more}
                for topic, (name, _, more) in apps.items()]
        link.send(packet(APPS_TYPE, {"owners": [{"name": "me"}], "apps": told, "last": True}))
        names = {(topic, name) for topic, (name, _, _) in apps.items()}
        end = time.monotonic() + PATIENCE
        while time.monotonic() < end:
            known = center.owner.ask("GET", "/v1/apps").object["apps"]
            if names <= {(app["app"], app.get("name")) for app in known}:
                break
            time.sleep(0.05)
        link.send(packet(SHUTDOWN, {}))
