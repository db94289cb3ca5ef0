# SPDX-License-Identifier: Apache-2.0
"""What the measurements of views have in common: a centre, a host and a reader of a view's stream."""

import contextlib
import http.client
import json
import os
import shutil
import socket
import subprocess
import sys
import time

PAYLOAD = {"aps": {"alert": {"title": "Alice", "body": "A photo"}, "category": "album"}}
PLACE = {"width": 360, "scale": 2, "style": "light", "textSize": 1, "direction": "leftToRight", "language": "en",
         "timeZone": "UTC", "reducedMotion": False}
APP = "com.example.chat"


def fail(message, hint):
    program = os.path.basename(sys.argv[0])
    sys.exit(f"{program}: error: {message}\n{program}: hint: {hint}")


def slider_of(scene):
    return next((node["id"] for node in scene["set"] if node["k"] == "slider"), 1)


class Center(http.client.HTTPConnection):
    """A connection to the API of a centre, over the socket in its folder."""

    def __init__(self, folder):
        super().__init__("nestbox", timeout=30)
        self.folder = folder

    def connect(self):
        self.sock = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
        self.sock.settimeout(30)
        self.sock.connect(str(self.folder / "http.sock"))

    def ask(self, method, target, body=None):
        self.request(method, target, body and json.dumps(body), {"content-type": "application/json"})
        answer = self.getresponse()
        said = answer.read()
        if answer.status >= 400:
            fail(f"{method} {target}: {answer.status}", said.decode())
        return json.loads(said) if said else {}


class Stream:
    """The events of a view, as a page reads them."""

    def __init__(self, folder, view):
        self.center = Center(folder)
        self.center.request("GET", f"/v1/views/{view}/events")
        self.lines = self.center.getresponse()

    def next(self):
        while line := self.lines.readline():
            if line.startswith(b"data: "):
                return json.loads(line.removeprefix(b"data: "))
        fail("the stream of a view ended", "the host's log says why")

    def scene(self):
        """The first scene; a file of it may be told before."""
        while "set" not in (said := self.next()):
            pass
        return said


@contextlib.contextmanager
def running(command, log, sign):
    with open(log, "w") as notes:
        process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.DEVNULL, stderr=notes, text=True)
    try:
        while sign not in log.read_text():
            if process.poll() is not None:
                fail(f"{command[0]} ended", log.read_text().strip())
            time.sleep(0.02)
        yield process
    finally:
        process.terminate()
        process.wait()


def lay_out(bundle, topic, work):
    """The bundle as the content extension of another app; its program is not copied."""
    place = work / f"{topic}.appex"
    shutil.copytree(bundle, place, copy_function=os.link)
    information = place / "Info.plist"
    text = information.read_text().replace(APP, topic)
    information.unlink()
    information.write_text(text)
    return place
