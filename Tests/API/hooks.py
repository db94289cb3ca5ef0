# SPDX-License-Identifier: Apache-2.0
"""What schemathesis loads: names that exist in place of made up ones, a token that lasts, and a check of bounds.

The centre keeps 64 tokens of an owner, so that the token of these requests is made anew now and then. The environment
has NESTBOX_API_SOCKET, the path of http.sock, and NESTBOX_API_SEEN, a file that gets a line for each answer.
"""

import os
import re
import sys

sys.dont_write_bytecode = True
sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))

import schemathesis  # noqa: E402
from center import APPS, Owner  # noqa: E402

SCOPES = ("read", "respond", "settings", "position", "admin", *(f"app:{topic}" for topic in APPS))
# What no schema says: the kind of text that a value must be, what two values have to do with each other, and bytes.
BEYOND_SCHEMAS = re.compile(
    r'"(zone|language)" is none of the words|comes twice|names one thing twice|are the same minute'
    r'|has \d+ bytes, (none or )?more than it may|NUL character|too many combining marks|nested deeper'
    r'|"[a-z.]*payload" is nested|must be a text of 1 to 64 bytes|is no time: write|duplicate key'
    r'|goes with read and respond alone|"number" must be the number|number out of range'
)
TOKENS_PER_REQUESTS = 40

owner = Owner(os.environ["NESTBOX_API_SOCKET"])
seen = open(os.environ["NESTBOX_API_SEEN"], "a", encoding="utf-8", buffering=1)  # noqa: SIM115 (open to the end)


class State:
    """Numbers that go round, so that one seed makes one run."""

    requests = 0
    token = None
    surface = None


def is_negative(case):
    return case.meta is not None and case.meta.generation.mode.is_negative


def choose(items, name="id"):
    return items[State.requests % len(items)][name] if items else None


def existing(label, case):
    """The parts of a path that exist; a name is left as it was made up in one of four requests."""
    parts = dict(case.path_parameters or {})
    path = label.split(" ", 1)[1]
    if "topic" in parts:
        parts["topic"] = APPS[State.requests % len(APPS)]
    if State.requests % 4 == 0:
        return parts
    found = None
    if "stack" in parts:
        parts["stack"] = choose(owner.ask("GET", "/v1/front").object["stacks"]) or parts["stack"]
    elif "place" in parts:
        with_files = [item for item in owner.items("/v1/notifications") if item.get("attachments")]
        found, parts["place"] = choose(with_files), 0 if with_files else parts["place"]
    elif "name" in parts or path.endswith("/icon"):
        parts = {"topic": APPS[0], **({"name": "Ding 1.wav"} if "name" in parts else {})}
    elif path.startswith("/v1/notifications/"):
        found = choose(owner.items("/v1/notifications"))
    elif path.startswith("/v1/history/"):
        found = choose(owner.items("/v1/history"))
    elif path.startswith("/v1/tokens/"):
        owner.token(["read"], name="to end")
        found = choose([item for item in owner.items("/v1/tokens") if item["name"] != "try-api"])
    elif path.startswith("/v1/surfaces/"):
        State.surface = State.surface or owner.surface("terminal")
        found = State.surface[0]
    elif path.startswith("/v1/app/{topic}/answers/") and not is_negative(case):
        parts["topic"] = APPS[0]
        found = owner.response()
    if found:
        parts["id"] = found
    return parts


def is_made_as_documented(case):
    """False if the path itself is what is wrong with the request."""
    patterns = {
        # No number of 18 digits is beyond 64 bits.
        "topic": r"[!-~]{3,155}", "stack": r"[0-9a-f]{16}", "place": r"[0-9]{1,18}",
        "file": r"[0-9]{1,10}",
        "name": r"[A-Za-z0-9 ._-]{1,64}",
        "id": r"[0-9a-f]{16}|(present-|silent-)?[1-9][0-9]{0,18}|current",
    }
    return all(
        re.fullmatch(patterns[name], str(value))
        for name, value in (case.path_parameters or {}).items()
    )


@schemathesis.hook
def before_call(context, case, kwargs):
    State.requests += 1
    if State.requests % 25 == 1 and len(owner.items("/v1/notifications")) < 6:
        owner.seed()
    if State.requests % TOKENS_PER_REQUESTS == 1:
        State.token = owner.token(SCOPES)
    if case.path_parameters and is_made_as_documented(case):
        case.path_parameters.update(existing(case.operation.label, case))
    headers = dict(case.headers or {})
    headers["authorization"] = f"Bearer {State.token}"
    case.headers = headers


@schemathesis.hook
def after_call(context, case, response):
    if case.method.upper() == case.operation.method.upper():
        seen.write(f"{case.operation.label}\t{response.status_code}\n")


@schemathesis.check
def bounds_as_documented(context, response, case):
    """A request that keeps to the document is refused for what no schema can say, and for nothing else."""
    if case.meta is None or is_negative(case) or response.status_code != 400:
        return
    message = response.json().get("message", "")
    if not BEYOND_SCHEMAS.search(message):
        raise AssertionError(f"the document allows what the program refuses: {message}")
