# SPDX-License-Identifier: Apache-2.0
"""Tests scripts/test as a whole, against a `swift` and a program of tests that play event streams of Recorded/.

  python3 Tests/Runner/whole_run_test.py
"""
import os
import pathlib
import re
import subprocess
import sys
import tempfile
import unittest
import unittest.mock

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parent.parent
sys.path.insert(0, str(HERE))
sys.dont_write_bytecode = True
import sample  # noqa: E402

FAILS = "ToyTests.Suite/`a test fails`()"


class WholeRuns(unittest.TestCase):
    """scripts/test itself, with a `swift` that builds a program, which plays what was recorded."""

    def run_with(self, together, alone, again=None, *arguments, waiting=("passed", 0), beside=("passed", 0), programs=1,
                 kept=()):
        """Each part is `(recording or None, exit status)`, or a command of the shell."""
        with tempfile.TemporaryDirectory() as name:
            folder = pathlib.Path(name)
            plays = {"again-*/second": again or ("empty", 1), "together": together, "waiting": waiting,
                     "beside": beside, "alone": alone}
            cases = "\n".join(f"*/{part}.jsonl) {self.play(play)} ;;" for part, play in plays.items())
            self.write_program(folder / "swift", f"case \"$*\" in *--show-bin-path*) echo {folder} ;; esac\n")
            for number in range(programs):
                self.write_program(
                    folder / f"Toy{number}PackageTests.xctest",
                    "while [ $# -gt 0 ]; do case \"$1\" in --event-stream-output-path) events=$2 ;; esac; shift; done\n"
                    f"case \"$events\" in\n{cases}\nesac\n")
            for name in kept:
                (folder / "runs" / name).mkdir(parents=True)
            environment = {**os.environ, "PATH": f"{folder}:{os.environ['PATH']}", "TEST_RUNS": f"{folder}/runs"}
            done = subprocess.run([ROOT / "scripts" / "test", *arguments], env=environment, text=True,
                                  stdout=subprocess.PIPE, stderr=subprocess.STDOUT, timeout=300)
            self.runs = sorted(run.name for run in folder.glob("runs/*"))
            return done.returncode, done.stdout

    def write_program(self, file, text):
        file.write_text(f"#!/usr/bin/env bash\n{text}")
        file.chmod(0o755)

    def play(self, part):
        if isinstance(part, str):
            return part
        recording, status = part
        copy = f'cp "{HERE}/Recorded/{recording}.jsonl" "$events"; ' if recording else ""
        return f"{copy}exit {status}"

    def test_all_passes(self):
        status, output = self.run_with(("passed", 0), ("passed", 0))
        self.assertEqual(status, 0, output)
        self.assertIn("test: passed: ", output)

    def test_unstable(self):
        parts_of_run = ("passed", 0), ("failed", 1), ("again", 0)
        status, output = self.run_with(*parts_of_run)
        self.assertEqual(status, 0, output)
        self.assertIn(f"\nunstable: {FAILS}\n", output)
        self.assertEqual(self.run_with(*parts_of_run, "--strict")[0], 1)

    def test_failed_twice(self):
        self.assertEqual(self.run_with(("passed", 0), ("failed", 1), ("failed", 1))[0], 1)

    def test_red_in_either_part_is_red(self):
        for bad in [("crashed", 1), ("crashed", 0), (None, 0), (None, 1), ("empty", 0), ("passed", 1), ("failed", 0),
                    'echo "no stream" >"$events"; exit 0', "kill -SEGV $$"]:
            with self.subTest(bad):
                self.assertEqual(self.run_with(bad, ("passed", 0))[0], 1)
                self.assertEqual(self.run_with(("passed", 0), ("passed", 0), waiting=bad)[0], 1)
                self.assertEqual(self.run_with(("passed", 0), ("passed", 0), beside=bad)[0], 1)
                self.assertEqual(self.run_with(("passed", 0), bad)[0], 1)

    def test_time_is_up(self):
        copy = f'cp "{HERE}/Recorded/passed.jsonl" "$events"; exec sleep 300'
        status, output = self.run_with(("passed", 0), copy, None, "--minutes", "0.02")
        self.assertEqual(status, 1)
        self.assertIn("the time was up", output)

    def test_the_last_two_parts_run_at_the_same_time(self):
        alone, beside = (f'f=$(dirname "$events"); [ -p "$f/meet" ] || mkfifo "$f/meet" 2>/dev/null; {act} "$f/meet"; '
                         + self.play(("passed", 0)) for act in ("echo >", "cat <"))
        status, output = self.run_with(("passed", 0), alone, beside=beside)
        self.assertEqual(status, 0, output)

    def test_lines_of_two_processes_stay_whole(self):
        play = 'for n in $(seq 200); do printf %s "begin $n"; printf " %s\\n" end; done; ' + self.play(("passed", 0))
        output = self.run_with(("passed", 0), play, beside=play)[1]
        lines = [line for line in output.splitlines() if line.startswith("begin ") or line.endswith(" end")]
        self.assertEqual(sorted(lines), sorted(f"begin {number} end" for number in range(1, 201) for _ in "ab"))

    def test_without_one_program_of_tests_the_run_is_red(self):
        for programs in 0, 2:
            status, output = self.run_with(("passed", 0), ("passed", 0), programs=programs)
            self.assertEqual(status, 1)
            self.assertIn(f"test: error: there are {programs} programs of tests in", output)

    def test_a_process_that_was_to_run_no_test_has_a_status_of_its_own(self):
        chosen = "--filter", "Suite"
        self.assertEqual(self.run_with(("passed", 0), ("empty", 69), None, *chosen)[0], 0)
        self.assertEqual(self.run_with(("passed", 0), ("empty", 69))[0], 1)

    def test_ten_runs_are_kept_and_nobody_elses_folder_goes(self):
        old = [f"2020-01-{day:02}-000000" for day in range(1, 13)]
        self.run_with(("passed", 0), ("passed", 0), kept=[*old, "0-mine", "mine"])
        self.assertEqual(self.runs[:11], ["0-mine", *old[3:], self.runs[10]])
        self.assertEqual((self.runs[11:], len(self.runs)), (["mine"], 12))

    NOTING = 'echo "$TEST_SAMPLE_SEED" >>"$(dirname "$0")/seeds"; echo "2 of 5 parts" >>"$TEST_SAMPLE_LOG"; '

    def test_one_seed_goes_through_the_whole_run_and_is_named(self):
        play = self.NOTING + self.play(("failed", 1))
        tell = self.NOTING + 'cat "$(dirname "$0")/seeds"; ' + self.play(("again", 0))
        status, output = self.run_with(self.NOTING + self.play(("passed", 0)), play, tell, "--seed", "42")
        self.assertEqual(status, 0, output)
        self.assertEqual(output.splitlines().count("42"), 3, output)
        self.assertIn("\nsampled: 1 matrices with --seed 42; --whole tries every case\n     2 of    5  parts\n", output)

    def test_each_run_draws_another_seed(self):
        seeds = [re.search(r"with --seed (\d+);", self.run_with(("passed", 0), ("passed", 0))[1]).group(1)
                 for _ in range(3)]
        self.assertGreater(len(set(seeds)), 1)

    def test_a_whole_run_has_no_seed(self):
        play = 'echo "seed: ${TEST_SAMPLE_SEED-none} ${TEST_SAMPLE_LOG-none}"; ' + self.play(("passed", 0))
        with unittest.mock.patch.dict(os.environ, {sample.SEED: "9"}):
            status, output = self.run_with(play, ("passed", 0), None, "--whole")
        self.assertEqual(status, 0, output)
        self.assertIn("\nseed: none none\n", "\n" + output)
        self.assertIn("\nsampled: nothing, every case was tried\n", output)

    def test_a_sample_that_cannot_be_read_is_red(self):
        play = 'echo "0 of 5 parts" >>"$TEST_SAMPLE_LOG"; ' + self.play(("passed", 0))
        status, output = self.run_with(("passed", 0), play)
        self.assertEqual(status, 1, output)
        self.assertIn("is no sample", output)

    def test_what_is_no_seed_is_wrong_usage(self):
        for arguments in ("--seed", "x"), ("--seed", "1", "--whole"):
            self.assertEqual(self.run_with(("passed", 0), ("passed", 0), None, *arguments)[0], 2)

    def test_nothing_chosen(self):
        self.assertEqual(self.run_with(("empty", 0), ("empty", 0), ("empty", 0), "--skip", "Everything",
                                       waiting=("empty", 0), beside=("empty", 0))[0], 1)


if __name__ == "__main__":
    unittest.main()
