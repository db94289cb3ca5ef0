# SPDX-License-Identifier: Apache-2.0
"""Three machines with etcd, Patroni and PostgreSQL, all on this one, from the files of packaging/fleet."""
import json
import os
import pathlib
import random
import secrets
import shutil
import signal
import socket
import subprocess
import threading
import time
import urllib.request

from fleet_parts import fail

PACKAGING = pathlib.Path(__file__).resolve().parent.parent.parent / "packaging/fleet"
PORTS = {"PostgreSQL": 5432, "Patroni": 8008, "etcd": 2379, "etcd's members": 2380}


def children_of(process):
    """The processes that `process` has started, or that were left to it."""
    found = []
    for task in pathlib.Path(f"/proc/{process}/task").glob("*/children"):
        try:
            found += map(int, task.read_text().split())
        except OSError:
            pass
    return found


def below(process):
    """`process` and all below it."""
    return [process] + [deeper for child in children_of(process) for deeper in below(child)]


def strike(processes, number):
    for process in processes:
        try:
            os.kill(process, number)
        except ProcessLookupError:
            pass


def adapted(name, changes):
    """A packaged file with other addresses and folders; each text that changes has to be there."""
    text = (PACKAGING / name).read_text()
    for old, new in changes:
        if old not in text:
            fail(f"packaging/fleet/{name} has no \"{old}\"", "change scripts/parts/fleet_patroni.py with it")
        text = text.replace(old, new)
    return text


class Machine:
    """One of the three: a folder, and an address that is this machine's own."""

    def __init__(self, cluster, number):
        self.cluster, self.name = cluster, f"db{number}"
        self.address, self.folder = f"{cluster.network}{number}", cluster.work / f"db{number}"
        self.etcd, self.patroni = None, None

    def write(self):
        self.folder.mkdir()
        own = [(f"{what}10.0.0.1:", f"{what}{self.address}:") for what in ("  listen: ", "connect_address: ")]
        # Connections over the loopback come from 127.0.0.1. A device that restarts machines is not for trials.
        (self.folder / "config.yml").write_text(adapted("patroni.yml", [
            ("\nname: db1\n", f"\nname: {self.name}\n"), *own, ("10.0.0.0/24", "127.0.0.0/8"),
            ("10.0.0.", self.cluster.network), ("mode: required", "mode: off"), ("change-me-", self.cluster.password),
            ("/var/lib/postgresql/15/nestbox", str(self.folder / "data")),
            ("/var/lib/postgresql/patroni.pgpass", str(self.folder / "pgpass")),
            ("/usr/lib/postgresql/15/bin", str(self.cluster.programs)),
            ("/etc/nestbox-database", str(self.folder)), ("/var/run/postgresql", str(self.folder)),
        ]))
        (self.folder / "etcd.conf").write_text(adapted("etcd.conf", [
            ("NAME=db1", f"NAME={self.name}"), ("URLS=http://10.0.0.1:", f"URLS=http://{self.address}:"),
            ("10.0.0.", self.cluster.network), ("/var/lib/etcd/nestbox", str(self.folder / "etcd")),
        ]))
        for name in ("server.crt", "server.key"):
            shutil.copy(self.cluster.work / name, self.folder)
        shutil.copy(self.cluster.work / "server.crt", self.folder / "ca.crt")
        for path in self.folder.iterdir():
            path.chmod(0o600)
        if self.cluster.is_root:
            for path in (self.folder, *self.folder.iterdir()):
                shutil.chown(path, "postgres", "postgres")

    def launch(self, command, **environment):
        # Root's files, such as a client's certificate, are not for postgres.
        environment = {**os.environ, "HOME": str(self.folder), **environment}
        with open(self.cluster.work / f"{self.name}.{command[0]}", "ab") as log:
            return subprocess.Popen(
                [*self.cluster.user, *map(str, command)], cwd=self.folder, stdin=subprocess.DEVNULL, stdout=log,
                stderr=subprocess.STDOUT, start_new_session=True, env=environment,
            )

    def start(self):
        if self.etcd is None:
            lines = (self.folder / "etcd.conf").read_text().splitlines()
            settings = dict(line.split("=", 1) for line in lines if line.startswith("ETCD_"))
            self.etcd = self.launch(["etcd"], **settings)
        if self.patroni is None:
            self.patroni = self.launch(["patroni", self.folder / "config.yml"])

    def database(self):
        """The processes of PostgreSQL that Patroni has started here."""
        try:
            process = int((self.folder / "data/postmaster.pid").read_text().split("\n")[0])
            is_own = str(self.folder) in pathlib.Path(f"/proc/{process}/cmdline").read_text()
        except (OSError, ValueError):
            return []
        return below(process) if is_own else []

    def processes(self, etcd=True):
        started = [self.patroni, self.etcd] if etcd else [self.patroni]
        return [process for one in started if one for process in below(one.pid)] + self.database()

    def kill(self, etcd=True):
        """Kills everything here at once, as a power cut would; without etcd what Patroni has started alone."""
        strike(self.processes(etcd), signal.SIGKILL)
        # What Patroni has started since it was looked for.
        strike(self.database(), signal.SIGKILL)
        self.patroni.wait(10)
        self.patroni = None
        if etcd:
            self.etcd.wait(10)
            self.etcd = None

    def ask(self):
        """What Patroni says here of all three; None without an answer."""
        try:
            with urllib.request.urlopen(f"http://{self.address}:8008/cluster", timeout=2) as answer:
                return json.load(answer)["members"]
        except (OSError, ValueError, KeyError):
            return None


class Cluster:
    def __init__(self, work):
        installed = pathlib.Path("/usr/lib/postgresql").glob("*/bin/initdb")
        found = sorted(installed, key=lambda path: float(path.parts[-3]))
        if not found or not all(map(shutil.which, ("etcd", "etcdctl", "patroni", "patronictl", "openssl"))):
            fail("Patroni, etcd or PostgreSQL is not installed", "scripts/setup patroni")
        self.programs, self.work, self.is_root = found[-1].parent, work, os.geteuid() == 0
        # PostgreSQL refuses to be root.
        self.user = ["setpriv", "--reuid=postgres", "--regid=postgres", "--clear-groups"] if self.is_root else []
        self.password, self.network = secrets.token_hex(12) + "-", self.free_network()
        self.machines = [Machine(self, number) for number in (1, 2, 3)]
        self.is_over, self.first = threading.Event(), None

    def free_network(self):
        """Three addresses of this machine at which nobody else has the ports."""
        for _ in range(20):
            network = f"127.{random.randrange(1, 255)}.{random.randrange(1, 255)}."
            try:
                for number in (1, 2, 3):
                    for port in PORTS.values():
                        with socket.socket() as trial:
                            trial.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
                            trial.bind((f"{network}{number}", port))
                return network
            except OSError:
                pass
        named = ", ".join(f"{port} ({name})" for name, port in PORTS.items())
        fail("no address of 127.0.0.0/8 has its ports free", f"stop what listens on all addresses at {named}")

    def start(self, roles):
        """Starts all three, and makes the roles that log in and the fleet's database."""
        names = ",".join(f"IP:{machine.address}" for machine in self.machines)
        subprocess.run(
            ["openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes",
             "-days", "2", "-subj", "/CN=fleet-patroni", "-addext", f"subjectAltName={names}",
             "-keyout", self.work / "server.key", "-out", self.work / "server.crt"], check=True, capture_output=True)
        threading.Thread(target=self.bury, daemon=True).start()
        for machine in self.machines:
            machine.write()
            machine.start()
        passwords = self.work / "passwords"
        passwords.touch(0o600)
        known = {role: self.password + role for role in roles}
        lines = {**known, "postgres": f"{self.password}superuser"}
        passwords.write_text("".join(f"*:*:*:{role}:{password}\n" for role, password in lines.items()))
        self.wait_until_sound()
        self.first = self.leader()
        self.sql("CREATE DATABASE nestbox", "postgres")
        for role, password in known.items():
            self.sql(f"CREATE ROLE {role} LOGIN PASSWORD '{password}'", "postgres")
        # A standby that does not know the database or the role yet refuses who comes to it first.
        behind = "SELECT count(*) FROM pg_stat_replication WHERE replay_lsn IS DISTINCT FROM pg_current_wal_lsn()"
        while self.sql(behind, "postgres") != "0":
            time.sleep(0.1)

    def bury(self):
        """Takes the states of PostgreSQL's processes whose parents are gone: a new server would think that they run."""
        while not self.is_over.wait(0.05):
            for process in children_of(os.getpid()):
                try:
                    if pathlib.Path(f"/proc/{process}/comm").read_text().startswith(("postgres", "pg_")):
                        os.waitpid(process, os.WNOHANG)
                except OSError:
                    pass

    def members(self):
        """The members by name, as the first Patroni says that answers."""
        for machine in self.machines:
            members = machine.ask()
            if members:
                return {member["name"]: member for member in members}
        return {}

    def leader(self):
        """The machine with the primary, as Patroni sees it; None if there is none."""
        members = self.members()
        return next((machine for machine in self.machines
                     if members.get(machine.name, {}).get("role") == "leader"), None)

    def weakness(self):
        """What the three are instead of a primary, a synchronous standby and another standby; None if they are that."""
        members = self.members()
        roles = sorted(member["role"] for member in members.values())
        lines = {member.get("timeline") for member in members.values()}
        states = sorted(member["state"] for member in members.values())
        is_sound = roles == ["leader", "replica", "sync_standby"] and set(states) <= {"running", "streaming"}
        if is_sound and len(lines) == 1:
            return None
        return f"roles {roles}, states {states}, timelines {sorted(map(str, lines))}"

    def wait_until_sound(self, seconds=300):
        end = time.monotonic() + seconds
        while self.weakness():
            for machine in self.machines:
                for name, process in (("etcd", machine.etcd), ("Patroni", machine.patroni)):
                    if process and process.poll() is not None:
                        fail(f"{name} of {machine.name} has ended with {process.returncode}", "--keep leaves its log")
            if time.monotonic() > end:
                fail(f"after {seconds} s the database is not a primary and two standbys: {self.weakness()}",
                     "look at what Patroni says: --keep leaves the folder")
            time.sleep(0.2)

    def lead_etcd(self, machine):
        """Makes the etcd of that machine the leader of its members, which is the worst to lose."""
        urls = ",".join(f"http://{one.address}:2379" for one in self.machines)
        ctl = lambda *words: subprocess.run(["etcdctl", "--endpoints", urls, *words], check=True, capture_output=True,
                                            text=True, env={**os.environ, "ETCDCTL_API": "3"}).stdout
        statuses = json.loads(ctl("endpoint", "status", "--write-out", "json"))
        member = next(one["Status"]["header"]["member_id"] for one in statuses if machine.address in one["Endpoint"])
        if statuses[0]["Status"]["leader"] != member:
            ctl("move-leader", f"{member:x}")

    def switch_over(self, leader):
        members = self.members()
        candidate = next(name for name, member in members.items() if member["role"] == "sync_standby")
        done = subprocess.run(
            [*self.user, "patronictl", "-c", leader.folder / "config.yml", "switchover", "--leader", leader.name,
             "--candidate", candidate, "--force"], cwd=leader.folder, capture_output=True, text=True)
        if done.returncode or "Successfully switched over" not in done.stdout:
            fail(f"patronictl switchover: {done.stdout} {done.stderr}")

    def conninfo(self, user, database="nestbox"):
        # The first primary stands first, so that a host asks it first when it has been replaced.
        addresses = ",".join(machine.address for machine in sorted(self.machines, key=lambda one: one != self.first))
        return (f"host={addresses} port=5432 user={user} dbname={database} target_session_attrs=read-write "
                f"connect_timeout=2 sslmode=verify-full sslrootcert={self.work}/server.crt "
                f"passfile={self.work}/passwords")

    def sql(self, statement, database="nestbox", check=True):
        command = [self.programs / "psql", "--quiet", "--no-psqlrc", "--tuples-only", "--no-align", "--set",
                   "ON_ERROR_STOP=1", "--dbname", self.conninfo("postgres", database), "--command", statement]
        done = subprocess.run(command, cwd="/", capture_output=True, text=True, stdin=subprocess.DEVNULL)
        if check and done.returncode:
            fail(f"psql: {done.stderr}")
        return done.stdout.strip() if done.returncode == 0 else None

    def stop(self):
        """Ends all three; PostgreSQL by the signal at which it leaves no shared memory behind."""
        for machine in self.machines:
            started = [one.pid for one in (machine.patroni, machine.etcd) if one]
            strike(started, signal.SIGKILL)
            database = machine.database()
            strike(database, signal.SIGCONT)
            strike(database[:1], signal.SIGQUIT)
        end = time.monotonic() + 10
        while time.monotonic() < end and any(machine.database() for machine in self.machines):
            time.sleep(0.05)
        # Whatever else was started, such as a copy for a standby.
        self.is_over.set()
        while time.monotonic() < end + 10:
            strike(below(os.getpid())[1:], signal.SIGKILL)
            try:
                os.waitpid(-1, os.WNOHANG)
            except ChildProcessError:
                return
            time.sleep(0.01)
