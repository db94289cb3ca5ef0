# SPDX-License-Identifier: Apache-2.0
"""The walk of one push, as push-walk.txt writes it down: it is read, held against the sources, and counted.

The file itself says what a step, a visit and a there-and-back are.
"""
import dataclasses
import re

import swift

LEGS = {
    "in": "ingress in",
    "queue": "queue and journal in",
    "answer": "answer out",
    "extend": "decide, open, extend",
    "deliver": "deliver and forget",
}
HOWS = ("call", "await", "callback", "event", "return")
# The two kinds of there-and-back.
AT_WORK, AGAIN = "while it is at work", "once more"


class Broken(Exception):
    """What is wrong with the walk, one line each."""


@dataclasses.dataclass
class Step:
    line: int
    leg: str
    how: str
    file: str
    function: str
    does: str = ""

    @property
    def name(self):
        return self.file.split("/")[-1]


@dataclasses.dataclass
class Frame:
    """A file that is at work; frames of one `call` run within each other, on one thread."""
    file: str
    call: int
    waits: bool
    last_called: str = ""


def parse(text):
    """The paths that are left aside, as (line, path), and the steps; throws `Broken` for lines of another form."""
    asides, steps, wrong = [], [], []
    for number, line in enumerate(text.split("\n"), 1):
        fields = [field.strip() for field in line.split("|")]
        if not line.strip() or line.startswith("#"):
            continue
        if fields[0] == "aside" and len(fields) == 3 and all(fields):
            asides.append((number, fields[1]))
        elif len(fields) in (4, 5) and all(fields) and fields[0] in LEGS and fields[1] in HOWS:
            steps.append(Step(number, *fields))
        else:
            wrong.append(f"{number}: neither `leg | how | file | function | what it does` nor `aside | path | why`")
    if wrong:
        raise Broken("\n".join(wrong))
    return asides, steps


# MARK: Against the sources

def declares(code, function):
    """True if blanked code declares the function or property, in the type or its extensions if one is named."""
    owner, _, name = function.rpartition(".")
    bodies = [code] if not owner else [body for kind, full, body in swift.declarations(code)
                                       if full.split(".")[-1] == owner and kind != "typealias"]
    if name == "init":
        pattern = r"\binit\b\s*[?(<]"
    elif name.startswith("var "):
        pattern = rf"\b(?:var|let)\s+{re.escape(name[4:])}\b"
    else:
        pattern = rf"\bfunc\s+{re.escape(name)}\b"
    return any(re.search(pattern, body) for body in bodies)


def mentions(code, function):
    """True if blanked code names the function elsewhere than where it declares one of this name, or labels with it."""
    owner, _, name = function.rpartition(".")
    if name == "init":
        return re.search(rf"\b{re.escape(owner)}\s*(?:\(|\.init\b)", code) is not None
    name = re.escape(name.removeprefix("var "))
    return re.search(rf"(?<!func )(?<!var )(?<!let )\b{name}\b(?!\s*:)", code) is not None


def faults(asides, steps, code):
    """What is not so, each with its line; `code` maps paths below Sources to blanked code."""
    for number, path in asides:
        if not any(file == path or file.startswith(f"{path}/") for file in code):
            yield f"{number}: nothing is at {path}"
    for step in steps:
        if step.file not in code:
            yield f"{step.line}: no file Sources/{step.file}"
        elif not declares(code[step.file], step.function):
            yield f"{step.line}: {step.file} has no {step.function}"
        if any(step.file == path or step.file.startswith(f"{path}/") for _, path in asides):
            yield f"{step.line}: {step.file} is left aside"
    for before, step in zip(steps, steps[1:]):
        if step.how in ("call", "await") and before.file in code and not mentions(code[before.file], step.function):
            yield f"{step.line}: {before.file} does not name {step.function}, which it is to call"


# MARK: What is counted

def follow(steps):
    """Yields each step that is a there-and-back, with why; throws `Broken` where no call leads to a step."""
    frames, call = [], 0
    for step in steps:
        if step.how == "event":
            while frames and not frames[-1].waits:
                frames.pop()
            call += 1
            frames.append(Frame(step.file, call, False))
            continue
        if not frames or (step.how != "return" and frames[-1].file == step.file):
            raise Broken(f"{step.line}: a {step.how} comes from another file")
        if step.how == "return":
            place = next((at for at in reversed(range(len(frames) - 1)) if frames[at].file == step.file), None)
            if place is None:
                raise Broken(f"{step.line}: nothing returns into {step.file}, which has called nothing")
            del frames[place + 1:]
            continue
        caller = frames[-1]
        if any(frame.file == step.file and frame.call == caller.call for frame in frames):
            yield step, f"{AT_WORK}, by {caller.file.split('/')[-1]}"
        elif caller.last_called == step.file and step.how != "callback":
            yield step, f"{AGAIN}, by {caller.file.split('/')[-1]}"
        caller.last_called = step.file
        frames.append(Frame(step.file, caller.call, step.how == "await"))


def read(text, code):
    """The steps of a walk that agrees with the sources, and those that are a there-and-back; throws `Broken`."""
    asides, steps = parse(text)
    wrong = list(faults(asides, steps, code))
    if wrong:
        raise Broken("\n".join(wrong))
    return steps, list(follow(steps))
