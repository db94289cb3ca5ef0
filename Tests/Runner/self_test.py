# SPDX-License-Identifier: Apache-2.0
"""Tests the test runner: nothing that it reads may turn a red run green.

  python3 Tests/Runner/self_test.py

Recorded/*.jsonl are event streams of Swift Testing. whole_run_test.py runs the whole of scripts/test.
"""
import argparse
import json
import os
import pathlib
import re
import sys
import tempfile
import unittest
import unittest.mock

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parent.parent
sys.path.insert(0, str(HERE))
sys.dont_write_bytecode = True
import parts  # noqa: E402
import report  # noqa: E402
import sample  # noqa: E402
import stream  # noqa: E402
import verdict  # noqa: E402

PASSES, FAILS, WAITS = (f"ToyTests.Suite/`{name}`()" for name in ("a test passes", "a test fails", "a skipped test"))


def recorded(name):
    return (HERE / "Recorded" / f"{name}.jsonl").read_text()


def without(text, *kinds):
    """The stream without the events of these kinds."""
    lines = text.splitlines(keepends=True)
    return "".join(line for line in lines if json.loads(line)["payload"]["kind"] not in kinds)


class Judging(unittest.TestCase):
    """One process of tests is judged by its event stream and its end."""

    def faults(self, text, status, **options):
        return stream.judge(text, status, **options).faults

    def test_a_run_in_which_all_passes_has_no_fault(self):
        result = stream.judge(recorded("passed"), 0)
        self.assertEqual((result.faults, result.failed, result.left_open), ([], {}, []))
        self.assertIn(PASSES, result.ended)
        self.assertGreaterEqual(result.seconds[PASSES], 0)
        self.assertGreater(result.whole, 0)

    def test_a_skipped_test_has_its_reason(self):
        self.assertEqual(stream.judge(recorded("passed"), 0).skipped,
                         {WAITS: "needs what no machine has", FAILS: "no reason given"})

    def test_a_failed_test_has_its_issues(self):
        result = stream.judge(recorded("failed"), 1)
        self.assertEqual((result.faults, list(result.failed)), ([], [FAILS]))
        self.assertIn("Expectation failed", result.failed[FAILS][0])

    def test_a_crash_is_a_fault_that_names_what_was_under_way(self):
        faults = self.faults(recorded("crashed"), 1)
        self.assertEqual(len(faults), 1)
        self.assertIn("ended before the tests; under way: ToyTests.Suite/", faults[0])

    def test_a_crash_is_a_fault_even_if_the_status_is_0(self):
        self.assertNotEqual(self.faults(recorded("crashed"), 0), [])

    def test_a_crash_after_a_failed_test_is_a_fault(self):
        self.assertNotEqual(self.faults(without(recorded("failed"), "runEnded"), 1), [])

    def test_a_death_by_signal_is_a_fault(self):
        for status in -11, 139:
            self.assertIn("the process ended by signal 11", self.faults(recorded("passed"), status))

    def test_a_crash_has_its_words_and_the_frames_of_its_thread(self):
        output = ("◇ Test run started.\nA.swift:1: Fatal error: descriptor 7\n✘ Test \"a\" failed\n    of an issue: error: no\n"
                  "*** Program crashed: Illegal instruction at 0x5 ***\nPlatform: x86_64\nThread 0:\n\n"
                  "  0      0x01 a() + 6 in x at /a.swift:1:2\nThread 3 \"pool\" crashed:\n\n"
                  "  0      0x0a close + 6 in x.xctest at /c.c:31:5\n  1 [ra] 0x0b b() + 1 in libc.so.6\n"
                  "  2 [ra] [inlined] 0x0c c() in x.xctest at /c.swift:3:4\n...\n\nThread 4:\n\n  0  0x1 d() in x at /d.swift:1:1\n")
        self.assertEqual(self.faults(recorded("passed"), -4, output=output), [
            "the process ended by signal 4; it wrote last:\n    A.swift:1: Fatal error: descriptor 7"
            "\n    close + 6 in x.xctest at /c.c:31:5\n    c() in x.xctest at /c.swift:3:4"])

    def test_a_death_without_an_error_has_the_last_lines(self):
        output = "◇ Test run started.\n" + "".join(f"notice: {number}\n" for number in range(9)) + "◇ Test \"b\" started.\n"
        self.assertEqual(self.faults(recorded("passed"), -9, output=output), [
            "the process ended by signal 9; it wrote last:" + "".join(f"\n    notice: {number}" for number in range(5, 9))])
        self.assertEqual(self.faults(recorded("passed"), -9, output="◇ Test run started.\n"),
                         ["the process ended by signal 9"])

    def test_a_time_that_is_up_is_a_fault(self):
        faults = self.faults(recorded("crashed"), -15, timed_out=True)
        self.assertEqual(len(faults), 1)
        self.assertIn("the time was up; under way: ToyTests.Suite/", faults[0])

    def test_a_stream_that_cannot_be_read_is_a_fault(self):
        whole = recorded("passed")
        for broken in whole + "{", whole + "[]\n", whole + '{"kind":"event"}\n', whole.replace('"instant"', '"instants"'):
            self.assertIn("cannot be read", self.faults(broken, 0)[0])

    def test_a_stream_cut_anywhere_is_a_fault(self):
        whole = recorded("passed")
        ends = [place for place, letter in enumerate(whole) if letter == "\n"][:-1]
        for place in [0, *ends, *(end + 1 for end in ends)]:
            self.assertNotEqual(self.faults(whole[:place], 0), [], f"cut after {place} characters")

    def test_only_a_line_feed_ends_a_line(self):
        text = recorded("passed").replace("Test run started.", "\u2028\u0085")
        self.assertEqual(self.faults(text, 0), [])

    def test_a_test_without_an_end_is_a_fault(self):
        text = recorded("passed")
        lines = [line for line in text.splitlines(keepends=True)
                 if not ("testEnded" in line and "a test passes" in json.loads(line)["payload"]["testID"])]
        self.assertEqual(self.faults("".join(lines), 0), [f"neither ended nor skipped: {PASSES}"])

    def test_no_stream_is_a_fault(self):
        for nothing in None, "":
            for status in 0, 1:
                self.assertNotEqual(self.faults(nothing, status), [])

    def test_no_test_is_a_fault(self):
        self.assertIn("no test was run", self.faults(recorded("empty"), 0))

    def test_no_test_is_none_where_the_caller_chose_the_tests(self):
        self.assertEqual(self.faults(recorded("empty"), 0, may_be_empty=True), [])
        self.assertNotEqual(self.faults(recorded("empty"), 1, may_be_empty=True), [])
        self.assertNotEqual(self.faults(recorded("empty"), -9, may_be_empty=True), [])

    def test_only_skipped_tests_are_a_fault(self):
        skipped = [line for line in recorded("passed").splitlines(keepends=True)
                   if not re.search("a test passes|a test takes arguments|what .is", line)]
        self.assertIn("no test was run", self.faults("".join(skipped), 0))

    def test_a_status_without_a_failed_test_is_a_fault(self):
        self.assertEqual(self.faults(recorded("passed"), 1), ["the process ended with status 1, and no test failed"])

    def test_a_failed_test_with_status_0_is_a_fault(self):
        self.assertNotEqual(self.faults(recorded("failed"), 0), [])

    def test_an_issue_outside_of_every_test_is_a_fault(self):
        event = {"kind": "issueRecorded", "instant": {"absolute": 1, "since1970": 1}, "issue": {"isKnown": False},
                 "messages": [{"symbol": "fail", "text": "somebody else"}]}
        line = json.dumps({"version": 0, "kind": "event", "payload": event}) + "\n"
        self.assertEqual(self.faults(recorded("failed") + line, 1),
                         ["an issue outside of every test, in no suite: somebody else"])

    def test_a_known_issue_is_no_failure(self):
        known = recorded("failed").replace('"isKnown":false', '"isKnown":true')
        self.assertEqual(stream.judge(known, 0).failed, {})


class Deciding(unittest.TestCase):
    """A run is decided by its passes and by the second runs of what failed."""

    def setUp(self):
        self.failed = stream.judge(recorded("failed"), 1)
        self.passed = stream.judge(recorded("passed"), 0)
        self.passes = [self.passed, self.failed]

    def second(self, name="again", status=0, **options):
        return stream.judge(recorded(name), status, **options)

    def test_a_test_that_passes_alone_is_unstable(self):
        found = verdict.decide(self.passes, {FAILS: self.second()}, strict=False)
        self.assertEqual((found.unstable, found.failed, found.status), ([FAILS], [], 0))

    def test_an_unstable_test_fails_a_strict_run(self):
        self.assertEqual(verdict.decide(self.passes, {FAILS: self.second()}, strict=True).status, 1)

    def test_whatever_is_no_proof_leaves_the_test_failed(self):
        other = stream.judge(recorded("passed"), 0)
        second_runs = {"none": None, "failed": self.second("failed", 1), "another test": other,
                       "crashed": self.second("crashed", 1), "status": self.second(status=1),
                       "empty": self.second("empty"), "time": self.second(timed_out=True),
                       "skipped": stream.judge(recorded("again").replace("testEnded", "testSkipped"), 0)}
        for name, second in second_runs.items():
            with self.subTest(name):
                found = verdict.decide(self.passes, {FAILS: second} if second else {}, strict=False)
                self.assertEqual((found.failed, found.unstable, found.status), ([FAILS], [], 1))

    def test_a_fault_fails_the_run_whatever_passes_alone(self):
        passes = [*self.passes, stream.judge(recorded("crashed"), 1)]
        self.assertEqual(verdict.decide(passes, {FAILS: self.second()}, strict=False).status, 1)
        self.assertEqual(verdict.to_run_again(passes), [])

    def test_parts_without_a_test_fail_the_run(self):
        nothing = stream.judge(recorded("empty"), 0, may_be_empty=True)
        self.assertEqual(verdict.decide([nothing, nothing], {}, strict=False).faults, ["no test was run"])
        self.assertEqual(verdict.decide([], {}, strict=False).status, 1)

    def test_many_failures_are_not_run_again(self):
        self.assertEqual(verdict.to_run_again(self.passes), [FAILS])
        self.failed.failed = {f"ToyTests.a{number}()": ["no"] for number in range(11)}
        self.assertEqual(verdict.to_run_again(self.passes), [])
        self.assertEqual(verdict.decide(self.passes, {}, strict=False).status, 1)


class Lists(unittest.TestCase):
    """The two committed lists are read strictly, and name what there is."""

    def test_an_entry_has_a_date_a_test_and_a_reason(self):
        entries = verdict.read_list("# of late\n2026-11-23 | ToyTests.a() | a deadline of 5 ms\n")
        self.assertEqual(entries, {"ToyTests.a()": ("2026-11-23", "a deadline of 5 ms")})

    def test_what_is_no_entry_is_refused(self):
        for line in "ToyTests.a()", "2026-11-23 | ToyTests.a() | ", "2026-13-23 | ToyTests.a() | why", " | | ":
            with self.assertRaises(verdict.ListError):
                verdict.read_list(line)
        with self.assertRaises(verdict.ListError):
            verdict.read_list("2026-11-23 | ToyTests.a() | why\n" * 2)

    def test_the_committed_lists_can_be_read(self):
        verdict.read_list((ROOT / "Tests" / "unstable.txt").read_text())

    def test_the_rule_names_targets_and_suites_that_exist(self):
        targets, suites = parts.read_rule((ROOT / "Tests" / "together.txt").read_text())
        self.assert_are_targets(targets)
        for suite in suites:
            self.assert_exists(suite)

    def assert_are_targets(self, names):
        package = (ROOT / "Package.swift").read_text()
        for target in names:
            self.assertRegex(package, rf'(tests\(|name: )"{target}"|tests\(\s*"{target}"|    "{target}": (\w+ \+ )?\[')

    def assert_exists(self, suite):
        target, name = suite.split(".")
        sources = (ROOT / "Tests" / target).rglob("*.swift")
        self.assertTrue(any(re.search(rf"^(@.+ )?(struct|final class) {name}\b", file.read_text(), re.MULTILINE)
                            for file in sources), f"there is no suite {suite}")

    def test_what_is_no_rule_is_refused(self):
        for text in "Some Tests", "ToyTests.Suite", "ToyTests.Suite: why", "ToyTests\nToyTests.Suite:", "ToyTests.*":
            with self.assertRaises(parts.RuleError):
                parts.read_rule(text)

    def test_each_test_runs_in_exactly_one_part(self):
        skips = parts.skips(["ToyTests", "MoreTests"], ["ToyTests.Slow"], ["OtherTests.Wait", "NearTests.Wait"], ["NearTests"])
        for name, expected in [("ToyTests.Suite/a()", 0), ("ToyTests.Slow/a()", 3), ("ToyTests.Slow", 3),
                               ("ToyTests.Slower/a()", 0), ("OtherTests.Suite/a()", 3), ("ToyTests.a()", 0),
                               ("ToyTestsOfMore.a()", 3), ("MoreTests.Slow/a()", 0), ("OtherTests.Wait/a()", 1),
                               ("OtherTests.Waiting/a()", 3), ("OtherTests.Wait", 1), ("NearTests.Suite/a()", 2),
                               ("NearTests.Wait/a()", 1), ("NearTests.Waiting/a()", 2), ("NearTestsToo.a()", 3)]:
            runs = [number for number, skip in enumerate(skips) if not re.search(skip, name)]
            self.assertEqual(runs, [expected], name)

    def test_without_a_rule_there_is_no_part(self):
        not_together, not_waiting, not_beside, not_alone = parts.skips(["ToyTests"], [], [], [])
        self.assertEqual((not_waiting, not_beside), (None, None))
        for name in "ToyTests.Suite/a()", "OtherTests.Suite/a()":
            self.assertNotEqual(bool(re.search(not_together, name)), bool(re.search(not_alone, name)))

    def test_the_suites_that_wait_exist_and_run_in_one_part(self):
        targets, _ = parts.read_rule((ROOT / "Tests" / "together.txt").read_text())
        for suite in parts.read_waiting((ROOT / "Tests" / "waiting.txt").read_text(), targets):
            self.assert_exists(suite)

    def test_the_targets_that_run_beside_the_others_exist(self):
        targets, _ = parts.read_rule((ROOT / "Tests" / "together.txt").read_text())
        self.assert_are_targets(parts.read_beside((ROOT / "Tests" / "beside.txt").read_text(), targets))

    def test_what_runs_beside_the_others_is_a_target_that_runs_alone(self):
        self.assertEqual(parts.read_beside("# half\nOtherTests\n", ["ToyTests"]), ["OtherTests"])
        for text in "OtherTests.Suite", "OtherTests: why", "OtherTests\nOtherTests", "ToyTests":
            with self.assertRaises(parts.RuleError):
                parts.read_beside(text, ["ToyTests"])

    def test_all_tests_are_swift_testings(self):
        for file in (ROOT / "Tests").rglob("*.swift"):
            self.assertNotIn("import XCTest\n", file.read_text(), f"{file}: scripts/test starts Swift Testing alone")

    def test_what_waits_for_nothing_is_refused(self):
        for text in "ToyTests", "ToyTests.Wait", "ToyTests.Wait:", "ToyTests.Wait: a\nToyTests.Wait: b", "Toy.Wait: a":
            with self.assertRaises(parts.RuleError):
                parts.read_waiting(text, ["Toy"])

    def test_a_name_is_chosen_exactly(self):
        name = "ToyTests.Suite/`what (is) a+b?`(_:)"
        self.assertRegex(name, parts.exactly(name))
        self.assertRegex(name + "/Suite.swift:1:2", parts.exactly(name))
        self.assertNotRegex(name.replace("a+b", "aab"), parts.exactly(name))
        self.assertNotRegex(name + "/Suite.swift:1:2/more", parts.exactly(name))


class Samples(unittest.TestCase):
    """What tests drew from the long matrices is read strictly: a sample of nothing would be a test of nothing."""

    def notes(self, text):
        with tempfile.TemporaryDirectory() as folder:
            log = pathlib.Path(folder) / "samples.txt"
            if text is not None:
                log.write_text(text)
            return sample.Draw(log, 7).notes()

    def test_what_was_drawn_has_both_numbers_and_a_name(self):
        self.assertEqual(self.notes("3 of 60 kills of the host\n2 of 5 parts\n"),
                         ([("kills of the host", 3, 60), ("parts", 2, 5)], []))
        self.assertEqual(self.notes(None), ([], []))

    def test_what_is_noted_twice_is_one_sample(self):
        self.assertEqual(self.notes("2 of 5 parts\n2 of 5 parts\n"), ([("parts", 2, 5)], []))

    def test_what_is_no_sample_is_a_fault(self):
        for text in "2 of 5", "two of 5 parts", "0 of 5 parts", "6 of 5 parts", "2 of 5 parts\n3 of 5 parts", "\0":
            with self.subTest(text):
                self.assertEqual(len(self.notes(text)[1]), 1)

    def test_a_seed_is_given_or_drawn_and_reaches_the_tests(self):
        log = pathlib.Path("there")
        environment = sample.Draw(log, 7).environment()
        self.assertEqual((environment[sample.SEED], environment[sample.LOG]), ("7", "there"))
        drawn = {sample.Draw(log).seed for _ in range(20)}
        self.assertGreater(len(drawn), 10)
        for seed in drawn:
            self.assertEqual(sample.seed_of(str(seed)), seed)

    def test_without_a_seed_nobody_elses_reaches_the_tests(self):
        with unittest.mock.patch.dict(os.environ, {sample.SEED: "9", sample.LOG: "elsewhere"}):
            environment = sample.Draw(pathlib.Path("there"), whole=True).environment()
        self.assertEqual([name for name in (sample.SEED, sample.LOG) if name in environment], [])
        self.assertIn("PATH", environment)

    def test_what_is_no_seed_is_refused(self):
        for text in "", "x", "-1", "1.5", "²", str(2 ** 32):
            with self.assertRaises(argparse.ArgumentTypeError):
                sample.seed_of(text)


class Reporting(unittest.TestCase):
    def test_samples_are_listed_with_the_seed_that_repeats_them(self):
        self.assertEqual(list(report.sampled(7, [("kills", 3, 60)])),
                         ["sampled: 1 matrices with --seed 7; --whole tries every case", "     3 of   60  kills"])
        self.assertEqual(list(report.sampled(None, [])), ["sampled: nothing, every case was tried"])

    def test_the_last_line_is_the_verdict(self):
        passes = [stream.judge(recorded("passed"), 0), stream.judge(recorded("failed"), 1)]
        found = verdict.decide(passes, {}, strict=False)
        lines = list(report.last_lines(passes, found, {}, {}, "there"))
        self.assertTrue(lines[-1].startswith("test: FAILED: "), lines[-1])
        self.assertIn(f"test: error: failed: {FAILS}", lines)
        self.assertIn("  needs what no machine has", lines)

    def test_an_unstable_test_is_named_with_its_outputs_and_what_is_known(self):
        passes = [stream.judge(recorded("failed"), 1)]
        found = verdict.Verdict([], [], [FAILS], strict=False)
        lines = list(report.last_lines(passes, found, {FAILS: ("2026-11-23", "slow")}, {FAILS: "there"}, "here"))
        self.assertIn(f"unstable: {FAILS}", lines)
        self.assertIn("  failed, then passed alone; both outputs: there", lines)
        self.assertIn("  known since 2026-11-23: slow", lines)

    def test_the_twenty_slowest_are_listed(self):
        part = stream.Pass()
        part.seconds = {f"ToyTests.a{number}()": number for number in range(30)}
        lines = list(report.slowest([part]))
        self.assertEqual((len(lines), lines[1].split()), (21, ["29.0", "ToyTests.a29()"]))
        self.assertEqual(lines[0], "the 20 slowest of the 30 that ran one after the other:")

    def test_each_part_has_its_time(self):
        lines = list(report.slowest([stream.judge(recorded("passed"), 0)]))
        self.assertRegex(lines[0], r"^3 tests ran one after the other, in \d+\.\d seconds$")

    def test_times_of_tests_that_ran_together_are_none(self):
        part = stream.judge(recorded("passed"), 0, together=True)
        self.assertEqual(part.seconds, {})
        lines = list(report.slowest([part]))
        self.assertEqual(len(lines), 1)
        self.assertRegex(lines[0], "^3 tests ran at the same time, in 0.0 seconds")


if __name__ == "__main__":
    unittest.main()
