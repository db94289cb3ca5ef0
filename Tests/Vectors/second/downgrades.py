# SPDX-License-Identifier: Apache-2.0
"""A sender, or whoever stands between, who offers another format than the app takes, or the bytes of one as another."""

from .bodies import bark_body, home_body
from .files import Formatted, sender_id
from .formats import (
    BARK_KEY, CBC_IV, GCM_IV, HOME, OTHER, SENDER, bark_cbc, bark_gcm, box, box_text, envelope, home, push_key,
    push_text, sealed_box, v1, v1_text, web_push,
)
from .primitives import base64url, standard

FOREIGN = [
    ("web-push", push_key()), ("home-assistant", HOME.hex()), ("bark-gcm", f"{BARK_KEY} {GCM_IV}"),
    ("bark-cbc", f"{BARK_KEY} {CBC_IV}"),
]
ALL = "v1, sealed-box, box, web-push, home-assistant, bark-gcm, bark-cbc"
# What of each format opens under a policy that takes it, with the keys above.
VALID = {
    "v1": v1(sender=SENDER),
    "sealed-box": base64url(sealed_box()),
    "box": box_text(box()),
    "web-push": push_text(web_push()),
    "home-assistant": home_body(home()),
    "bark-gcm": bark_body(bark_gcm()),
    "bark-cbc": bark_body(bark_cbc()),
}
IN_CONTENT = ["v1", "sealed-box", "box", "web-push"]


def add(vectors):
    mine = Formatted(vectors, "downgrade", senders=[SENDER], foreign=FOREIGN)
    for accepted in VALID:
        for offered, sealed in VALID.items():
            if offered != accepted:
                mine.refused(f"{accepted}-to-{offered}", f"the app takes {accepted} only, {offered} is offered",
                             refusal(accepted, offered), sealed, accept=accepted)
    everything_but(mine)
    relabelled(Formatted(vectors, "relabelled", senders=[SENDER], foreign=FOREIGN, accept=ALL))


def refusal(accepted, offered):
    """A field that no accepted format uses holds nothing sealed; Bark's two modes look the same from outside."""
    if offered in IN_CONTENT:
        return f"formatNotAccepted {offered}"
    if accepted == "bark-cbc" and offered == "bark-gcm":
        count = len(bark_gcm())
        return f"tooShort {count + 16 - count % 16} {count}"
    if accepted == "bark-gcm" and offered == "bark-cbc":
        return "notOpened"
    return "formatNotAccepted"


def everything_but(mine):
    """All formats but one are accepted, and that one is offered."""
    for offered in IN_CONTENT:
        accept = ", ".join(form for form in VALID if form != offered)
        mine.refused(f"all-but-{offered}", f"the app takes everything but {offered}", f"formatNotAccepted {offered}",
                     VALID[offered], accept=accept)
    accept = ", ".join(form for form in VALID if form != "home-assistant")
    mine.refused("all-but-home-assistant", "the app takes everything but home-assistant", "formatNotAccepted",
                 VALID["home-assistant"], accept=accept)


def relabelled(mine):
    """All formats are accepted and every key is there: only the bytes are of another format."""
    seals = {
        "v1": envelope(), "sealed-box": sealed_box(), "box": box(), "web-push": web_push(), "home-assistant": home(),
        "bark-gcm": bark_gcm(), "bark-cbc": bark_cbc(),
    }
    labels = {
        "v1": v1_text, "sealed-box": base64url, "box": box_text, "web-push": push_text, "home-assistant": home_body,
        "bark": bark_body,
    }
    for form, data in seals.items():
        for label, text in labels.items():
            if not form.startswith(label):
                mine.refused(f"{form}-as-{label}", f"the bytes of {form} where those of {label} belong",
                             mistaken(label, data), text(data))
    psk = envelope(sender=SENDER)
    mine.refused("psk-as-box", "an envelope of a known sender as a box", f"unknownSender {psk[:8].hex()}",
                 box_text(psk))
    for form in ["v1", "box", "web-push"]:
        text = VALID[form]
        mine.refused(f"{form}-without-prefix", f"a text of {form} without its prefix", "notOpened",
                     text.split(".")[1])
        mine.refused(f"{form}-as-encrypted-data", f"a whole text of {form} in Home Assistant's field",
                     f"malformedText {text.index('.')}", home_body(text))
        mine.refused(f"{form}-as-ciphertext", f"a whole text of {form} in Bark's field",
                     f"malformedText {text.index('.')}", bark_body(text))
    mine.refused("box-of-unknown", "a box of a sender who is not listed, while sealed boxes are accepted",
                 f"unknownSender {sender_id(OTHER)}", box_text(box(sender=OTHER)))


def mistaken(label, data):
    """What a reader of the format `label` must say of other bytes: the first check that they do not pass."""
    if label == "v1":
        if len(data) < 72:
            return f"tooShort 72 {len(data)}"
        return "notOpened" if data[0] == 1 else f"unsupportedVersion {data[0]}"
    if label == "sealed-box":
        return f"tooShort 48 {len(data)}" if len(data) < 48 else "notOpened"
    if label == "box":
        return f"tooShort 48 {len(data)}" if len(data) < 48 else f"unknownSender {data[:8].hex()}"
    if label == "web-push":
        if len(data) < 103:
            return f"tooShort 103 {len(data)}"
        return f"unsupportedVersion {data[20]}"
    return "notOpened"
