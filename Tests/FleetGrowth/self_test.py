# SPDX-License-Identifier: Apache-2.0
"""Tests what scripts/fleet-growth computes: the ranking of hosts, the rows, and what it says of wrong input.

  python3 Tests/FleetGrowth/self_test.py
"""
import dataclasses
import json
import pathlib
import subprocess
import sys
import tempfile
import unittest

SCRIPTS = pathlib.Path(__file__).resolve().parent.parent.parent / "scripts"
sys.dont_write_bytecode = True
sys.path.insert(0, str(SCRIPTS / "parts"))
import fleet_ranking  # noqa: E402
import growth_model  # noqa: E402
import growth_table  # noqa: E402
import libpq  # noqa: E402

COSTS = {
    "primaryMicroseconds": 100, "standbyMicroseconds": 40, "logBytes": 5_000, "endMicroseconds": 50,
    "beatMicrosecondsOf2": 1_000, "beatMicrosecondsOf10": 1_800, "beatMicrosecondsOf30": 50_000,
    "beatMicrosecondsOf90": 50_000, "beatMicrosecondsOf100": 500_000, "pollMicrosecondsOf16": 160,
    "pollMicrosecondsOf256": 2_560, "pollMicrosecondsOf1024": 10_240, "tokenBytes": 400, "openedBytes": 200,
    "seenBytes": 100, "takeOverPushes": 500_000, "takeOverSeconds": 1.0, "hostMicroseconds": 280,
    "hostThreadMicroseconds": 70,
}
PLAN = growth_model.Plan(connections=97)


class RankingTest(unittest.TestCase):
    def test_partitions_are_those_of_the_swift_tests(self):
        # PartitionTests.swift states these two.
        self.assertEqual(fleet_ranking.partition(""), 302)
        self.assertEqual(fleet_ranking.partition("00c0ffee"), 514)

    def test_shares_follow_weights_as_in_the_swift_tests(self):
        # PartitionTests.swift has these hosts and bounds.
        weights = {"a": 1, "b": 1, "c": 2, "d": 0}
        counts = dict.fromkeys(weights, 0)
        for part in range(fleet_ranking.PARTITIONS):
            ranks = {host: fleet_ranking.rank(part, host, weights) for host in weights}
            self.assertEqual(sorted(ranks.values()), [0, 1, 2, 3])
            counts[min(ranks, key=ranks.get)] += 1
        self.assertIn(counts["a"], range(200, 313))
        self.assertIn(counts["b"], range(200, 313))
        self.assertIn(counts["c"], range(448, 577))
        self.assertEqual(counts["d"], 0)

    def test_a_host_that_comes_moves_only_what_it_wins(self):
        growth = fleet_ranking.Growth()
        for host in ("a", "b", "c"):
            before = list(growth.first)
            growth.join(host)
            self.assertTrue(all(new in (old, host) for old, new in zip(before, growth.first)))
        weights = dict.fromkeys(growth.hosts, 1)
        for part in range(0, fleet_ranking.PARTITIONS, 16):
            self.assertEqual(fleet_ranking.rank(part, growth.first[part], weights), 0)
        self.assertEqual(sum(growth.shares().values()), 1_024)


class SimulationTest(unittest.TestCase):
    def test_one_host_is_bounded_by_its_thread(self):
        row = growth_model.simulate(COSTS, PLAN, [1_024])
        self.assertEqual(row["first"], "one thread of a host")
        self.assertAlmostEqual(row["rate"], 10_000)
        self.assertAlmostEqual(row["one_database"], 26_000)
        self.assertEqual((row["databases"], row["connections"], row["beat_rows"]), (1, 7, 1_025))
        # Five polls of 10.24 ms and a beat of 1 ms.
        self.assertAlmostEqual(row["standing"], 0.0522)
        self.assertAlmostEqual(row["log"], 4.32e12)
        self.assertAlmostEqual(row["tokens"], 4e9)
        self.assertAlmostEqual(row["seen"], 86.4e9)
        self.assertEqual([round(size) for size in row["opened"]], [7_200_000_000, 5_184_000_000_000])
        self.assertAlmostEqual(row["take_over"], 4)

    def test_beats_are_between_those_that_were_measured(self):
        costs = [round(growth_model.beat_cost(COSTS, hosts)) for hosts in (1, 2, 6, 10, 60, 95, 100, 200)]
        self.assertEqual(costs, [1_000, 1_000, 1_400, 1_800, 50_000, 275_000, 500_000, 500_000])
        # 95 beats a second of 275 ms are more than a database has.
        row = growth_model.simulate(COSTS, dataclasses.replace(PLAN, connections=1_000), [10] * 95)
        self.assertEqual((row["one_database"], row["first"]), (0, "processors of the database"))

    def test_the_fullest_host_bounds_a_fleet(self):
        self.assertAlmostEqual(growth_model.simulate(COSTS, PLAN, [768, 256])["rate"], 10_000 * 2 / 1.5)

    def test_what_one_database_cannot_take_needs_more(self):
        row = growth_model.simulate(COSTS, PLAN, [256] * 4)
        self.assertEqual((row["first"], row["databases"]), ("log of the database", 2))
        slow = growth_model.simulate({**COSTS, "primaryMicroseconds": 400}, PLAN, [256] * 4)
        self.assertEqual((slow["first"], slow["databases"]), ("processors of the database", 3))
        never = growth_model.simulate({**COSTS, "beatMicrosecondsOf2": 9e6}, PLAN, [256] * 4)
        self.assertEqual((never["first"], never["databases"]), ("processors of the database", None))

    def test_connections_come_before_rates(self):
        self.assertEqual(growth_model.simulate(COSTS, PLAN, [64] * 16)["first"], "connections: 112 of 97")

    def test_the_table_is_the_one_that_is_known(self):
        rows = growth_model.grow(COSTS, PLAN, [20])
        first, second = growth_table.tables(rows, [1], PLAN).split("\n\n")
        self.assertEqual(first.splitlines()[2],
                         "| 1 | 1024 | 1.00 × | 10 k | 26 k | 1 | 7 | one thread of a host |")
        self.assertEqual(second.splitlines()[2],
                         "| 1 | 1, 1.02 k | 0.05 | 4.32 TB | 4 GB | 86.4 GB | 7.2 GB / 5.18 TB | 4 s |")
        lines = growth_table.breaks(COSTS, PLAN, rows)
        self.assertIn("- From 1 host on: one thread of a host allows 10 k pushes/s; 16 cores would do 40 k.",
                      lines)
        self.assertIn("- From 3 hosts on: one database takes 26 k of 29.6 k pushes/s; what is built has one.", lines)
        self.assertIn("- From 14 hosts on: 98 connections, 7 a host, of 97: raise max_connections.", lines)


class InputTest(unittest.TestCase):
    def printed(self, text, *options):
        """Status, standard output and standard error of `table` with costs of that text; None: without the file."""
        with tempfile.TemporaryDirectory() as folder:
            path = pathlib.Path(folder) / "costs.json"
            if text is not None:
                path.write_text(text)
            done = subprocess.run([sys.executable, SCRIPTS / "fleet-growth", "table", path, *options],
                                  capture_output=True, text=True)
            return done.returncode, done.stdout, done.stderr.replace(str(path), "costs.json")

    def test_costs_make_a_table(self):
        status, output, errors = self.printed(json.dumps(COSTS), "--lifetime", "1h")
        self.assertEqual((status, errors), (0, ""))
        self.assertIn("| 100 | 10 | ", output)

    def test_a_missing_file_is_an_error_with_a_hint(self):
        self.assertEqual(self.printed(None), (1, "", (
            'fleet-growth: error: the costs file "costs.json" cannot be read: no such file or directory\n'
            "fleet-growth: hint: scripts/fleet-growth measure PROGRAMS > costs.json\n")))

    def test_a_cost_that_is_no_number_above_zero_is_refused(self):
        for value in (0, -1, "7", None, True, float("inf"), float("nan")):
            with self.assertRaisesRegex(growth_model.Wrong, '"logBytes" .* must be a number above zero'):
                growth_model.check({**COSTS, "logBytes": value}, "costs.json")
        with self.assertRaisesRegex(growth_model.Wrong, 'has no "seenBytes"'):
            growth_model.check({name: cost for name, cost in COSTS.items() if name != "seenBytes"}, "costs.json")
        with self.assertRaisesRegex(growth_model.Wrong, "is not a JSON object"):
            growth_model.check([], "costs.json")
        status, output, errors = self.printed(json.dumps({**COSTS, "logBytes": 0}))
        self.assertEqual((status, output), (1, ""))
        self.assertTrue(errors.startswith('fleet-growth: error: "logBytes" in the costs file "costs.json" is 0'))
        self.assertIn("\nfleet-growth: hint: ", errors)

    def refusal(self, text):
        """What is wrong with costs of that text."""
        with tempfile.TemporaryDirectory() as folder:
            path = pathlib.Path(folder) / "costs.json"
            path.write_text(text)
            with self.assertRaises(growth_model.Wrong) as caught:
                growth_model.read(path)
            return str(caught.exception).replace(str(path), "costs.json")

    def test_a_text_that_is_not_json_is_refused(self):
        for text in ("{", "[" * 100_000, '{"logBytes": ' + "9" * 5_000 + "}"):
            self.assertEqual(self.refusal(text), 'the costs file "costs.json" is not JSON')
        self.assertIn("fleet-growth: hint: ", self.printed("[" * 100_000)[2])

    def test_numbers_that_no_result_can_hold_are_refused(self):
        for value in ("1" + "0" * 400, "1e300", "1e-300"):
            text = json.dumps(COSTS).replace('"logBytes": 5000', f'"logBytes": {value}')
            self.assertIn("must be a number above zero, from 1e-06 to 1e+15", self.refusal(text))
        for bound in (growth_model.LEAST, growth_model.MOST):
            costs = growth_model.check(dict.fromkeys(growth_model.NUMBERS, bound), "costs.json")
            plan = dataclasses.replace(PLAN, lifetimes=(999_999_999 * growth_model.DAY,))
            rows = {1: growth_model.simulate(costs, plan, [1_024])}
            self.assertIn("| 1 | 1024 | ", growth_table.report(costs, plan, rows, [1]))

    def test_a_load_that_is_no_number_is_refused(self):
        for value in ("much", None, [1], -1):
            self.assertIn('"loadBefore" in the costs file "costs.json" is ',
                          self.refusal(json.dumps({**COSTS, "loadBefore": value})))
        self.assertEqual(growth_model.check({**COSTS, "loadBefore": 1.5}, "costs.json")["loadBefore"], 1.5)

    def test_options_have_bounds(self):
        for option, value in [("--host-share", "1.1"), ("--database-share", "2"), ("--cores", "0"),
                              ("--log-rate", "nan"), ("--devices", "inf"), ("--lifetime", "9" * 5_000 + "d")]:
            status, output, errors = self.printed(json.dumps(COSTS), option, value)
            self.assertEqual((status, output), (2, ""))
            self.assertIn(f"fleet-growth table: error: argument {option}: ", errors)
            self.assertNotIn("Traceback", errors)
        for option, value in [("--seconds", "0.5"), ("--tokens", "999")]:
            done = subprocess.run([sys.executable, SCRIPTS / "fleet-growth", "measure", ".", option, value],
                                  capture_output=True, text=True)
            self.assertEqual(done.returncode, 2)
            self.assertIn(f"argument {option}: ", done.stderr)


class EncodingTest(unittest.TestCase):
    def test_arrays_are_as_postgresql_sends_them(self):
        self.assertEqual(libpq.int16s([]).hex(), "000000000000000000000015")
        self.assertEqual(libpq.int16s([7]).hex(), "000000010000000000000015" "0000000100000001" "000000020007")
        self.assertEqual(libpq.texts(["ab"]).hex(), "000000010000000000000019" "0000000100000001" "000000026162")


if __name__ == "__main__":
    unittest.main()
