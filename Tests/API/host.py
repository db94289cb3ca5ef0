# SPDX-License-Identifier: Apache-2.0
"""A host as the centre meets it, for one moment: it says which apps there are, and hands over files and records."""

import array
import contextlib
import importlib.util
import json
import os
import secrets
import socket
import tempfile
import threading
import time

from center import PATIENCE

HELLO, SHUTDOWN, RECORD, VIEW_SCENE, VIEW_ENDED, APPS_TYPE, FILE = 0x01, 0x04, 0x20, 0x24, 0x25, 0x26, 0x27
VIEW_FILE = 0x28
TAKEN, UNFIT, GATES, VIEW_OPEN, VIEW_EVENT = 0xA0, 0xA1, 0xA4, 0xA5, 0xA6
VIEW = os.path.join(os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__)))), "Examples",
                    "python-view", "view.py")


def packet(kind, body, number=0):
    return bytes([kind]) + number.to_bytes(8) + json.dumps(body).encode()


def send_file(link, said, content):
    """Sends a packet with the descriptor of a file that has no name."""
    with tempfile.TemporaryFile() as file:
        file.write(content)
        file.flush()
        rights = array.array("i", [file.fileno()])
        link.sendmsg([said], [(socket.SOL_SOCKET, socket.SCM_RIGHTS, rights)])


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
                send_file(link, packet(FILE, {"topic": topic} | ({"sound": sound} if sound else {})), content)
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


class Views:
    """The views of a host on a link, each of Examples/python-view; its words go to the centre as a host's.

    `folder` is the scratch folder of them all. What they name is kept back in `kept` while `keeps` is true.
    """

    def __init__(self, link, folder):
        self.link, self.folder, self.views, self.lock = link, folder, {}, threading.Lock()
        self.keeps, self.kept = False, []
        os.mkdir(os.path.join(folder, "tmp"))
        spec = importlib.util.spec_from_file_location("python_view", VIEW)
        self.example = importlib.util.module_from_spec(spec)
        spec.loader.exec_module(self.example)

    def read(self):
        """Answers the centre until the link ends."""
        with contextlib.suppress(OSError):
            while said := self.link.recv(1 << 17):
                kind, number, body = said[0], int.from_bytes(said[1:9]), json.loads(said[9:])
                if kind == VIEW_OPEN:
                    self.views[number] = self.example.View(ViewSocket(self, number), self.folder)
                    self.views[number].opened(1, body)
                elif kind == VIEW_EVENT and number in self.views:
                    if body.get("close"):
                        self.say(number, "closed")
                    else:
                        self.views[number].heard(1, body)

    def say(self, number, reason):
        with self.lock:
            if self.views.pop(number, None):
                self.link.send(packet(VIEW_ENDED, {"reason": reason}, number))

    def end(self, reason):
        """Ends the view that was opened last."""
        self.say(max(self.views), reason)

    def take(self, number, named):
        """Takes a file that a view has named out of the folder."""
        path = os.path.join(self.folder, named["path"])
        with open(path, "rb") as file:
            content = file.read()
        os.unlink(path)
        with self.lock:
            if self.keeps:
                self.kept.append((number, named["file"], content))
                return
        self.give(number, named["file"], content)

    def give(self, number, file, content, gone=()):
        """Hands a picture over under its number, and the numbers of those that are no more."""
        body = {"file": file, "type": "public.png"} | ({"gone": list(gone)} if gone else {})
        with self.lock:
            send_file(self.link, packet(VIEW_FILE, body, number), content)

    def release(self):
        """Hands over what was kept back, and keeps nothing back any more."""
        with self.lock:
            self.keeps, kept, self.kept = False, self.kept, []
        for number, file, content in kept:
            self.give(number, file, content)

    def draw(self, *nodes):
        """Has the view that was opened last draw nodes."""
        with self.lock:
            self.link.send(packet(VIEW_SCENE, {"set": list(nodes)}, max(self.views)))


class ViewSocket:
    """The socket of one view: an update goes to the centre, files behind it, and one that closes the view ends it."""

    def __init__(self, views, number):
        self.views, self.number = views, number

    def send(self, said):
        if said[0] != self.views.example.VIEW_SCENE:
            return
        body = json.loads(said[9:])
        # No host hands the names of files on.
        files = body.pop("files", [])
        with self.views.lock:
            self.views.link.send(packet(VIEW_SCENE, body, self.number))
        for named in files:
            self.views.take(self.number, named)
        closing = {"dismiss", "defaultAction", "dismissAndForwardAction"}
        if any(closing & {call.get("call"), call.get("option")} for call in body.get("calls", [])):
            self.views.say(self.number, "dismissed")


@contextlib.contextmanager
def viewing(center, topic):
    """A host whose app of that topic has the content extension of Examples/python-view."""
    traits = {"initialSizeRatio": 0.6, "hidesDefaultContent": False, "overridesTitle": False, "takesInteraction": True}
    with joined(center) as link, tempfile.TemporaryDirectory() as folder:
        tell_apps(link, {topic: (topic, {"content": {"categories": ["photo"], **traits}})})
        link.settimeout(None)
        views = Views(link, folder)
        reader = threading.Thread(target=views.read)
        reader.start()
        try:
            yield views
        finally:
            link.shutdown(socket.SHUT_RDWR)
            reader.join()
