# SPDX-License-Identifier: Apache-2.0
"""The suite's table: a row for each attack, with what was sent, what became of good pushes, and memory."""

import sys

HEADINGS = ("attack", "sent", "good pushes", "memory, MB", "verdict")
WIDTHS = (44, 30, 13, 16, 0)


class Table:
    """Prints a row as soon as its attack is over, and counts the rows that do not hold."""

    def __init__(self):
        self.failures = 0
        self.rows = 0

    def heading(self, part, remark):
        print(f"\n{part}: {remark}", flush=True)
        self._print(HEADINGS)

    def row(self, attack, sent, good="-", memory="-", faults=()):
        """`faults` are sentences; none means that the host held."""
        self.rows += 1
        self.failures += bool(faults)
        self._print((attack, sent, good, memory, "holds" if not faults else "BROKEN: " + "; ".join(faults)))

    def _print(self, cells):
        print("  " + "  ".join(f"{cell:{width}}" for cell, width in zip(cells, WIDTHS)), flush=True)


def fail(what, hint):
    """Ends the suite: what it needs is not there."""
    print(f"attack: error: {what}", file=sys.stderr)
    print(f"attack: hint: {hint}", file=sys.stderr)
    sys.exit(2)
