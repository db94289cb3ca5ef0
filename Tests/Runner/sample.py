# SPDX-License-Identifier: Apache-2.0
"""What a run draws from the long matrices (Tests/Support/Sampling): its seed, and what the tests noted about it."""
import argparse
import os
import re
import secrets

SEED = "TEST_SAMPLE_SEED"
LOG = "TEST_SAMPLE_LOG"
LARGEST = 2 ** 32 - 1
LINE = re.compile(r"(\d+) of (\d+) (\S.*)")


def seed_of(text):
    """A seed as somebody types it, for argparse."""
    if not text.isascii() or not text.isdigit() or int(text) > LARGEST:
        raise argparse.ArgumentTypeError(f"a seed is a number up to {LARGEST}")
    return int(text)


class Draw:
    """The seed of one run, or `None` where every case is tried, and the file in which tests note what they drew."""

    def __init__(self, log, seed=None, whole=False):
        self.log = log
        self.seed = None if whole else secrets.randbelow(LARGEST + 1) if seed is None else seed

    def environment(self):
        """That of the tests; without a seed also nobody else's reaches them."""
        whole = {name: value for name, value in os.environ.items() if name not in (SEED, LOG)}
        return whole if self.seed is None else {**whole, SEED: str(self.seed), LOG: str(self.log)}

    def notes(self):
        """What was drawn, `(name, cases, of how many)` each once, and the faults of what was noted."""
        text = self.log.read_text(errors="replace") if self.log.exists() else ""
        found, faults = {}, []
        for number, line in enumerate(text.splitlines(), 1):
            match = LINE.fullmatch(line)
            if not match:
                faults.append(f"line {number} of {self.log} cannot be read: {line[:80]!r}")
                continue
            cases, most, name = int(match.group(1)), int(match.group(2)), match.group(3)
            if not 0 < cases <= most or found.setdefault(name, (cases, most)) != (cases, most):
                faults.append(f"line {number} of {self.log} is no sample, or another than before: {line[:80]!r}")
        return [(name, *numbers) for name, numbers in sorted(found.items())], faults
