# SPDX-License-Identifier: Apache-2.0
"""libsodium's boxes: sealed-box, anonymous, and box, from a sender whose key is pinned."""

import base64

from .envelopes import MONTH, RETIRED, SMALL_ORDER
from .files import Formatted, opened, sender_id, spoken
from .formats import (
    EPHEMERAL, ISSUED, NONCE, OTHER, PAIRED, RECIPIENT, SENDER, box, box_text, sealed_box,
)
from .primitives import base64url, fixed, flipped, public, replaced, standard

RING = [fixed(f"ring {number}") for number in range(4)]


def add(vectors):
    sealed(Formatted(vectors, "sealed-box"))
    pinned(Formatted(vectors, "box", accept="box", senders=[SENDER]))


def sealed(mine):
    data = sealed_box()
    text = base64url(data)
    anonymous = opened(form="sealed-box")
    mine.opens("standard", "padded base64", standard(data), anonymous)
    mine.opens("url", "base64url without padding", text, anonymous)
    mine.opens("standard-unpadded", "the standard alphabet without padding", standard(data).rstrip("="), anonymous)
    mine.opens("url-padded", "base64url with padding", base64.urlsafe_b64encode(data).decode(), anonymous)
    mine.opens("mixed", "both alphabets in one text", mixed(data), anonymous)
    mine.opens("trailing-bits", "bits that no byte needs: a box is known by its bytes",
               text[:-1] + chr(ord(text[-1]) + 1), anonymous)
    mine.opens("second-key", "it names no key", text, anonymous, keys=[OTHER, RECIPIENT])
    mine.opens("fourth-key", "the fourth key of the ring is tried", text, anonymous, keys=RING[:3] + [RECIPIENT])
    mine.opens("retired-key", "sealed to a retired key", text, anonymous, keys=[OTHER, RECIPIENT],
               retired={RECIPIENT: RETIRED}, uses_retired=True)
    mine.opens("text", "text in it", base64url(sealed_box(b"{hello}")), spoken("{hello}", "sealed-box"))
    mine.opens("empty", "nothing in it", base64url(sealed_box(b"")), spoken("", "sealed-box"))
    mine.opens("same-row", "the same push again", text, anonymous, opened_as=7, row=7)
    mine.opens("forgotten", "opened before, over 30 days ago", text, anonymous, opened_as=7, opened_at=ISSUED, row=8,
               now=ISSUED + MONTH + 60_000)

    mine.refused("not-accepted", "the app takes envelopes only", "formatNotAccepted sealed-box", text, accept="v1")
    mine.refused("sender-required", "a sender is required", "senderRequired", text, require_sender=True)
    mine.refused("short", "less than an empty box", "tooShort 48 47", base64url(sealed_box(b"")[:47]))
    mine.refused("white-space", "a wrapped box", "malformedText 10", text[:10] + "\n  " + text[10:])
    mine.refused("line-feed", "a line feed behind", f"malformedText {len(text)}", text + "\n")
    mine.refused("padding-inside", "padding in the middle", "malformedText 76", text[:76] + "=" + text[77:])
    mine.refused("padding-short", "one padding character where two belong", f"malformedText {len(text)}", text + "=")
    mine.refused("odd-length", "one character over a whole group", "malformedText 89", text[:89])
    mine.refused("large", "longer than any push", "tooLarge 8192 8193", "A" * 8193)
    mine.refused("tag", "a changed tag", "notOpened", base64url(flipped(data, 40)))
    mine.refused("ciphertext", "a changed ciphertext", "notOpened", base64url(flipped(data, len(data) - 1)))
    mine.refused("epk", "another ephemeral key", "notOpened", base64url(flipped(data, 3)))
    mine.refused("shorter", "a byte missing", "notOpened", base64url(data[:-1]))
    mine.refused("longer", "a byte more", "notOpened", base64url(data + b"\0"))
    mine.refused("small-order", "an ephemeral key of small order", "notOpened",
                 base64url(replaced(data, 0, SMALL_ORDER["8"])))
    mine.refused("other-key", "sealed to someone else", "notOpened", base64url(sealed_box(recipient=OTHER)))
    mine.refused("fifth-key", "four keys are tried, not five", "notOpened", text, keys=RING + [RECIPIENT])
    mine.refused("plain-box", "crypto_box under the ephemeral key, with a nonce of its own", "notOpened",
                 base64url(public(EPHEMERAL) + box(sender=EPHEMERAL)[32:]))
    mine.refused("duplicate-key", "an object that breaks the rules is no text", "badContent",
                 base64url(sealed_box(b'{"body":"a","body":"b"}')))
    mine.refused("aps-type", "an object whose aps is none", "badContent", base64url(sealed_box(b'{"aps":[]}')))
    mine.refused("nul", "a text with a NUL", "badContent", base64url(sealed_box(b"a\0b")))
    mine.refused("utf8", "a text that is not UTF-8", "badContent", base64url(sealed_box(b"\xff")))
    mine.refused("replayed", "opened before as another push", "replayed", text, opened_as=7, row=8)
    mine.refused("replayed-late", "opened 30 days before", "replayed", text, opened_as=7, opened_at=ISSUED, row=8,
                 now=ISSUED + MONTH)


def mixed(data):
    """Every second character that the alphabets spell differently is of the URL alphabet."""
    text, count = "", 0
    for character in standard(data):
        if character in "+/":
            character = "-_"["+/".index(character)] if count % 2 else character
            count += 1
        text += character
    return text


def pinned(mine):
    data = box()
    text = box_text(data)
    known = opened(form="box", sender=SENDER)
    mine.opens("json", "crypto_box of a listed sender", text, known)
    mine.opens("text", "text in it", box_text(box("Grüße".encode())), spoken("Grüße", "box", sender=SENDER))
    mine.opens("empty", "nothing in it", box_text(box(b"")), spoken("", "box", sender=SENDER))
    mine.opens("required", "a sender is required, and this is one", text, known, require_sender=True)
    mine.opens("second-sender", "the sender is found by its id", text, known, senders=[OTHER, SENDER])
    mine.opens("second-key", "it names no recipient", text, known, keys=[OTHER, RECIPIENT])
    mine.opens("fourth-key", "the fourth key of the ring is tried", text, known, keys=RING[:3] + [RECIPIENT])
    mine.opens("retired-key", "sealed to a retired key", text, known, keys=[OTHER, RECIPIENT],
               retired={RECIPIENT: RETIRED}, uses_retired=True)
    mine.opens("same-row", "the same push again", text, known, opened_as=7, row=7)

    for offset in [15, 16]:
        mine.opens(f"nonce-{offset}", f"another byte {offset} of the nonce: 0 to 15 are its identity",
                   box_text(box(nonce=flipped(NONCE, offset))), known)

    mine.refused("default-policy", "boxes are not accepted unless the policy lists them", "formatNotAccepted box", text,
                 accept=None)
    mine.refused("unknown-sender", "a sender who is not listed", f"unknownSender {sender_id()}", text, senders=[OTHER])
    mine.refused("paired-sender", "a paired secret's id names no key", f"unknownSender {PAIRED[0].hex()}",
                 box_text(replaced(data, 0, PAIRED[0])), paired=[PAIRED])
    mine.refused("other-sender", "the id of another listed sender", "notOpened", box_text(box(name=OTHER)),
                 senders=[SENDER, OTHER])
    mine.refused("own-id", "the recipient itself, who is not listed", f"unknownSender {sender_id(RECIPIENT)}",
                 box_text(box(sender=RECIPIENT, recipient=SENDER)))
    mine.refused("short", "less than an empty box", "tooShort 48 47", box_text(box(b"")[:47]))
    mine.refused("nothing", "nothing after the dot", "tooShort 48 0", "box.")
    mine.refused("padding", "strict base64url has no padding", f"malformedText {len(text)}", text + "=")
    mine.refused("standard-alphabet", "a slash", "malformedText 30", text[:30] + "/" + text[31:])
    mine.refused("white-space", "a wrapped text", "malformedText 76", text[:76] + "\n" + text[76:])
    mine.refused("trailing-bits", "bits that no byte needs", f"malformedText {len(text) - 1}",
                 text[:-1] + chr(ord(text[-1]) + 1))
    mine.refused("nonce", "another nonce", "notOpened", box_text(flipped(data, 8)))
    mine.refused("tag", "a changed tag", "notOpened", box_text(flipped(data, 32)))
    mine.refused("ciphertext", "a changed ciphertext", "notOpened", box_text(flipped(data, len(data) - 1, 7)))
    mine.refused("shorter", "a byte missing", "notOpened", box_text(data[:-1]))
    mine.refused("longer", "a byte more", "notOpened", box_text(data + b"\0"))
    mine.refused("other-recipient", "sealed to someone else", "notOpened", box_text(box(recipient=OTHER)))
    mine.refused("fifth-key", "four keys are tried, not five", "notOpened", text, keys=RING + [RECIPIENT])
    mine.refused("large", "longer than any push", "tooLarge 8192 8193", "box." + "A" * 8189)
    mine.refused("duplicate-key", "an object that breaks the rules is no text", "badContent",
                 box_text(box(b'{"body":"a","body":"b"}')))
    mine.refused("nul", "a text with a NUL", "badContent", box_text(box(b"a\0b")))
    mine.refused("replayed", "opened before as another push", "replayed", text, opened_as=7, row=8)
