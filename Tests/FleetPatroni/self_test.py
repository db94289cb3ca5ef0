# SPDX-License-Identifier: Apache-2.0
"""Tests what scripts/fleet-patroni makes of the packaged files, and what scripts/check-documents says of them.

  python3 Tests/FleetPatroni/self_test.py

Starts no Patroni, no etcd and no PostgreSQL.
"""
import contextlib
import io
import os
import pathlib
import signal
import subprocess
import sys
import tempfile
import types
import unittest

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
sys.dont_write_bytecode = True
sys.path.insert(0, str(ROOT / "scripts/parts"))
import fleet_patroni  # noqa: E402
import fleet_run  # noqa: E402
import processes  # noqa: E402


def without_comments(path):
    return [line for line in path.read_text().splitlines() if not line.lstrip().startswith("#")]


class FilesTest(unittest.TestCase):
    def setUp(self):
        holder = tempfile.TemporaryDirectory()
        self.addCleanup(holder.cleanup)
        self.work = pathlib.Path(holder.name)
        for name in ("server.crt", "server.key"):
            (self.work / name).write_text(name)
        cluster = types.SimpleNamespace(network="127.7.8.", work=self.work, programs=pathlib.Path("/programs"),
                                        password="secret-", is_root=False, user=[])
        self.machine = fleet_patroni.Machine(cluster, 2)
        self.machine.write()

    def test_patroni_has_nothing_of_the_packaged_machines(self):
        lines = without_comments(self.machine.folder / "config.yml")
        text = "\n".join(lines)
        for gone in ("10.0.0.", "db1", "change-me", "/etc/", "/var/", "/usr/lib", "mode: required"):
            self.assertNotIn(gone, text)
        for wanted in ("name: db2", "  listen: 127.7.8.2:8008", "  connect_address: 127.7.8.2:5432", "  mode: off",
                       "  hosts: [127.7.8.1:2379, 127.7.8.2:2379, 127.7.8.3:2379]", "  bin_dir: /programs",
                       f"  data_dir: {self.machine.folder}/data", "    password: secret-restapi"):
            self.assertIn(wanted, lines)

    def test_what_was_packaged_is_what_is_tried(self):
        packaged = without_comments(fleet_patroni.PACKAGING / "patroni.yml")
        lines = without_comments(self.machine.folder / "config.yml")
        self.assertEqual(len(lines), len(packaged))
        keys = [[line.partition(":")[0] for line in some if "hostssl" not in line] for some in (packaged, lines)]
        self.assertEqual(*keys)
        dcs = packaged[packaged.index("bootstrap:"):packaged.index("  initdb:")]
        self.assertEqual(lines[lines.index("bootstrap:"):lines.index("  initdb:")], dcs)

    def test_etcd_has_the_machine_s_own_addresses(self):
        lines = without_comments(self.machine.folder / "etcd.conf")
        self.assertNotIn("10.0.0.", "\n".join(lines))
        for wanted in ("ETCD_NAME=db2", "ETCD_LISTEN_PEER_URLS=http://127.7.8.2:2380",
                       "ETCD_ADVERTISE_CLIENT_URLS=http://127.7.8.2:2379", f"ETCD_DATA_DIR={self.machine.folder}/etcd"):
            self.assertIn(wanted, lines)
        self.assertTrue(any(line.startswith("ETCD_INITIAL_CLUSTER=db1=http://127.7.8.1:2380,") for line in lines))

    def test_nobody_else_reads_the_files(self):
        self.assertEqual({path.stat().st_mode & 0o777 for path in self.machine.folder.iterdir()}, {0o600})

    def test_a_text_that_is_not_there_is_an_error(self):
        errors = io.StringIO()
        with contextlib.redirect_stderr(errors), self.assertRaises(SystemExit):
            fleet_patroni.adapted("patroni.yml", [("no such text", "")])
        self.assertIn('error: packaging/fleet/patroni.yml has no "no such text"', errors.getvalue())


class SettingsTest(unittest.TestCase):
    def breaches(self, settings, page):
        """What check-documents says of two files; None: without the file."""
        with tempfile.TemporaryDirectory() as folder:
            place = pathlib.Path(folder) / "packaging/fleet"
            place.mkdir(parents=True)
            for name, text in (("postgresql.conf", settings), ("patroni.yml", page)):
                if text is not None:
                    (place / name).write_text(text)
            done = subprocess.run([sys.executable, ROOT / "scripts/check-documents", folder], capture_output=True,
                                  text=True)
            return done.stdout.splitlines()

    def test_settings_are_found_in_both_places(self):
        page = ('bootstrap:\n  dcs:\n    postgresql:\n      parameters:\n        max_connections: 200\n'
                'postgresql:\n  parameters:\n    fsync: "on"  # why\n')
        settings = "# why\n\nmax_connections = 200\nfsync = on\nsynchronous_standby_names = 'FIRST 1 (db2, db3)'\n"
        self.assertEqual(self.breaches(settings, page), [])

    def test_a_setting_that_patroni_ignores_there_is_refused(self):
        page = "postgresql:\n  parameters:\n    fsync: on\n    wal_keep_size: 2GB\n"
        self.assertEqual(self.breaches("fsync = on\n", page), [
            "packaging/fleet/patroni.yml:4 has wal_keep_size below postgresql.parameters, where Patroni ignores it: it "
            "belongs below bootstrap.dcs.postgresql.parameters"])

    def test_a_setting_elsewhere_does_not_count(self):
        page = "watchdog:\n  fsync: on\npostgresql:\n  parameters:\n    jit: off\n"
        self.assertEqual(self.breaches("fsync = on\n", page),
                         ["packaging/fleet/patroni.yml:1 has nothing for fsync, and postgresql.conf on"])

    def test_each_line_is_understood(self):
        page = "postgresql:\n  parameters:\n    fsync: on\n"
        for line in ("fsync on", "fsync=on", " fsync = on", "fsync = on # why", "include 'more.conf'"):
            self.assertEqual(self.breaches(f"fsync = on\n{line}\n", page),
                             ['packaging/fleet/postgresql.conf:2 is neither a comment nor "name = value"'])

    def test_one_file_alone_is_refused(self):
        self.assertEqual(self.breaches("fsync = on\n", None),
                         ["packaging/fleet/patroni.yml:1 is not there, and postgresql.conf is"])
        self.assertEqual(self.breaches(None, "scope: nestbox\n"),
                         ["packaging/fleet/postgresql.conf:1 is not there, and patroni.yml is"])


class RunTest(unittest.TestCase):
    def test_options_are_finite_numbers(self):
        for option, value in [("--rate", "0"), ("--rate", "nan"), ("--limit", "inf"), ("--limit", "-1"),
                              ("--faults", "flood")]:
            done = subprocess.run([sys.executable, ROOT / "scripts/fleet-patroni", ".", option, value],
                                  capture_output=True, text=True)
            self.assertEqual(done.returncode, 2)
            self.assertIn(f"fleet-patroni: error: argument {option}: ", done.stderr)

    def test_programs_are_looked_for_first(self):
        with tempfile.TemporaryDirectory() as folder:
            done = subprocess.run([sys.executable, ROOT / "scripts/fleet-patroni", folder], capture_output=True,
                                  text=True)
            self.assertEqual((done.returncode, done.stdout, done.stderr), (1, "", (
                f'fleet-patroni: error: there is no extension-host in "{folder}"\n'
                "fleet-patroni: hint: make fleet-patroni builds what it needs\n")))

    def test_the_end_takes_each_step_and_the_folder(self):
        taken = []

        def step(name):
            taken.append(name)
            raise OSError(name)

        handlers = {number: signal.getsignal(number) for number in fleet_run.ENDING}
        try:
            signal.signal(signal.SIGHUP, signal.SIG_IGN)
            with self.assertRaisesRegex(OSError, "cluster"):
                with fleet_run.folder() as (work, steps):
                    # What nohup has ignored stays ignored.
                    self.assertEqual(signal.getsignal(signal.SIGHUP), signal.SIG_IGN)
                    self.assertNotEqual(signal.getsignal(signal.SIGTERM), signal.SIG_DFL)
                    steps.callback(step, "cluster")
                    steps.callback(step, "hosts")
        finally:
            for number, handler in handlers.items():
                signal.signal(number, handler)
        self.assertEqual(taken, ["hosts", "cluster"])
        self.assertFalse(work.exists())

    def test_a_command_that_fails_is_quoted(self):
        for words, said in [((sys.executable, "-c", "import sys; sys.exit('no such thing')"), "no such thing"),
                            (("/no/such/program",), "program: no such file or directory")]:
            errors = io.StringIO()
            with contextlib.redirect_stderr(errors), self.assertRaises(SystemExit):
                fleet_run.told(*words, hint="look")
            self.assertIn(said, errors.getvalue())
            self.assertIn("hint: look", errors.getvalue())

    def test_a_process_that_has_ended_is_not_there(self):
        child = subprocess.Popen([sys.executable, "-c", "import sys; sys.stdin.read()"], stdin=subprocess.PIPE)
        self.assertIsNotNone(processes.born(child.pid))
        self.assertTrue(processes.is_running(child))
        child.stdin.close()
        # It is not reaped yet.
        os.waitid(os.P_PID, child.pid, os.WEXITED | os.WNOWAIT)
        self.assertEqual(processes.state(child.pid), "Z")
        self.assertIsNone(processes.born(child.pid))
        self.assertFalse(processes.is_running(child))
        self.assertFalse(processes.is_running(None))


if __name__ == "__main__":
    unittest.main()
