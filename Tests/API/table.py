# SPDX-License-Identifier: Apache-2.0
"""The table: a row for each thing that was asked, with the answers that came and the verdict."""

WIDTHS = (46, 40)


class Table:
    """Prints a row as soon as it is known, and counts those that do not hold."""

    def __init__(self):
        self.rows = self.failures = 0
        self.quoted = ""

    def heading(self, part, remark):
        print(f"\n{part}: {remark}", flush=True)

    def row(self, what, answers, faults=()):
        """`faults` are sentences; none means that document and program agree."""
        self.rows += 1
        self.failures += bool(faults)
        verdict = "holds" if not faults else "DIFFERS: " + "; ".join(faults[:4])
        print(f"  {what:{WIDTHS[0]}}  {answers:{WIDTHS[1]}}  {verdict}", flush=True)

    def quote(self, text):
        """Keeps what another program said about its failures, to be printed below the table."""
        start = text.find("= ERRORS =")
        start = start if start >= 0 else text.find("= FAILURES =")
        self.quoted = text[start:] if start >= 0 else text[-4000:]
