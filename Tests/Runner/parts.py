# SPDX-License-Identifier: Apache-2.0
"""The rules that say which tests run at the same time: Tests/together.txt, Tests/waiting.txt and Tests/beside.txt."""
import re

LINE = re.compile(r"(\w+)(?:\.(\w+): (\S.*))?")
WAITING = re.compile(r"(\w+\.\w+): (\S.*)")


TARGET = re.compile(r"\w+")


class RuleError(Exception):
    """A line of one of the three files that names nothing or is no rule."""


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


def read_waiting(text, targets):
    """The suites, as `Target.Suite`, that run a few at a time; `targets` are those that run together as a whole."""
    suites = []
    for number, line in enumerate(text.splitlines(), 1):
        if not line.strip() or line.startswith("#"):
            continue
        match = WAITING.fullmatch(line.rstrip())
        if not match:
            raise RuleError(f"Tests/waiting.txt:{number}: it is not \"Target.Suite: what it waits for\"")
        if match.group(1) in suites or match.group(1).split(".")[0] in targets:
            raise RuleError(f"Tests/waiting.txt:{number}: {match.group(1)} stands here twice, or in Tests/together.txt")
        suites.append(match.group(1))
    return suites


def read_beside(text, targets):
    """The targets that run in a process beside the others'; `targets` are those that run together as a whole."""
    beside = []
    for number, line in enumerate(text.splitlines(), 1):
        if not line.strip() or line.startswith("#"):
            continue
        target = line.rstrip()
        if not TARGET.fullmatch(target):
            raise RuleError(f"Tests/beside.txt:{number}: it is not \"Target\"")
        if target in beside or target in targets:
            raise RuleError(f"Tests/beside.txt:{number}: {target} stands here twice, or in Tests/together.txt")
        beside.append(target)
    return beside


def selection(targets, suites):
    """A regular expression of what begins the names of the tests that run together."""
    alone = "".join(f"(?!{re.escape(suite)}(?:/|$))" for suite in suites)
    return alone + "(?:" + "|".join(targets) + r")(?:\.|$)"


def skips(targets, suites, waiting, beside):
    """What to hand to --skip for the four parts: together, waiting, beside and alone; `None` for a part without a rule.

    A suite that waits is in that part whatever its target is in.
    """
    chosen = {"together": selection(targets, suites)}
    if waiting:
        chosen["waiting"] = "(?:" + "|".join(re.escape(suite) for suite in waiting) + ")(?:/|$)"
    if beside:
        chosen["beside"] = f"(?!{chosen['waiting']})" if waiting else ""
        chosen["beside"] += "(?:" + "|".join(beside) + r")(?:\.|$)"
    others = {part: f"^(?!{names})" for part, names in chosen.items()}
    return (others["together"], others.get("waiting"), others.get("beside"), "^(?:" + "|".join(chosen.values()) + ")")


def exactly(name):
    """A regular expression for --filter that only the test with this name matches."""
    return "^" + re.sub(r"([.^$|()\[\]{}*+?\\])", r"\\\1", name) + "(?:/[^/]+:[0-9]+:[0-9]+)?$"
