# SPDX-License-Identifier: Apache-2.0
"""A real `notification-center serve` on a temporary folder, and connections to its socket and its port."""

import contextlib
import http.client
import json
import math
import os
import re
import shutil
import socket
import subprocess
import sys
import tempfile
import time
import urllib.parse
import zlib

APPS = ("com.example.chat", "com.example.news", "com.example.mail")
CATEGORY = {
    "identifier": "message",
    "options": ["customDismissAction"],
    "actions": [
        {"identifier": "reply", "title": "Reply", "options": [], "text": {"button": "Send", "placeholder": "Text"}},
        {"identifier": "done", "title": "Done", "options": ["destructive"], "icon": {"system": "checkmark"}},
    ],
}
PATIENCE = 45


def png(width=1, height=1):
    """A black picture, of one point unless more are asked for."""
    def piece(name, data):
        return len(data).to_bytes(4) + name + data + zlib.crc32(name + data).to_bytes(4)
    head = piece(b"IHDR", width.to_bytes(4) + height.to_bytes(4) + b"\x08\x02\x00\x00\x00")
    rows = zlib.compress((b"\x00" * (1 + 3 * width)) * height)
    return b"\x89PNG\r\n\x1a\n" + head + piece(b"IDAT", rows) + piece(b"IEND", b"")


def tone():
    """A tenth of a second of one tone, as a WAV of one channel."""
    samples = b"".join(int(8000 * math.sin(index * 0.35)).to_bytes(2, "little", signed=True) for index in range(800))
    form = (1).to_bytes(2, "little") * 2 + (8000).to_bytes(4, "little") + (16000).to_bytes(4, "little")
    form += (2).to_bytes(2, "little") + (16).to_bytes(2, "little")
    body = b"WAVEfmt " + len(form).to_bytes(4, "little") + form + b"data" + len(samples).to_bytes(4, "little") + samples
    return b"RIFF" + len(body).to_bytes(4, "little") + body


def fail(what, hint):
    """Ends the script: what it needs is not there."""
    print(f"try-api: error: {what}", file=sys.stderr)
    print(f"try-api: hint: {hint}", file=sys.stderr)
    sys.exit(2)


class Answer:
    """An answer that is whole: status, headers by their names in lower case, and the bytes of the body."""

    def __init__(self, status, headers, body):
        self.status, self.headers, self.body = status, headers, body

    @property
    def object(self):
        return json.loads(self.body) if self.body else {}

    @property
    def reason(self):
        return self.object.get("reason") if self.headers.get("content-type") == "application/json" else None


class SocketConnection(http.client.HTTPConnection):
    """A connection over http.sock, whose caller is the owner."""

    def __init__(self, path):
        super().__init__("nestbox", timeout=PATIENCE)
        self.path = path

    def connect(self):
        self.sock = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
        self.sock.settimeout(self.timeout)
        self.sock.connect(self.path)


def send(connection, method, target, body=None, headers=None):
    """Makes one request on a connection of its own; a body that is no bytes is written as JSON."""
    headers = dict(headers or {})
    if body is not None and not isinstance(body, bytes):
        body = json.dumps(body).encode()
        headers.setdefault("content-type", "application/json")
    try:
        connection.request(method, target, body, headers)
        response = connection.getresponse()
        return Answer(response.status, {k.lower(): v for k, v in response.getheaders()}, response.read())
    finally:
        connection.close()


class Owner:
    """The owner at the socket: asks anything, and keeps lists from running empty."""

    def __init__(self, path):
        self.path = path
        self.sent = 0

    def ask(self, method, target, body=None, headers=None):
        return send(SocketConnection(self.path), method, target, body, headers)

    def call(self, topic, name, **members):
        return self.ask("POST", f"/v1/app/{topic}/calls", {"call": name, **members})

    def items(self, target):
        return self.ask("GET", target).object.get("items", [])

    def add(self, topic, thread="alice"):
        self.sent += 1
        alert = {"title": "Alice", "body": f"Lunch {self.sent}?", "summary-arg": "Alice"}
        payload = {"aps": {"alert": alert, "thread-id": thread, "category": "message", "badge": 1, "sound": "default"}}
        self.call(topic, "add", request={"identifier": f"seed-{self.sent}", "payload": payload})

    def attach(self, topic, body=None, kind="public.png"):
        """Adds a notification with a file; returns the answer, that of the upload if it was refused."""
        self.sent += 1
        sent = self.ask("POST", f"/v1/app/{topic}/attachments", body or png(), {"content-type": "image/png"})
        if sent.status != 201:
            return sent
        request = {
            "identifier": f"seed-{self.sent}",
            "payload": {"aps": {"alert": "Photo", "category": "message", "thread-id": "photos"}},
            "attachments": [{"identifier": "photo", "type": kind, "upload": sent.object["upload"],
                             "thumbnail": {"hidden": False, "clip": [0, 0, 1, 0.5]}}],
        }
        return self.call(topic, "add", request=request)

    def seed(self):
        """Brings every app, the list, the history, a waiting request and an app that asks for permission about."""
        self.ask("PATCH", "/v1/owner", {"doNotDisturb": None, "summary": None})
        for topic in APPS:
            self.call(topic, "setCategories", categories=[CATEGORY])
            self.ask("POST", f"/v1/apps/{topic}/authorization", {"decision": "allow"})
            switches = {"alert": True, "badge": True, "list": True, "sound": True, "previews": "always"}
            self.ask("PATCH", f"/v1/apps/{topic}/settings", switches)
            for thread in ("alice", "bob"):
                self.add(topic, thread)
                self.add(topic, thread)
        self.attach(APPS[0])
        trigger = {"type": "calendar", "components": {"hour": 9, "timeZone": "Europe/Madrid"}, "repeats": True}
        request = {"identifier": "waits", "payload": {"aps": {"alert": "Later"}}, "trigger": trigger}
        self.call(APPS[0], "add", request=request)
        newest = [item["id"] for item in self.items("/v1/notifications?app=" + APPS[1])]
        for number in newest[:2]:
            self.ask("DELETE", f"/v1/notifications/{number}")

    def response(self):
        """The id of a response that waits for the first app."""
        self.add(APPS[0])
        items = self.items("/v1/notifications?limit=1&app=" + APPS[0])
        if not items:
            return None
        return self.ask("POST", f"/v1/notifications/{items[0]['id']}/responses", {"action": "default"}).object.get("id")

    def surface(self, kind):
        """The name of a new surface, and what is closed to end it."""
        connection = SocketConnection(self.path)
        connection.request("GET", f"/v1/events?surface={kind}")
        response = connection.getresponse()
        while not (line := response.readline()).startswith(b"data: "):
            assert line, "the stream ended"
        stream = contextlib.ExitStack()
        stream.callback(connection.close)
        stream.callback(response.close)
        return json.loads(line.removeprefix(b"data: "))["surface"], stream

    def token(self, scopes, name="try-api"):
        return self.ask("POST", "/v1/tokens", {"name": name, "scopes": list(scopes)}).object["token"]


class Center:
    """A centre that runs, with or without a port, in the clear or with TLS; ended and removed by `close`."""

    def __init__(self, programs, *, has_port=True, has_tls=False):
        self.program = os.path.join(programs, "notification-center")
        self.place = tempfile.mkdtemp(prefix="nestbox-api-")
        self.folder = os.path.join(self.place, "center")
        self.log = os.path.join(self.place, "center.log")
        self.owner = Owner(os.path.join(self.folder, "http.sock"))
        self.name = self.port = None
        self.scheme = "https" if has_tls else "http"
        self.start(["--http", "0"] if has_port else [], self.tls_options() if has_tls else None)

    def start(self, port, tls=None):
        """Starts the program on the folder; `port` and `tls` are options of its command."""
        command = [self.program, "serve", "--folder", self.folder, *port]
        if tls:
            command[-1:] = tls
        with open(self.log, "wb") as log:
            self.process = subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=log, stderr=log)
        pattern = rb"on https?://([^:\s]+):(\d+)" if port else rb"serving "
        found = self.wait_for(pattern)
        if port:
            self.name, self.port = found.group(1).decode(), int(found.group(2))

    def kill(self):
        """Ends the centre as a power cut would: it does not hear of it."""
        self.process.kill()
        self.process.wait(PATIENCE)

    def revive(self):
        """Starts the centre that was killed again, at the port that it had, in the clear."""
        self.start(["--http", str(self.port)])

    def wait_for(self, pattern):
        end = time.monotonic() + PATIENCE
        while time.monotonic() < end:
            with open(self.log, "rb") as log:
                said = log.read()
            found = re.search(pattern, said)
            if found:
                return found
            if self.process.poll() is not None:
                break
            time.sleep(0.05)
        self.close()
        fail(f"\"{self.program} serve\" does not serve: {said.decode(errors='replace').strip()}", "build it: make demo")

    def tls_options(self):
        """A port that was free a moment ago, a certificate that its own key has signed, and a name of this machine."""
        with socket.socket() as probe:
            probe.bind(("127.0.0.1", 0))
            port = probe.getsockname()[1]
        name, files = "nestbox-try.localhost", [os.path.join(self.place, part) for part in ("tls.pem", "tls.key")]
        made = subprocess.run(
            ["openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes",
             "-out", files[0], "-keyout", files[1], "-days", "2", "-subj", f"/CN={name}",
             "-addext", f"subjectAltName=DNS:{name}"], stdin=subprocess.DEVNULL, capture_output=True)
        if made.returncode != 0:
            fail("openssl makes no certificate", "scripts/setup page installs it")
        return [str(port), "--certificate", files[0], "--key", files[1], "--public-origin", f"https://{name}:{port}"]

    @property
    def authority(self):
        """The value of `host` that names the centre as browsers do."""
        return f"{self.name}:{self.port}"

    def run(self, *arguments):
        command = [self.program, arguments[0], "--folder", self.folder, *arguments[1:]]
        return subprocess.run(command, stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=PATIENCE)

    def ask(self, method, target, body=None, *, token=None, host=None, headers=None, source="127.0.0.1"):
        """Makes a request at the port; `source` is the caller's address, because strangers are counted by theirs."""
        headers = {"host": host or (f"localhost:{self.port}" if token else self.authority), **(headers or {})}
        if token:
            headers["authorization"] = f"Bearer {token}"
        connection = http.client.HTTPConnection("127.0.0.1", self.port, PATIENCE, source_address=(source, 0))
        return send(connection, method, target, body, headers)

    def stream(self, target, token, headers=None):
        """Opens a stream of events; returns its head and a file of its lines, which is to be closed."""
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=20)
        connection.request("GET", target, None, {
            "host": f"localhost:{self.port}", "authorization": f"Bearer {token}", **(headers or {})})
        response = connection.getresponse()
        head = Answer(response.status, {k.lower(): v for k, v in response.getheaders()}, b"")
        return head, response, connection

    def close(self, keep=None):
        """Ends the centre as an operator would; returns its exit status."""
        self.process.terminate()
        try:
            status = self.process.wait(PATIENCE)
        except subprocess.TimeoutExpired:
            self.process.kill()
            status = self.process.wait()
        if keep:
            shutil.copy(self.log, os.path.join(keep, "center.log"))
        shutil.rmtree(self.place, ignore_errors=True)
        return status


def segment(text):
    """A text as one part of a path."""
    return urllib.parse.quote(text, safe="")
