# SPDX-License-Identifier: Apache-2.0
"""Reads what Swift Testing wrote with --event-stream-output-path, and judges the process that wrote it.

A fault is whatever makes the run worthless as evidence: the process crashed or was killed, wrote something that cannot
be read, left a test without an end, or ran none. Faults are never tried again.
"""
import json
import re

LOCATION = re.compile(r"/[^/]+\.swift:\d+:\d+$")
REASON = re.compile(r'skipped: "(.*)"\s*$', re.DOTALL)
MOST_NAMES = 5
# What Swift Testing writes for people begins with one of these, and a further line of an issue with blanks.
OF_TESTING = ("◇", "✔", "✘", "↳", "➜", "⚠", " ")
# The thread that crashed in what Swift writes of a crash, and a frame of it whose source is known.
CRASHED = re.compile(r'^Thread .*crashed:$')
FRAME = re.compile(r"^ *\d+ .*?0x[0-9a-f]+ (.* in .* at .*)$")
MOST_FRAMES = 8
MOST_LAST_WORDS = 4


def name_of(test_id):
    """The name of a test without its place in a file: `Target.Suite/function()`."""
    return LOCATION.sub("", test_id)


class Pass:
    """One process of tests, judged: what ended, failed and was skipped, and the faults of the process itself."""

    def __init__(self):
        self.planned = set()
        self.ended = set()
        self.failed = {}  # name: messages of its issues
        self.skipped = {}  # name: reason
        self.seconds = {}  # name: seconds from start to end
        self.whole = 0.0  # seconds from the beginning of the run to its end
        self.together = False
        self.faults = []

    @property
    def left_open(self):
        return sorted(self.planned - self.ended - set(self.skipped) - set(self.failed))


class Reader:
    """Collects the records of one stream, in their order."""

    def __init__(self):
        self.result = Pass()
        self.suites = set()
        self.started = {}
        self.run_started = self.run_ended = False

    def take(self, record):
        payload = record["payload"]
        if record["kind"] == "test":
            names = self.result.planned if payload["kind"] == "function" else self.suites
            names.add(name_of(payload["id"]))
        elif record["kind"] == "event":
            self.take_event(payload)

    def take_event(self, event):
        kind = event["kind"]
        name = name_of(event["testID"]) if "testID" in event else None
        if kind == "runStarted":
            self.run_started = True
            self.result.whole = -event["instant"]["absolute"]
        elif kind == "runEnded":
            self.run_ended = True
            self.result.whole += event["instant"]["absolute"]
        elif kind == "testStarted":
            self.started[name] = event["instant"]["absolute"]
        elif kind == "testEnded" and name in self.result.planned:
            self.result.ended.add(name)
            self.result.seconds[name] = event["instant"]["absolute"] - self.started[name]
        elif kind == "testSkipped" and name in self.result.planned:
            reason = REASON.search(texts(event))
            self.result.skipped[name] = reason.group(1) if reason else "no reason given"
        elif kind == "issueRecorded":
            self.take_issue(name, event)

    def take_issue(self, name, event):
        issue = event["issue"]
        if not issue.get("isFailure", not issue["isKnown"]):
            return
        if name in self.result.planned:
            self.result.failed.setdefault(name, []).append(texts(event))
        else:
            self.result.faults.append(f"an issue outside of every test, in {name or 'no suite'}: {texts(event)}")

    @property
    def under_way(self):
        return sorted((set(self.started) & self.result.planned) - self.result.ended)


def texts(event):
    return "\n".join(message["text"] for message in event["messages"])


def some(names):
    """The first few names, for a message of one line."""
    names = list(names)
    rest = len(names) - MOST_NAMES
    return ", ".join(names[:MOST_NAMES]) + (f" and {rest} more" if rest > 0 else "")


def last_words(output):
    """What a process wrote of its own death: its last errors, or last lines, and where the crashed thread was."""
    lines = output.split("\n")
    crash = next((place for place, line in enumerate(lines) if CRASHED.match(line)), len(lines))
    own = [line for line in lines[:crash] if line.strip() and not line.startswith((*OF_TESTING, "*** ", "Thread "))]
    words = [line for line in own if "error:" in line] or own
    thread = lines[crash + 1:]
    thread = thread[:next((place for place, line in enumerate(thread) if line.startswith("Thread ")), len(thread))]
    frames = [match[1] for match in map(FRAME.match, thread) if match]
    return words[-MOST_LAST_WORDS:] + frames[:MOST_FRAMES]


def judge(stream, status, timed_out=False, may_be_empty=False, together=False, output=""):
    """Judges one process: `stream` is the text that it wrote or `None`, `status` what it ended with, `output` what it
    wrote for people.

    `may_be_empty` is for a part of a run of which the caller chose the tests; such a run asks for at least one in all.
    Of tests that run `together` no time is known: all of them start before the first has a processor.
    """
    reader = Reader()
    result = reader.result
    result.together = together
    # An argument may hold what `splitlines` takes for the end of a line, such as U+2028.
    lines = stream.removesuffix("\n").split("\n") if stream else []
    for number, line in enumerate(lines, 1):
        try:
            reader.take(json.loads(line))
        except (ValueError, KeyError, TypeError, AttributeError) as error:
            result.faults.append(f"line {number} of the event stream cannot be read: {type(error).__name__} {error}")
            break
    if together:
        result.seconds.clear()
    if timed_out:
        result.faults.append("the time was up; under way: " + (some(reader.under_way) or "no test"))
    elif status < 0 or status > 128:
        words = "".join(f"\n    {line[:400]}" for line in last_words(output))
        result.faults.append(f"the process ended by signal {-status if status < 0 else status - 128}"
                             + (f"; it wrote last:{words}" if words else ""))
    nothing_chosen = may_be_empty and status == 0 and not result.planned and not result.faults
    if nothing_chosen:
        return result
    if not stream:
        result.faults.append("there is no event stream: no test was run")
    elif not reader.run_started:
        result.faults.append("the run never began")
    elif not reader.run_ended and not timed_out:
        result.faults.append("the test process ended before the tests; under way: " + (some(reader.under_way) or "none"))
    elif result.left_open and not timed_out:
        result.faults.append("neither ended nor skipped: " + some(result.left_open))
    if reader.run_ended and not result.ended and not result.failed:
        result.faults.append("no test was run")
    if status != 0 and not result.failed and not result.faults:
        result.faults.append(f"the process ended with status {status}, and no test failed")
    if status == 0 and result.failed:
        result.faults.append("the process ended with status 0, although tests failed: " + some(sorted(result.failed)))
    return result
