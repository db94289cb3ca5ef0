# SPDX-License-Identifier: Apache-2.0
"""A real `extension-host serve` from release programs, its processes, its memory and its records."""

import atexit
import json
import os
import re
import resource
import shutil
import subprocess
import tempfile
import threading
import time

from table import fail

PLIST = """<?xml version="1.0" encoding="UTF-8"?>
<plist version="1.0"><dict>
<key>CFBundleIdentifier</key><string>{topic}.service</string>
<key>CFBundleExecutable</key><string>Service</string>
<key>NSExtension</key><dict>
<key>NSExtensionPointIdentifier</key><string>com.apple.usernotifications.service</string>
<key>NSExtensionPrincipalClass</key><string>Service.NotificationService</string>
</dict></dict></plist>
"""


class Programs:
    """Where the programs under attack, the extension that misbehaves and the public keys of the examples are."""

    def __init__(self, folder, extension, root):
        self.folder, self.extension, self.root = folder, extension, root

    def path(self, name):
        return os.path.join(self.folder, name)

    def key(self, name):
        return os.path.join(self.root, "keys-example", name)


class Place:
    """A folder with a host.yaml in it, for one host after another."""

    def __init__(self, programs):
        self.programs = programs
        self.folder = tempfile.mkdtemp(prefix="nestbox-attack-")
        os.chmod(self.folder, 0o755)
        # Also when the suite is stopped in the middle.
        atexit.register(self.remove)
        shutil.copy(programs.key("recipient.key"), self.path("recipient.key"))
        os.chmod(self.path("recipient.key"), 0o600)

    def path(self, *names):
        return os.path.join(self.folder, *names)

    def bundle(self, topic):
        """A bundle around the extension that misbehaves when a payload asks it to."""
        bundle = self.path(topic + ".appex")
        os.mkdir(bundle, 0o755)
        shutil.copy(self.programs.extension, os.path.join(bundle, "Service"))
        with open(os.path.join(bundle, "Info.plist"), "w") as file:
            file.write(PLIST.format(topic=topic))
        return bundle

    def write(self, name, text):
        with open(self.path(name), "w") as file:
            file.write(text)
        os.chmod(self.path(name), 0o600)
        return self.path(name)

    def remove(self):
        shutil.rmtree(self.folder, ignore_errors=True)


class Host:
    """Runs while the attack does; `close` drains it."""

    def __init__(self, place, configuration, descriptors=None, records=None):
        """`records`: a file for them, where there are too many to look at; otherwise they are in `self.records`."""
        place.write("host.yaml", configuration)
        limit = (lambda: resource.setrlimit(resource.RLIMIT_NOFILE, (descriptors,) * 2)) if descriptors else None
        self.process = subprocess.Popen(
            [place.programs.path("extension-host"), "serve", "--config", place.path("host.yaml")],
            stdin=subprocess.DEVNULL, stdout=records or subprocess.PIPE, stderr=subprocess.PIPE, text=True,
            start_new_session=True, preexec_fn=limit)
        atexit.register(self._kill)
        self.notes, self.records = [], {}
        self.changed = threading.Condition()
        self.ports = {}
        threading.Thread(target=self._read_notes, daemon=True).start()
        if not records:
            threading.Thread(target=self._read_records, daemon=True).start()

    def started(self, seconds=60):
        """Whether it listens; it may have refused to start, and `notes` say why."""
        with self.changed:
            self.changed.wait_for(lambda: self.ports or self.process.poll() is not None, timeout=seconds)
        return bool(self.ports) and self.is_alive

    @property
    def port(self):
        if not self.started():
            fail("the host did not start: " + "".join(self.notes[-3:]), "run extension-host doctor")
        return next(iter(self.ports.values()))

    def _read_notes(self):
        for note in self.process.stderr:
            with self.changed:
                self.notes.append(note)
                # "listening for APNs requests on 127.0.0.1:8443, plaintext"
                if listening := re.search(r"listening for (\w+) .* on \S+:(\d+),", note):
                    self.ports[listening[1]] = int(listening[2])
                self.changed.notify_all()
        self.process.wait()
        with self.changed:
            self.changed.notify_all()

    def _read_records(self):
        for line in self.process.stdout:
            record = json.loads(line)
            with self.changed:
                self.records[record["id"].lower()] = record["reason"] or record["outcome"]
                self.changed.notify_all()

    def results(self, ids, seconds=120):
        """What became of these pushes, as counts; those without a record after so long are `lost`."""
        ids = [each.lower() for each in ids]
        with self.changed:
            self.changed.wait_for(lambda: all(each in self.records for each in ids) or not self.is_alive, seconds)
            counts = {}
            for each in ids:
                result = self.records.get(each, "lost")
                counts[result] = counts.get(result, 0) + 1
        return counts

    @property
    def is_alive(self):
        return self.process.poll() is None

    @property
    def opener(self):
        """Process id of the opener, or none while there is none."""
        return next((pid for pid in descendants(self.process.pid) if program(pid) == "payload-opener"), None)

    def memory(self):
        """Megabytes of its own."""
        with open(f"/proc/{self.process.pid}/status") as status:
            values = dict(line.split(":", 1) for line in status)
        return int(values["RssAnon"].split()[0]) / 1024

    def settled_memory(self, bound, seconds=30):
        """Memory once it is below the bound, or after so long: a connection may linger for some seconds."""
        end = time.monotonic() + seconds
        while self.memory() > bound and time.monotonic() < end:
            time.sleep(0.25)
        return self.memory()

    def descriptors(self):
        return len(os.listdir(f"/proc/{self.process.pid}/fd"))

    def processor_seconds(self):
        with open(f"/proc/{self.process.pid}/stat") as file:
            fields = file.read().rsplit(")", 1)[1].split()
        return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")

    def _kill(self):
        if self.is_alive:
            self.process.kill()
            self.process.wait()

    def close(self):
        """Exit status of its drain; killed when it does not end."""
        self.process.terminate()
        try:
            return self.process.wait(60)
        except subprocess.TimeoutExpired:
            self.process.kill()
            return self.process.wait()


def descendants(pid):
    """Of a process, through every thread; what ends meanwhile is passed over."""
    found, todo = [], [pid]
    while todo:
        parent = todo.pop()
        try:
            threads = os.listdir(f"/proc/{parent}/task")
        except OSError:
            continue
        for thread in threads:
            try:
                with open(f"/proc/{parent}/task/{thread}/children") as file:
                    children = [int(word) for word in file.read().split()]
            except OSError:
                continue
            found += children
            todo += children
    return found


def program(pid):
    try:
        with open(f"/proc/{pid}/comm") as file:
            return file.read().strip()
    except OSError:
        return ""
