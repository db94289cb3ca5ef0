# SPDX-License-Identifier: Apache-2.0
"""The parts of fleet-lab, fleet-patroni and fleet-growth: what was seen, the database servers, and the hosts."""
import os
import pathlib
import re
import shutil
import signal
import subprocess
import sys
import threading
import time


def fail(what, hint=None):
    program = pathlib.Path(sys.argv[0]).name
    print(f"{program}: error: {what}", file=sys.stderr)
    if hint:
        print(f"{program}: hint: {hint}", file=sys.stderr)
    sys.exit(1)


def processor_seconds(process, with_ended=False):
    """User and system time of a process, and of its children that have ended; 0 for one that is gone."""
    try:
        words = pathlib.Path(f"/proc/{process}/stat").read_text().rpartition(") ")[2].split()
    except OSError:
        return 0
    # Fields 14 and 15 of proc_pid_stat(5), of ended children 16 and 17.
    return sum(map(int, words[11:15 if with_ended else 13])) / os.sysconf("SC_CLK_TCK")


class History:
    """What senders and the sink saw, one event a line, as fleet-checker reads it."""

    def __init__(self, path):
        self.file = open(path, "w")
        self.lock = threading.Lock()
        # When each push was accepted and first recorded, in seconds of the monotonic clock.
        self.accepted, self.recorded, self.opened = {}, {}, 0
        self.counts = {"offers": 0, "refused": 0, "records": 0, "replays refused": 0}

    def add(self, *words):
        with self.lock:
            print(*words, file=self.file)
            if words[0] == "offered":
                self.counts["offers"] += 1
            elif words[0] == "accepted":
                self.accepted.setdefault(words[1], time.monotonic())
            elif words[0] == "recorded":
                self.recorded.setdefault(words[1], time.monotonic())
                self.counts["records"] += 1
            elif words[0] == "opened":
                self.opened += 1

    def count(self, what):
        with self.lock:
            self.counts[what] = self.counts.get(what, 0) + 1

    def missing(self):
        with self.lock:
            return self.accepted.keys() - self.recorded.keys()

    def delays(self):
        """Returns when each push was accepted, and how much later it was recorded."""
        with self.lock:
            return [(at, max(0, self.recorded[push] - at)) for push, at in self.accepted.items()
                    if push in self.recorded]


class Servers:
    """PostgreSQL's primary and its synchronous standby, each with a socket in a folder of its own and no port."""

    def __init__(self, work, settings=None):
        found = sorted(pathlib.Path("/usr/lib/postgresql").glob("*/bin/initdb"), key=lambda path: float(path.parts[-3]))
        if not found:
            fail("PostgreSQL is not installed", "scripts/setup fleet")
        self.programs, self.work = found[-1].parent, work
        self.settings = {"shared_buffers": "64MB", **(settings or {})}
        self.root = os.geteuid() == 0
        self.primary, self.standby = "a", "b"

    def start(self):
        self.make("a", "initdb", "--username", "postgres", "--auth", "trust", "--encoding", "UTF8", "--locale", "C")
        self.follow("b")
        self.sql("CREATE DATABASE nestbox")

    def run(self, program, *arguments, check=True):
        command = [str(self.programs / program), *map(str, arguments)]
        if self.root:
            command = ["setpriv", "--reuid=postgres", "--regid=postgres", "--clear-groups", *command]
        done = subprocess.run(command, cwd="/", stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                              stderr=subprocess.STDOUT, text=True, start_new_session=True)
        if check and done.returncode:
            fail(f"{program}: {done.stdout}")
        return done.stdout.strip()

    def folder(self, name):
        return self.work / f"database-{name}"

    def make(self, name, program, *arguments):
        folder = self.folder(name)
        folder.mkdir()
        if self.root:
            shutil.chown(folder, "postgres", "postgres")
        self.run(program, "--pgdata", folder / "data", *arguments)
        with open(folder / "data/postgresql.auto.conf", "a") as file:
            file.write(f"listen_addresses = ''\nunix_socket_directories = '{folder}'\n")
            file.writelines(f"{name} = '{value}'\n" for name, value in self.settings.items())
        self.run("pg_ctl", "-w", "-D", folder / "data", "-l", folder / "log", "start")

    def follow(self, name):
        """Makes a standby of the primary, for which commits wait from now on, as they will if it is promoted."""
        self.sql("ALTER SYSTEM SET synchronous_standby_names = '*'")
        self.sql("SELECT pg_reload_conf()")
        self.make(name, "pg_basebackup", "--checkpoint", "fast", "--write-recovery-conf",
                  "--host", self.folder(self.primary), "--username", "postgres")
        end = time.monotonic() + 60
        while self.sql("SELECT count(*) FROM pg_stat_replication WHERE sync_state = 'sync'") != "1":
            if time.monotonic() > end:
                said = (self.folder(name) / "log").read_text(errors="replace")[-1500:]
                fail(f"the standby does not follow the primary after a minute; it says: {said}")
            time.sleep(0.05)

    def sql(self, statement, database="postgres"):
        return self.run("psql", "--quiet", "--no-psqlrc", "--host", self.folder(self.primary), "--username", "postgres",
                        "--dbname", database, "--tuples-only", "--no-align", "--set", "ON_ERROR_STOP=1",
                        "--command", statement)

    def pid(self, name):
        return int((self.folder(name) / "data/postmaster.pid").read_text().split("\n")[0])

    def kill(self, name):
        first = self.pid(name)
        children = pathlib.Path(f"/proc/{first}/task/{first}/children").read_text().split()
        for process in [first, *map(int, children)]:
            try:
                os.kill(process, signal.SIGKILL)
            except ProcessLookupError:
                pass

    def seconds_of(self, name):
        """Processor time of a server: of the processes that are there, and of those that have ended."""
        first = self.pid(name)
        children = pathlib.Path(f"/proc/{first}/task/{first}/children").read_text().split()
        return processor_seconds(first, with_ended=True) + sum(map(processor_seconds, children))

    def fail_over(self):
        """Kills the primary for good, makes the standby one, and gives it a standby of its own."""
        old = self.primary
        self.kill(old)
        # A commit of the new one waits for its own standby from the first moment on: its settings are the old one's.
        self.primary, self.standby = self.standby, old
        self.run("pg_ctl", "-w", "-D", self.folder(self.primary) / "data", "promote")
        shutil.rmtree(self.folder(old))
        self.follow(old)

    def conninfo(self, user):
        hosts = ",".join(str(self.folder(name)) for name in "ab")
        return f"host={hosts} user={user} dbname=nestbox target_session_attrs=read-write connect_timeout=2"

    def stop(self):
        for name in "ab":
            if (self.folder(name) / "data").exists():
                self.run("pg_ctl", "-D", self.folder(name) / "data", "-m", "immediate", "stop", check=False)


class Host:
    """An `extension-host serve` in the fleet, started anew whenever it has died."""

    def __init__(self, lab, name):
        self.lab, self.name, self.process, self.port = lab, name, None, None
        self.path = lab.work / f"{name}.notes"

    def launch(self):
        with open(self.path, "ab") as notes:
            self.begin = notes.tell()
            self.process = subprocess.Popen(
                [self.lab.programs / "extension-host", "serve", "--config", self.lab.work / f"{self.name}.yaml"],
                stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=notes, start_new_session=True,
            )

    def said(self):
        """What the process has said since its start."""
        return self.path.read_bytes()[self.begin:].decode(errors="replace")

    def start(self):
        self.launch()
        end = time.monotonic() + 60
        while True:
            found = re.search(r"listening for APNs requests on 127\.0\.0\.1:(\d+)", self.said())
            if found:
                self.port = int(found[1])
                return
            if time.monotonic() > end:
                fail(f"{self.name} did not start: {self.said()}")
            if self.process.poll() is not None:
                # The database may just be on its way to another server, and says so.
                if self.process.returncode != 1 or "error: the fleet's database" not in self.said():
                    fail(f"{self.name} ended with {self.process.returncode} when it started: {self.said()}")
                self.launch()
            time.sleep(0.05)

    def look(self):
        """Fails if the process has ended and nobody has struck it."""
        if self.process.poll() is not None:
            fail(f"{self.name} ended by itself with {self.process.returncode}: {self.said()[-2000:]}")

    def part(self, name):
        """A process below the host's launcher, or the launcher itself; None if there is none now."""
        def children(process):
            try:
                return list(map(int, pathlib.Path(f"/proc/{process}/task/{process}/children").read_text().split()))
            except OSError:
                return []

        def called(process):
            try:
                return pathlib.Path(f"/proc/{process}/comm").read_text().strip()
            except OSError:
                return ""

        below = children(self.process.pid)
        everything = below + [grandchild for child in below for grandchild in children(child)]
        return next((process for process in everything if called(process).startswith(name[:15])), None)

    def wait_and_start(self):
        try:
            self.process.wait(60)
        except subprocess.TimeoutExpired:
            fail(f"{self.name} has not ended a minute after its death was due")
        self.start()
