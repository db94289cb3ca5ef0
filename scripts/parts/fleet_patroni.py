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
from fleet_run import told, wait_until
from processes import below, children_of, is_running, strike

PACKAGING = pathlib.Path(__file__).resolve().parent.parent.parent / "packaging/fleet"
PORTS = {"PostgreSQL": 5432, "Patroni": 8008, "etcd": 2379, "etcd's members": 2380}


def clean_environment():
    """Takes out of the environment what would change etcd, Patroni, PostgreSQL or the way to them over the loopback."""
    for name in list(os.environ):
        if name.startswith(("ETCD", "PATRONI_", "PG")) or name.lower().endswith("_proxy"):
            del os.environ[name]


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
        # Connections over the loopback come from 127.0.0.1, whichever of its addresses they go to.
        from_loopback = [(f"10.0.0.{suffix}", "127.0.0.0/8") for suffix in ("1/32", "2/32", "3/32", "0/24")]
        # A device that restarts machines is not for trials.
        (self.folder / "config.yml").write_text(adapted("patroni.yml", [
            ("\nname: db1\n", f"\nname: {self.name}\n"), *own, *from_loopback,
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

    def postmaster(self):
        """The first process of PostgreSQL here; None without one."""
        try:
            process = int((self.folder / "data/postmaster.pid").read_text().split("\n")[0])
            is_own = str(self.folder) in pathlib.Path(f"/proc/{process}/cmdline").read_text()
        except (OSError, ValueError):
            return None
        return process if is_own else None

    def database(self):
        """The processes of PostgreSQL that Patroni has started here."""
        process = self.postmaster()
        return below(process) if process else []

    def processes(self, etcd=True):
        started = [self.patroni, self.etcd] if etcd else [self.patroni]
        return [process for one in started if is_running(one) for process in below(one.pid)] + self.database()

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
        told("openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes",
             "-days", "2", "-subj", "/CN=fleet-patroni", "-addext", f"subjectAltName={names}",
             "-keyout", self.work / "server.key", "-out", self.work / "server.crt")
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
        if self.first is None:
            fail(f"the primary is gone directly after the start: {self.weakness()}", "--keep leaves what Patroni says")
        self.sql("CREATE DATABASE nestbox", "postgres")
        for role, password in known.items():
            self.sql(f"CREATE ROLE {role} LOGIN PASSWORD '{password}'", "postgres")
        # A standby that does not know the database or the role yet refuses who comes to it first.
        behind = "SELECT count(*) FROM pg_stat_replication WHERE replay_lsn IS DISTINCT FROM pg_current_wal_lsn()"
        wait_until(lambda: self.sql(behind, "postgres") == "0", "a standby does not know the database and its roles",
                   hint="--keep leaves what PostgreSQL says")

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

    def etcdctl(self, *words):
        urls = ",".join(f"http://{one.address}:2379" for one in self.machines)
        return told("etcdctl", "--endpoints", urls, *words, env={**os.environ, "ETCDCTL_API": "3"}, timeout=60,
                    hint="--keep leaves what etcd says")

    def etcd_members(self):
        """The number of each machine's etcd, and of the one that leads them."""
        found, leader = {}, None
        for one in json.loads(self.etcdctl("endpoint", "status", "--write-out", "json")):
            machine = next((machine for machine in self.machines if f"//{machine.address}:" in one["Endpoint"]), None)
            found[machine], leader = one["Status"]["header"]["member_id"], one["Status"].get("leader")
        return found, leader

    def etcd_leader(self):
        """The machine whose etcd leads the others; None if they have no leader just now."""
        members, leader = self.etcd_members()
        return next((machine for machine, number in members.items() if number == leader), None)

    def lead_etcd(self, machine):
        """Makes the etcd of that machine the leader of its members, which is the worst to lose."""
        members, leader = self.etcd_members()
        if machine not in members:
            fail(f"etcd of {machine.name} is not a member", "--keep leaves what etcd says")
        if members[machine] != leader:
            self.etcdctl("move-leader", f"{members[machine]:x}")

    def synchronous_standby(self):
        members = self.members()
        found = next((machine for machine in self.machines
                      if members.get(machine.name, {}).get("role") == "sync_standby"), None)
        return found or fail(f"there is no synchronous standby: {self.weakness()}", "--keep leaves what Patroni says")

    def switch_over(self, leader):
        said = told(*self.user, "patronictl", "-c", leader.folder / "config.yml", "switchover", "--leader", leader.name,
                    "--candidate", self.synchronous_standby().name, "--force", cwd=leader.folder, timeout=120,
                    name="patronictl switchover")
        if "Successfully switched over" not in said:
            fail(f"patronictl switchover: {said}", "--keep leaves what Patroni says")

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
        try:
            self.stop_servers()
        finally:
            self.is_over.set()
            self.kill_rest()

    def stop_servers(self):
        for machine in self.machines:
            strike([one.pid for one in (machine.patroni, machine.etcd) if is_running(one)], signal.SIGKILL)
            database = machine.database()
            strike(database, signal.SIGCONT)
            strike(database[:1], signal.SIGQUIT)
        end = time.monotonic() + 10
        while time.monotonic() < end and any(machine.database() for machine in self.machines):
            time.sleep(0.05)

    def kill_rest(self):
        """Kills whatever else was started, such as a copy for a standby."""
        end = time.monotonic() + 10
        while time.monotonic() < end:
            strike(below(os.getpid())[1:], signal.SIGKILL)
            try:
                os.waitpid(-1, os.WNOHANG)
            except ChildProcessError:
                return
            time.sleep(0.01)
