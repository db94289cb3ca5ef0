# SPDX-License-Identifier: Apache-2.0
"""The rule that says which tests run at the same time: Tests/together.txt."""
import re

LINE = re.compile(r"(\w+)(?:\.(\w+): (\S.*))?")


class RuleError(Exception):
    """A line of Tests/together.txt that names nothing or is no rule."""


def read_rule(text):
    """The targets whose tests run together, and the suites of them, as `Target.Suite`, that run alone nevertheless."""
    targets, suites = [], []
    for number, line in enumerate(text.splitlines(), 1):
        if not line.strip() or line.startswith("#"):
            continue
        match = LINE.fullmatch(line.rstrip())
        if not match:
            raise RuleError(f"Tests/together.txt:{number}: neither \"Target\" nor \"Target.Suite: why it runs alone\"")
        target, suite, _ = match.groups()
        if suite and target not in targets:
            raise RuleError(f"Tests/together.txt:{number}: {target} is not in the list above, so its suites run alone")
        if suite:
            suites.append(f"{target}.{suite}")
        else:
            targets.append(target)
    return targets, suites


def selection(targets, suites):
    """A regular expression of what begins the names of the tests that run together."""
    alone = "".join(f"(?!{re.escape(suite)}(?:/|$))" for suite in suites)
    return alone + "(?:" + "|".join(targets) + r")(?:\.|$)"


def skips(targets, suites):
    """What to hand to --skip for the two parts: for the tests that run together, and for those that run alone."""
    chosen = selection(targets, suites)
    return f"^(?!{chosen})", f"^{chosen}"


def exactly(name):
    """A regular expression for --filter that only the test with this name matches."""
    return "^" + re.sub(r"([.^$|()\[\]{}*+?\\])", r"\\\1", name) + "(?:/[^/]+:[0-9]+:[0-9]+)?$"
