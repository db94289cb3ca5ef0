# SPDX-License-Identifier: Apache-2.0
"""The last lines of a run, for a person: the slowest tests, what was skipped, what failed and what is unstable."""
import datetime

SLOWEST = 20
MOST_LINES_OF_ISSUE = 6


def slowest(passes):
    for part in passes:
        if part.ended:
            how = "at the same time" if part.together else "one after the other"
            yield f"{len(part.ended)} tests ran {how}, in {part.whole:.1f} seconds"
    seconds = sorted(((taken, name) for part in passes for name, taken in part.seconds.items()), reverse=True)
    if seconds:
        yield f"the {min(SLOWEST, len(seconds))} slowest of the {len(seconds)} that ran one after the other:"
    for taken, name in seconds[:SLOWEST]:
        yield f"  {taken:7.1f}  {name}"


def skipped(passes):
    by_reason = {}
    for part in passes:
        for name, reason in part.skipped.items():
            by_reason.setdefault(reason, []).append(name)
    count = sum(map(len, by_reason.values()))
    yield f"skipped: {count} tests" + (", because:" if count else "")
    for reason, names in sorted(by_reason.items()):
        yield f"  {reason}"
        yield from (f"    {name}" for name in sorted(names))


def issues(passes, names):
    for part in passes:
        for name in names:
            for text in part.failed.get(name, []):
                lines = text.splitlines()
                yield from (f"    {line[:400]}" for line in lines[:MOST_LINES_OF_ISSUE])


def failures(passes, verdict):
    for fault in verdict.faults:
        yield f"test: error: {fault}"
    for name in verdict.failed:
        yield f"test: error: failed: {name}"
        yield from issues(passes, [name])
    if verdict.failed:
        yield "test: hint: one test alone: scripts/test --skip-build --filter 'part of its name'"


def unstable(verdict, listed, kept):
    """What passed only the second time; `kept` is where both outputs of each lie, by its name."""
    for name in verdict.unstable:
        yield f"unstable: {name}"
        yield f"  failed, then passed alone; both outputs: {kept[name]}"
        if name in listed:
            yield "  known since {}: {}".format(*listed[name])
        else:
            yield f"  new; for Tests/unstable.txt: {datetime.date.today()} | {name} | why"
    if verdict.unstable and verdict.strict:
        yield "test: error: an unstable test is a fault of the product or of the test, and --strict accepts none"


def sampled(seed, samples):
    """What was drawn from the long matrices, each `(name, cases, of how many)`; without a seed all of each."""
    if seed is None:
        yield "sampled: nothing, every case was tried"
        return
    yield f"sampled: {len(samples)} matrices with --seed {seed}; --whole tries every case"
    yield from (f"  {cases:4} of {most:4}  {name}" for name, cases, most in samples)


def last_lines(passes, verdict, listed, kept, folder, seed=None, samples=()):
    """All of it; the verdict is the last line."""
    yield from slowest(passes)
    yield from skipped(passes)
    yield from sampled(seed, samples)
    yield from failures(passes, verdict)
    yield from unstable(verdict, listed, kept)
    ended = sum(len(part.ended) for part in passes)
    yield f"test: everything that was written: {folder}"
    counts = f"{ended} tests ran, {len(verdict.failed)} failed twice or for good, {len(verdict.unstable)} unstable"
    yield f"test: {'FAILED' if verdict.status else 'passed'}: {counts}, {len(verdict.faults)} faults of the run"
