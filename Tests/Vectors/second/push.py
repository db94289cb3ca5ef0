# SPDX-License-Identifier: Apache-2.0
"""Web Push, RFC 8291: texts that begin with `wp.`."""

from cryptography.hazmat.primitives.serialization import PublicFormat

from .envelopes import MONTH
from .files import Formatted, opened, spoken
from .formats import (
    ISSUED, PUSH_AUTH, PUSH_EPHEMERAL, PUSH_MESSAGE, PUSH_PRIVATE, PUSH_SALT, push_key, push_text, web_push,
)
from .primitives import fixed, flipped, p256_public, replaced

OTHER_KEY = push_key(fixed("another web push key"), fixed("another auth secret", 16))


def add(vectors):
    mine = Formatted(vectors, "web-push", accept="web-push", foreign=[("web-push", push_key())])
    positive(mine)
    texts(mine)
    structure(mine)
    secrets(mine)


def known(text=None):
    if text is None:
        return opened(form="web-push", authenticated=True)
    return spoken(text, "web-push", authenticated=True)


def positive(mine):
    mine.opens("rfc8291", "RFC 8291, Appendix A", push_text(web_push(PUSH_MESSAGE)), known(PUSH_MESSAGE.decode()))
    mine.opens("json", "a payload", push_text(web_push()), known())
    mine.opens("padded", "the delimiter, then zeros", push_text(web_push(tail=b"\2" + bytes(100))), known())
    mine.opens("empty", "a record of a delimiter alone", push_text(web_push(b"")), known(""))
    mine.opens("record-fits", "a record exactly as long as it may be", push_text(web_push(size=43 + 1 + 16)), known())
    mine.opens("smallest-record", "the smallest record size, 18", push_text(web_push(b"x", size=18)), known("x"))
    mine.opens("largest-record", "the largest record size", push_text(web_push(size=0xFFFFFFFF)), known())
    mine.opens("ends-in-2", "a content that ends in the delimiter's byte", push_text(web_push(b"a\2")), known("a\2"))
    mine.opens("second-key", "the second of two subscriptions", push_text(web_push()), known(),
               foreign=[("web-push", OTHER_KEY), ("web-push", push_key())])
    others = [("web-push", push_key(fixed(f"web push key {number}"))) for number in range(4)]
    mine.opens("fourth-key", "the fourth subscription is tried", push_text(web_push()), known(),
               foreign=others[:3] + [("web-push", push_key())])
    mine.refused("fifth-key", "four subscriptions are tried, not five", "notOpened", push_text(web_push()),
                 foreign=others + [("web-push", push_key())])
    mine.opens("other-record-size", "another record size that the record fits: nothing authenticates it",
               push_text(replaced(web_push(), 16, b"\0\0\1\0")), known())
    mine.opens("other-salt", "another salt: it is the identity",
               push_text(web_push(salt=flipped(PUSH_SALT, 15))), known())
    mine.opens("only-key", "a ring without an X25519 key", push_text(web_push()), known(), keys=[])
    mine.opens("same-row", "the same push again", push_text(web_push()), known(), opened_as=7, row=7)


def texts(mine):
    data = web_push()
    text = push_text(data)
    mine.refused("default-policy", "not accepted unless the policy lists it", "formatNotAccepted web-push", text,
                 accept=None)
    mine.refused("sender-required", "whoever knows the subscription can send: no sender is named", "senderRequired",
                 text, require_sender=True)
    mine.refused("padding", "strict base64url has no padding", f"malformedText {len(text)}", text + "=")
    mine.refused("standard-alphabet", "a plus sign", "malformedText 50", text[:50] + "+" + text[51:])
    mine.refused("white-space", "a wrapped text", "malformedText 76", text[:76] + " " + text[76:])
    mine.refused("nothing", "nothing after the dot", "tooShort 103 0", "wp.")
    mine.refused("short", "one byte less than the shortest body", "tooShort 103 102", push_text(web_push(b"")[:102]))
    mine.refused("large", "longer than any push", "tooLarge 8192 8193", "wp." + "A" * 8190)
    mine.refused("replayed", "opened before as another push", "replayed", text, opened_as=7, row=8)
    mine.refused("replayed-late", "opened 30 days before", "replayed", text, opened_as=7, opened_at=ISSUED, row=8,
                 now=ISSUED + MONTH)


def structure(mine):
    data = web_push()
    compressed = p256_public(PUSH_EPHEMERAL, PublicFormat.CompressedPoint)
    record = len(data) - 86
    for count in [0, 64, 66, 255]:
        mine.refused(f"key-length-{count}", f"a key id of {count} bytes", f"unsupportedVersion {count}",
                     push_text(replaced(data, 20, bytes([count]))))
    mine.refused("compressed-key", "the sender's key as 33 bytes", "unsupportedVersion 33",
                 push_text(web_push(point=compressed)))
    mine.refused("no-key", "no key id at all", "unsupportedVersion 0", push_text(web_push(b"x" * 80, point=b"")))
    mine.refused("two-records", "more than one record", f"tooLarge 40 {record}", push_text(web_push(size=40)))
    mine.refused("record-over", "a record one byte longer than it may be", f"tooLarge {record - 1} {record}",
                 push_text(web_push(size=record - 1)))
    mine.refused("record-size-17", "a record size that RFC 8188 does not allow", "tooLarge 17 17",
                 push_text(web_push(b"", size=17)))
    mine.refused("record-size-0", "a record size of zero", f"tooLarge 0 {record}", push_text(web_push(size=0)))


def secrets(mine):
    data = web_push()

    def changed(name, comment, bytes_, **named):
        mine.refused(name, comment, "notOpened", push_text(bytes_), **named)

    changed("salt", "another salt", flipped(data, 0))
    changed("ciphertext", "a changed ciphertext", flipped(data, 86))
    changed("tag", "a changed tag", flipped(data, len(data) - 1))
    changed("shorter", "a byte missing", data[:-1])
    changed("longer", "a byte more", data + b"\0")
    changed("point-form", "a point that is neither compressed nor not", replaced(data, 21, b"\5"))
    changed("point-hybrid", "the hybrid form of a point", replaced(data, 21, bytes([6 + (data[85] & 1)])))
    changed("point-off-curve", "a point that is not on the curve", flipped(data, 85))
    changed("point-zero", "a point of zeros", replaced(data, 21, b"\4" + bytes(64)))
    changed("point-over", "coordinates over the prime", replaced(data, 21, b"\4" + b"\xff" * 64))
    changed("point-other", "another sender's point", replaced(data, 21, p256_public(fixed("another sender"))))
    changed("own-point", "the receiver's own point", replaced(data, 21, p256_public(PUSH_PRIVATE)))
    changed("not-last", "the delimiter of a record that others follow", web_push(tail=b"\1"))
    changed("no-delimiter", "a record of zeros", web_push(b"", tail=bytes(20)))
    changed("delimiter-3", "a delimiter that is none", web_push(tail=b"\3"))
    changed("padding-not-zero", "padding that is not zero", web_push(tail=b"\2\0\1"))
    changed("other-auth", "another auth secret", data, foreign=[("web-push", push_key(auth=fixed("auth", 16)))])
    changed("other-private", "another subscription's key", data,
            foreign=[("web-push", push_key(private=fixed("another web push key")))])
    changed("no-web-push-key", "a ring without a key of this format", data, foreign=[])
    changed("swapped-auth", "two subscriptions whose auth secrets changed places", data, foreign=[
        ("web-push", push_key(auth=fixed("another auth secret", 16))),
        ("web-push", push_key(private=fixed("another web push key"), auth=PUSH_AUTH)),
    ])
    mine.refused("duplicate-key", "an object that breaks the rules is no text", "badContent",
                 push_text(web_push(b'{"body":"a","body":"b"}')))
    mine.refused("nul", "a text with a NUL", "badContent", push_text(web_push(b"a\0b")))
    mine.refused("utf8", "a text that is not UTF-8", "badContent", push_text(web_push(b"\xff")))
