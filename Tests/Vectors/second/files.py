# SPDX-License-Identifier: Apache-2.0
"""What a vector is, and how it is written: README.md explains every header line."""

import json

from .formats import ISSUED, RECIPIENT, SENDER, TOPIC
from .primitives import key_id, public

ERRORS = {
    "malformedText": 1, "tooShort": 2, "tooLarge": 2, "unsupportedVersion": 1, "unknownFlags": 1, "unknownKey": 1,
    "unknownSender": 1, "formatNotAccepted": None, "senderRequired": 0, "contextMissing": 1, "notOpened": 0,
    "expired": 0, "issuedInFuture": 0, "replayed": 0, "badContent": 0,
}
ALERT = {"aps": {"alert": {"title": "Door", "body": "Front door opened"}}}
# The lines of a key file that belong to other systems, by the name they have there.
FOREIGN = ["web-push", "home-assistant", "bark-gcm", "bark-cbc"]


def compact(value):
    return json.dumps(value, separators=(",", ":"), ensure_ascii=False)


def opened(payload=ALERT, form="v1", *, authenticated=None, sender=None, clear=None):
    """What comes out: `sender` is the secret key, or the id, of the one who sealed."""
    name = (key_id(public(sender)) if len(sender) == 32 else sender).hex() if sender else None
    seal = {"format": form, "authenticated": bool(sender) if authenticated is None else authenticated, "sender": name}
    return payload | {"encryption": seal | ({"clear": clear} if clear else {})}


def spoken(body, form="v1", **named):
    """What comes out where the content is text."""
    return opened({"aps": {"alert": {"body": body}}}, form, **named)


class Collection:
    """All vectors by name; each name comes once."""

    def __init__(self):
        self.texts = {}
        self.counts = {}

    def add(self, name, comment, expect, sealed, *, payload=None, keys=(RECIPIENT,), retired=None, paired=(),
            foreign=(), senders=(), topic=TOPIC, collapse=None, request=None, accept=None, require_sender=False,
            keep_clear=(), critical=False, opened_as=None, opened_at=None, row=0, now=ISSUED, uses_retired=False):
        """`sealed` is a text, or the dictionary of a body; `foreign` pairs of a format and its key line."""
        assert name not in self.texts, name
        assert (expect == "opens") == (payload is not None), name
        assert expect == "opens" or self.is_error(expect), (name, expect)
        is_body = isinstance(sealed, dict)
        retired = retired or {}
        lines = [f"comment: {comment}", f"expect: {expect}"]
        lines += ["input: body"] if is_body else []
        lines += [f"key: {key.hex()}" + (f" retired={retired[key]}" if key in retired else "") for key in keys]
        lines += [f"paired: {(name + secret).hex()}" for name, secret in paired]
        lines += [f"{kind}: {line}" for kind, line in foreign]
        lines += [f"sender: {public(sender).hex()}" for sender in senders]
        lines.append(f"topic: {topic}")
        lines += [f"collapse-id: {collapse}"] if collapse else []
        lines += [f"request-id: {request}"] if request else []
        lines += [f"accept: {accept}"] if accept else []
        lines += ["require-sender: true"] if require_sender else []
        lines += [f"keep-clear: {key}" for key in keep_clear]
        lines += ["critical: true"] if critical else []
        if opened_as is not None:
            lines += [f"opened-as: {opened_as}", f"opened-at: {now if opened_at is None else opened_at}"]
        lines += [f"row: {row}"] if row else []
        lines.append(f"now: {now}")
        lines += ["uses-retired-key: true"] if uses_retired else []
        lines += ["payload: " + compact(payload)] if payload is not None else []
        assert not any("\n" in line for line in lines), name
        self.texts[name] = "\n".join(lines) + "\n\n" + (compact(sealed) if is_body else sealed) + "\n"
        kind = "opens" if expect == "opens" else "refused"
        self.counts[kind] = self.counts.get(kind, 0) + 1

    @staticmethod
    def is_error(expect):
        name, *values = expect.split(" ")
        wanted = ERRORS.get(name, -1)
        return len(values) == wanted or (wanted is None and len(values) <= 1)


class Formatted:
    """Adds the vectors of one format: what all of them share is said once."""

    def __init__(self, vectors, form, prefix=None, **shared):
        self.vectors = vectors
        self.form = form
        self.prefix = form + "-" if prefix is None else prefix
        self.shared = shared

    def opens(self, name, comment, sealed, payload, **named):
        self.vectors.add(self.prefix + name, comment, "opens", sealed, payload=payload, **(self.shared | named))

    def refused(self, name, comment, expect, sealed, **named):
        self.vectors.add(self.prefix + name, comment, expect, sealed, **(self.shared | named))


def sender_id(secret=SENDER):
    return key_id(public(secret)).hex()
