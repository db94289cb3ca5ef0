# SPDX-License-Identifier: Apache-2.0
"""Decides what a run is worth, from its passes and from the second runs of what failed."""
import dataclasses
import datetime
import re

# More failures than this are no chance: they are not run again, and the run fails.
MOST_SECOND_RUNS = 10
ENTRY = re.compile(r"(\d{4}-\d\d-\d\d) \| (\S.*?) \| (\S.*)")


class ListError(Exception):
    """A line of Tests/unstable.txt that is no entry."""


def read_list(text):
    """The entries of Tests/unstable.txt by name: `date | test | why`, one a line; `#` begins a comment."""
    entries = {}
    for number, line in enumerate(text.splitlines(), 1):
        if not line.strip() or line.startswith("#"):
            continue
        match = ENTRY.fullmatch(line.rstrip())
        try:
            if not match:
                raise ValueError("it is not \"date | test | why\"")
            datetime.date.fromisoformat(match.group(1))
        except ValueError as error:
            raise ListError(f"Tests/unstable.txt:{number}: {error}") from error
        if match.group(2) in entries:
            raise ListError(f"Tests/unstable.txt:{number}: \"{match.group(2)}\" stands there twice")
        entries[match.group(2)] = match.group(1), match.group(3)
    return entries


@dataclasses.dataclass
class Verdict:
    faults: list
    failed: list
    unstable: list
    strict: bool

    @property
    def status(self):
        return 1 if self.faults or self.failed or (self.strict and self.unstable) else 0


def to_run_again(passes):
    """The tests that deserve a second run, alone: those that failed, unless the run is red whatever they do."""
    failed = [name for part in passes for name in part.failed]
    return [] if any(part.faults for part in passes) or len(failed) > MOST_SECOND_RUNS else failed


def passed(name, second):
    """Whether the second run, a pass of its own, is proof that the test can pass: it ran, ended and recorded nothing."""
    return second is not None and not second.faults and name in second.ended and name not in second.failed


def decide(passes, second_runs, strict):
    """The verdict on all passes; `second_runs` holds the pass of a second run by the name of the test."""
    faults = [fault for part in passes for fault in part.faults]
    if not any(part.ended or part.failed for part in passes):
        faults.append("no test was run")
    names = [name for part in passes for name in part.failed]
    unstable = [name for name in names if passed(name, second_runs.get(name))]
    return Verdict(faults, [name for name in names if name not in unstable], unstable, strict)
