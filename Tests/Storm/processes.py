# SPDX-License-Identifier: Apache-2.0
"""Centre, host and app as processes that are killed with SIGKILL and started again on what they left."""

import atexit
import json
import os
import re
import secrets
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import time

from sender import DEVICES

PATIENCE = 30


def fail(what, hint):
    """Ends the script: what it needs is not there."""
    print(f"storm-center: error: {what}", file=sys.stderr)
    print(f"storm-center: hint: {hint}", file=sys.stderr)
    sys.exit(2)


class Ended(Exception):
    """A program did not come up, or is gone without having been killed."""


def free_port():
    """A port that is free now; the host has it again after each kill."""
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        return listener.getsockname()[1]


class Running:
    """One program of ours, started again and again; what it writes goes into a log."""

    def __init__(self, name, command, log, ready=None):
        """`ready`: a pattern in what it writes once it serves."""
        self.name, self.command, self.log, self.ready = name, command, log, ready
        self.process = None
        atexit.register(self.kill)

    @property
    def pid(self):
        return self.process.pid

    def start(self):
        begin = os.path.getsize(self.log) if os.path.exists(self.log) else 0
        with open(self.log, "ab") as log:
            self.process = subprocess.Popen(
                self.command, stdin=subprocess.DEVNULL, stdout=log, stderr=log, start_new_session=True)
        end = time.monotonic() + PATIENCE
        while self.ready and time.monotonic() < end:
            with open(self.log, "rb") as log:
                log.seek(begin)
                said = log.read()
            if re.search(self.ready, said):
                return
            if self.process.poll() is not None:
                raise Ended(f"the {self.name} does not start: {said[-400:].decode(errors='replace').strip()}")
            time.sleep(0.01)
        if self.ready:
            raise Ended(f"the {self.name} does not serve after {PATIENCE} s")

    @property
    def is_alive(self):
        return self.process is not None and self.process.poll() is None

    def kill(self):
        """SIGKILL, and nothing before it."""
        if self.is_alive:
            self.process.send_signal(signal.SIGKILL)
            self.process.wait()

    def close(self):
        """Ends it as an operator would; its exit status."""
        self.process.terminate()
        try:
            return self.process.wait(PATIENCE)
        except subprocess.TimeoutExpired:
            self.process.kill()
            return self.process.wait()


class Place:
    """A folder with the state of all three, and how they are started on it."""

    def __init__(self, programs, topics, keep=None):
        self.folder = keep or tempfile.mkdtemp(prefix="nestbox-storm-")
        os.makedirs(self.folder, exist_ok=True)
        os.chmod(self.folder, 0o755)
        if not keep:
            atexit.register(shutil.rmtree, self.folder, True)
        self.topics, self.tokens = topics, [[secrets.token_hex(32) for _ in range(DEVICES)] for _ in topics]
        self.port = free_port()
        self.http, self.app_log = self.path("center", "http.sock"), self.path("app.log")
        with open(self.path("host.yaml"), "w") as file:
            file.write(self._configuration())
        self.center = Running(
            "centre", [os.path.join(programs, "notification-center"), "serve", "--folder", self.path("center")],
            self.path("center.log"), rb"serving ")
        self.host = Running(
            "host", [os.path.join(programs, "extension-host"), "serve", "--config", self.path("host.yaml")],
            self.path("host.log"), rb"listening for ")
        self.app = Running("app", [], self.path("app.err"))
        self.app.start = self._start_app
        self._start = Running.start

    def path(self, *names):
        return os.path.join(self.folder, *names)

    def _configuration(self):
        lines = [f"listen: {{ apns: {{ port: {self.port}, plaintext: true }} }}", f"state: {self.path('state')}",
                 f"sinks: [ {{ center: {{ socket: {self.path('center', 'link.sock')}, authorization: granted }} }} ]",
                 "apps:"]
        for topic, tokens in zip(self.topics, self.tokens):
            lines.append(f"  - {{ topic: {topic}, device-tokens: {json.dumps(tokens)} }}")
        return "\n".join(lines) + "\n"

    def app_lines(self):
        """What the apps wrote, as (word, number)."""
        if not os.path.exists(self.app_log):
            return []
        with open(self.app_log) as file:
            return [(word, int(rest.split()[0])) for word, rest in (line.split(" ", 1) for line in file)]

    def _start_app(self):
        begin = max((number for word, number in self.app_lines() if word == "adds"), default=0)
        script = os.path.join(os.path.dirname(os.path.abspath(__file__)), "app.py")
        self.app.command = [sys.executable, script, self.path("center", "app.sock"), self.topics[0], self.app_log,
                            str(begin)]
        self._start(self.app)
