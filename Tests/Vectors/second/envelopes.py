# SPDX-License-Identifier: Apache-2.0
"""v1: what opens, and what is refused on its public bytes, behind its tag, and after it."""

from .files import Formatted, opened, sender_id, spoken
from .formats import (
    ISSUED, OTHER, PAIRED, PSK, RECIPIENT, SENDER, TOPIC, envelope, hpke, inner, v1, v1_text,
)
from .primitives import agree, chacha_seal, fixed, flipped, hkdf, key_id, public, replaced

MONTH = 30 * 86_400_000
REQUEST_ID = "8f1e4c9a-0000-4000-8000-000000000001"
RETIRED = "2026-11-20T00:00:00Z"
LONG = "x" * 255
# X25519 points whose Diffie-Hellman result is zero for every secret: orders 1, 4, 8, 8, 2.
SMALL_ORDER = {
    "1": bytes([0] * 32),
    "4": bytes([1] + [0] * 31),
    "8": bytes.fromhex("e0eb7a7c3b41b8ae1656e3faf19fc46ada098deb9c32b1fd866205165f49b800"),
    "8b": bytes.fromhex("5f9c95bca3508c24b1d0b1559c83ef5b04445cc4581c8e86d8224eddd09f1157"),
    "2": bytes.fromhex("ecffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f"),
}


def add(vectors):
    mine = Formatted(vectors, "v1", prefix="")
    positive(mine)
    contents(mine)
    keys(mine)
    texts(mine)
    headers(mine)
    context(mine)
    secrets(mine)
    times(mine)


def positive(mine):
    mine.opens("base", "mode base", v1(), opened())
    mine.opens("psk", "mode psk: a known sender", v1(sender=SENDER), opened(sender=SENDER), senders=[SENDER])
    mine.opens("collapse", "mode base, bound to a collapse-id", v1(collapse="door"), opened(), collapse="door")
    mine.opens("psk-collapse", "bound to a collapse-id", v1(sender=SENDER, collapse="door"), opened(sender=SENDER),
               senders=[SENDER], collapse="door")
    mine.opens("request", "bound to a request id", v1(request=REQUEST_ID), opened(), request=REQUEST_ID)
    mine.opens("psk-request", "mode psk, bound to a request id", v1(sender=SENDER, request=REQUEST_ID),
               opened(sender=SENDER), senders=[SENDER], request=REQUEST_ID)
    mine.opens("everything", "mode base, bound to all there is", v1(collapse="door", request="r1"), opened(),
               collapse="door", request="r1")
    mine.opens("psk-everything", "bound to all there is", v1(sender=SENDER, collapse="door", request="r1"),
               opened(sender=SENDER), senders=[OTHER, SENDER], collapse="door", request="r1")
    mine.opens("unbound-collapse", "the push has a collapse-id that the envelope does not name", v1(), opened(),
               collapse="door")
    mine.opens("unbound-request", "the push has a request id that the envelope does not name", v1(), opened(),
               request="r1")
    mine.opens("long-context", "255 bytes each of topic, collapse-id and request id",
               v1(topic=LONG, collapse=LONG, request=LONG), opened(), topic=LONG, collapse=LONG, request=LONG)
    mine.opens("unicode-context", "a collapse-id in UTF-8 counts bytes", v1(collapse="tür"), opened(), collapse="tür")
    mine.opens("unpadded", "no padding at all", v1(inner(size=0)), opened())
    mine.opens("unpadded-psk", "a known sender, bound to a collapse-id, the shortest there is",
               v1(inner(b"{}", size=0), sender=SENDER, collapse="c"), opened({"aps": {}}, sender=SENDER),
               senders=[SENDER], collapse="c")
    mine.opens("unpadded-everything", "bound to all there is, the shortest there is",
               v1(inner(b"{}", size=0), collapse="c", request="r"), opened({"aps": {}}), senders=[SENDER],
               collapse="c", request="r")
    mine.opens("padded-odd", "padding to a length that is no bucket", v1(inner(size=1000)), opened())
    mine.opens("longest", "the longest envelope that a text has room for", v1(inner(size=6141 - 58)), opened())
    mine.opens("required", "a sender is required, and there is one", v1(sender=SENDER), opened(sender=SENDER),
               senders=[SENDER], require_sender=True)
    mine.opens("same-row", "the same push again, as after a crash", v1(), opened(), opened_as=7, row=7)
    mine.opens("body", "clear keys beside the envelope are dropped, a forged seal among them",
               {"aps": {"alert": "clear", "mutable-content": 1}, "k": 1, "encryption": {"authenticated": True},
                "encrypted-content": v1()}, opened())
    mine.opens("keep-clear", "a clear key that the policy keeps, and one that was sealed too",
               {"aps": {"badge": 9}, "k": 1, "x": "clear",
                "encrypted-content": v1(inner(b'{"body":"b","x":"sealed"}'))},
               opened({"aps": {"alert": {"body": "b"}}, "x": "sealed", "k": 1}, clear=["k"]),
               keep_clear=["k", "x", "aps", "encryption", "encrypted-content"])


def contents(mine):
    def payload(name, comment, content, result, **named):
        mine.opens(name, comment, v1(inner(content, **named.pop("inner", {}))), result, **named)

    payload("text", "inner type 2: the text is the body", "Grüße".encode(), spoken("Grüße"), inner={"kind": 2})
    payload("text-empty", "a text of no characters", b"", spoken(""), inner={"kind": 2})
    payload("text-json", "inner type 2 is text, whatever it looks like", b'{"body":"b"}', spoken('{"body":"b"}'),
            inner={"kind": 2})
    payload("empty-object", "an object without keys", b"{}", opened({"aps": {}}))
    payload("white-space", "white space in and around the object", b' {\n\t"body" : "b"\r\n} ',
            spoken("b"))
    payload("escapes", "every escape, and a pair of surrogates",
            b'{"body":"\\"\\\\\\/\\b\\f\\n\\r\\t\\u00e4\\ud83d\\ude00"}', spoken('"\\/\b\f\n\r\tä😀'))
    payload("depth-16", "16 levels, the outermost included", b'{"body":"b","a":' + b"[" * 15 + b"]" * 15 + b"}",
            opened({"aps": {"alert": {"body": "b"}}, "a": nested(15)}))
    payload("aps", "an APNs payload; keys that belong outside are dropped",
            b'{"aps":{"alert":{"body":"b"},"mutable-content":1},"k":[1,2.5,null],"encryption":{"sender":"x"}}',
            opened({"aps": {"alert": {"body": "b"}}, "k": [1, 2.5, None]}))
    payload("aps-inner-envelope", "an envelope inside an envelope is dropped, not opened",
            b'{"aps":{"alert":"a","content-available":1},"encrypted-content":"v1.AAAA","content-available":1}',
            opened({"aps": {"alert": "a"}}))
    critical = b'{"aps":{"alert":"b","interruption-level":"critical","sound":{"critical":1,"name":"s"}}}'
    payload("critical", "critical is not granted", critical,
            opened({"aps": {"alert": "b", "interruption-level": "active", "sound": "s"}}))
    payload("critical-granted", "critical is granted", critical,
            opened({"aps": {"alert": "b", "interruption-level": "critical", "sound": {"critical": 1, "name": "s"}}}),
            critical=True)
    payload("shorthand", "every shorthand key and a custom one",
            b'{"x":1,"title":"t","subtitle":"s","body":"b","badge":3,"sound":"d","thread-id":"th","category":"c"}',
            opened({"aps": {"alert": {"title": "t", "subtitle": "s", "body": "b"}, "badge": 3, "sound": "d",
                            "thread-id": "th", "category": "c"}, "x": 1}))

    bad = {
        "not-json": b"hello", "empty": b"", "array": b"[1]", "string": b'"body"',
        "duplicate-key": b'{"body":"a","body":"b"}',
        "duplicate-deep": b'{"a":[{"k":1,"\\u006b":2}]}', "nul": b'{"body":"a\\u0000"}', "nul-key": b'{"a\\u0000":1}',
        "utf8": b'{"body":"\xff"}', "overlong": b'{"body":"\xc0\xaf"}', "surrogate": b'{"body":"\\ud800"}',
        "control": b'{"body":"a\nb"}', "escape": b'{"body":"\\x41"}', "byte-order-mark": b'\xef\xbb\xbf{"body":"a"}',
        "deep": b'{"a":' + b"[" * 16 + b"]" * 16 + b"}", "comment": b'{"body":"a"/**/}', "comma": b'{"body":"a",}',
        "number": b'{"a":1e999}', "leading-zero": b'{"a":01}', "nan": b'{"a":NaN}', "unterminated": b'{"body":"a"',
        "aps-type": b'{"aps":1}', "title-type": b'{"title":null}', "body-type": b'{"body":1}',
        "badge-type": b'{"badge":"1"}', "badge-fraction": b'{"badge":1.5}', "sound-type": b'{"sound":1}',
        "thread-type": b'{"thread-id":[]}', "trailing": b'{"body":"a"} x',
    }
    for name, content in bad.items():
        mine.refused(f"content-{name}", "content that is no payload", "badContent", v1(inner(content)))
    mine.refused("text-nul", "a text with a NUL", "badContent", v1(inner(b"a\0b", kind=2)))
    mine.refused("text-utf8", "a text that is not UTF-8", "badContent", v1(inner(b"\xff", kind=2)))


def nested(depth):
    return [] if depth == 1 else [nested(depth - 1)]


def keys(mine):
    ring = [fixed(f"ring {number}") for number in range(15)]
    mine.opens("second-key", "the older key of a ring", v1(), opened(), keys=[OTHER, RECIPIENT])
    mine.opens("last-of-16", "the last key of the largest ring", v1(), opened(), keys=ring + [RECIPIENT])
    mine.opens("retired-key", "sealed to a key that was retired yesterday", v1(), opened(), keys=[OTHER, RECIPIENT],
               retired={RECIPIENT: RETIRED}, uses_retired=True)
    mine.opens("retired-psk", "a known sender, sealed to a retired key", v1(sender=SENDER), opened(sender=SENDER),
               senders=[SENDER], keys=[OTHER, RECIPIENT], retired={RECIPIENT: RETIRED}, uses_retired=True)
    mine.opens("beside-retired", "sealed to the current key, and another is retired", v1(), opened(),
               keys=[RECIPIENT, OTHER], retired={OTHER: RETIRED})
    mine.opens("paired", "mode psk with a paired secret", v1(paired=PAIRED), opened(sender=PAIRED[0]), paired=[PAIRED])
    mine.opens("paired-everything", "a paired secret among senders, bound to all there is",
               v1(paired=PAIRED, collapse="door", request="r1"), opened(sender=PAIRED[0]),
               paired=[(fixed("paired id 2", 8), fixed("paired secret 2")), PAIRED], senders=[SENDER],
               collapse="door", request="r1", require_sender=True)
    mine.opens("paired-second-key", "a paired secret serves every key of the ring", v1(paired=PAIRED),
               opened(sender=PAIRED[0]), paired=[PAIRED], keys=[OTHER, RECIPIENT])

    mine.refused("unknown-key", "sealed to someone else", f"unknownKey {key_id(public(OTHER)).hex()}",
                 v1(recipient=OTHER))
    mine.refused("unknown-sender", "a sender who is not listed", f"unknownSender {sender_id()}", v1(sender=SENDER),
                 senders=[OTHER])
    mine.refused("no-senders", "a sender, where none is listed", f"unknownSender {sender_id()}", v1(sender=SENDER))
    mine.refused("unknown-paired", "a paired secret that is not in the file", f"unknownSender {PAIRED[0].hex()}",
                 v1(paired=PAIRED), senders=[SENDER])
    mine.refused("other-paired", "a paired secret's id with another secret", "notOpened",
                 v1(paired=(PAIRED[0], fixed("not the secret"))), paired=[PAIRED])
    mine.refused("other-key", "the id of one key of the ring, sealed to the other", "notOpened",
                 v1_text(replaced(envelope(recipient=OTHER), 2, key_id(public(RECIPIENT)))), keys=[RECIPIENT, OTHER])
    mine.refused("other-sender", "the id of one listed sender, sealed by the other", "notOpened",
                 v1_text(replaced(envelope(sender=OTHER), 10, key_id(public(SENDER)))), senders=[SENDER, OTHER])
    mine.refused("other-psk", "a sender's id with a foreign secret", "notOpened", v1(sender=SENDER, psk=b"x" * 32),
                 senders=[SENDER])
    mine.refused("reversed-psk", "the secret of the pair, derived in the other direction", "notOpened",
                 v1(sender=SENDER, psk=reversed_psk()), senders=[SENDER])


def reversed_psk():
    info = b"nse-sender-psk-v1\0" + public(RECIPIENT) + public(SENDER)
    return hkdf(b"", agree(SENDER, public(RECIPIENT)), info, 32)


def texts(mine):
    data = envelope()
    text = v1_text(data)
    last = len(text) - 1

    def damaged(name, comment, offset, changed):
        mine.refused(name, comment, f"malformedText {offset}", changed)

    damaged("padded-text", "padding", last, text[:-1] + "=")
    damaged("padding-behind", "a whole text and padding", last + 1, text + "=")
    damaged("standard-alphabet", "a plus sign", 40, text[:40] + "+" + text[41:])
    damaged("standard-slash", "a slash", 41, text[:41] + "/" + text[42:])
    damaged("wrapped", "a wrapped text", 76, text[:76] + " " + text[76:])
    damaged("line-feed", "a line feed behind", last + 1, text + "\n")
    damaged("carriage-return", "a carriage return behind", last + 1, text + "\r")
    damaged("not-ascii", "a letter that takes two bytes", 50, text[:50] + "ä" + text[52:])
    damaged("first-character", "a percent sign behind the dot", 3, "v1.%" + text[4:])
    damaged("second-dot", "two dots", 3, "v1." + text[2:])
    damaged("trailing-bits", "bits that no byte needs", last, text[:-1] + chr(ord(text[-1]) + 1))
    damaged("odd-length", "one character over a whole group", 100, text[:100])
    mine.refused("empty-v1", "nothing after the dot", "tooShort 72 0", "v1.")
    mine.refused("short", "no room for an empty inner part", "tooShort 72 71", v1_text(data[:71]))
    mine.refused("short-psk", "no room for the sender's id", "tooShort 80 79",
                 v1_text(envelope(sender=SENDER)[:79]), senders=[SENDER])
    mine.refused("large", "longer than any push", "tooLarge 8192 8193", "v1." + "A" * 8190)
    mine.refused("large-unknown", "length is judged before the format", "tooLarge 8192 9000", "v9." + "A" * 8997)
    mine.refused("empty", "a text of no characters is an empty sealed box", "tooShort 48 0", "")
    for name, comment, prefix in [
        ("format-v2", "a version to come", "v2."), ("format-upper", "prefixes are in lower case", "V1."),
        ("format-space", "white space before the prefix", " v1."), ("format-empty", "nothing before the dot", "."),
        ("format-longer", "a prefix that begins like one", "v11."), ("format-shorter", "a prefix cut short", "v."),
    ]:
        mine.refused(name, comment, "formatNotAccepted", prefix + text[3:])
    for name, value in [("object", {"v": 1}), ("null", None), ("number", 1), ("array", [text]), ("boolean", True)]:
        mine.refused(f"content-as-{name}", "encrypted-content that is no string", "formatNotAccepted",
                     {"aps": {}, "encrypted-content": value})
    mine.refused("content-absent", "a body in which nothing is sealed", "formatNotAccepted", {"aps": {"alert": "a"}})


def headers(mine):
    for name, kind in [("zero", 0), ("session", 2), ("several", 3), ("ff", 255)]:
        mine.refused(f"kind-{name}" if name != "session" else name, f"kind {kind}", f"unsupportedVersion {kind}",
                     v1(kind=kind))
    for bit in range(4, 8):
        mine.refused(f"flag-{bit}", "a flag that nobody knows", f"unknownFlags {1 << bit}", v1(flags=1 << bit))
    mine.refused("flag-session-offer", "a flag that is reserved", "unknownFlags 9", v1(sender=SENDER, flags=9),
                 senders=[SENDER])
    mine.refused("v1-not-accepted", "the app takes sealed boxes only", "formatNotAccepted v1", v1(),
                 accept="sealed-box")
    mine.refused("sender-required", "mode base where a sender is required", "senderRequired", v1(),
                 require_sender=True)
    mine.refused("sender-required-first", "a sender is required before the key is looked for", "senderRequired",
                 v1(recipient=OTHER), require_sender=True)
    mine.refused("flag-psk-removed", "mode psk made to look like mode base", "notOpened",
                 v1_text(flipped(envelope(sender=SENDER), 1)), senders=[SENDER])
    mine.refused("downgraded-psk", "the same, where a sender is required", "senderRequired",
                 v1_text(flipped(envelope(sender=SENDER), 1)), senders=[SENDER], require_sender=True)
    data = envelope()
    mine.refused("flag-psk-added", "mode base made to look like mode psk, a listed sender's id put in", "notOpened",
                 v1_text(bytes([1, PSK]) + data[2:10] + key_id(public(SENDER)) + data[10:]), senders=[SENDER])


def context(mine):
    mine.refused("collapse-missing", "bound to a collapse-id, and the push has none", "contextMissing collapse-id",
                 v1(collapse="door"))
    mine.refused("request-missing", "bound to a request id, and the push has none", "contextMissing request-id",
                 v1(request="r1"))
    mine.refused("request-missing-2", "bound to both, and the push has the collapse-id only",
                 "contextMissing request-id", v1(collapse="door", request="r1"), collapse="door")
    mine.refused("other-topic", "another app's push", "notOpened", v1(topic="com.example.other"))
    mine.refused("topic-case", "a topic is bytes, not letters", "notOpened", v1(topic=TOPIC.upper()))
    mine.refused("topic-longer", "a topic that begins with the right one", "notOpened", v1(topic=TOPIC + ".voip"))
    mine.refused("other-collapse", "another collapse-id", "notOpened", v1(collapse="door"), collapse="gate")
    mine.refused("other-request", "another request id", "notOpened", v1(request="r1"), request="r2")
    mine.refused("request-case", "a request id is bytes, not a number", "notOpened", v1(request=REQUEST_ID),
                 request=REQUEST_ID.upper())
    mine.refused("swapped-context", "collapse-id and request id changed places", "notOpened",
                 v1(collapse="a", request="b"), collapse="b", request="a")
    mine.refused("moved-context", "a byte moved from one part of the context to the next", "notOpened",
                 v1(collapse="ab", request="c"), collapse="a", request="bc")
    mine.refused("flag-removed", "the collapse-id unbound on the way", "notOpened",
                 v1_text(flipped(envelope(collapse="door"), 1, 1)), collapse="door")
    mine.refused("flag-added", "a collapse-id bound on the way", "notOpened", v1_text(flipped(envelope(), 1, 1)),
                 collapse="door")
    mine.refused("flag-exchanged", "the same word bound as request id in place of collapse-id", "notOpened",
                 v1_text(replaced(envelope(collapse="x"), 1, b"\4")), collapse="x", request="x")


def secrets(mine):
    data = envelope()

    def changed(name, comment, bytes_):
        mine.refused(name, comment, "notOpened", v1_text(bytes_))

    changed("tag", "the last bit of the tag", flipped(data, len(data) - 1))
    changed("tag-first", "the first byte of the tag", flipped(data, len(data) - 16, 7))
    changed("tag-zero", "a tag of zeros", data[:-16] + bytes(16))
    changed("tag-short", "a byte of the tag missing", data[:-1])
    changed("tag-missing", "no tag", data[:-16])
    changed("longer", "a byte behind the tag", data + b"\0")
    changed("ciphertext", "the first byte of the ciphertext", flipped(data, 42))
    changed("ciphertext-last", "the last byte of the ciphertext, which is padding", flipped(data, len(data) - 17))
    changed("enc", "another ephemeral key", flipped(data, 10))
    changed("enc-top-bit", "the bit of the ephemeral key that X25519 ignores", flipped(data, 41, 7))
    mine.opens("enc-not-reduced", "X25519 takes a number over its prime", v1_text(not_reduced()), opened())
    changed("enc-reduced", "the same point in its other spelling", replaced(not_reduced(), 10, bytes([9] + [0] * 31)))
    for order, point in SMALL_ORDER.items():
        changed(f"small-order-{order}", "an ephemeral key of small order", replaced(data, 10, point))
    other = envelope(ephemeral=fixed("another ephemeral key"))
    changed("spliced", "the ephemeral key of one envelope, the rest of another", data[:42] + other[42:])
    changed("inner-type-0", "inner type 0", envelope(inner(kind=0)))
    changed("inner-type", "inner type 3", envelope(inner(kind=3)))
    changed("inner-zero", "the second inner byte", envelope(inner(zero=1)))
    changed("inner-length", "a content longer than the inner part", envelope(inner(count=243)))
    changed("inner-length-most", "the largest length there is", envelope(inner(count=0xFFFF)))
    changed("inner-padding", "a padding whose last byte is not zero", envelope(inner(tail=b"\1")))
    changed("inner-padding-first", "a content cut short by its length: its end is padding", envelope(inner(count=42)))


def not_reduced():
    """A text whose ephemeral point is the base point, in two spellings: 9, and 9 and the prime.

    The Diffie-Hellman result is the recipient's public key, so no secret is needed; enc is bound as it is spelt.
    """
    plain, key = inner(), public(RECIPIENT)
    enc = ((1 << 255) - 19 + 9).to_bytes(32, "little")
    header = bytes([1, 0]) + key_id(key)
    info = b"nse-envelope-v1\0" + header + bytes([len(TOPIC)]) + TOPIC.encode()
    aead_key, nonce, _ = hpke(key, None, info, enc=enc, point=key)
    return header + enc + chacha_seal(aead_key, nonce, plain)


def times(mine):
    mine.opens("last-moment", "ttl 3600, to the millisecond", v1(), opened(), now=ISSUED + 3_600_000)
    mine.opens("ttl-0", "ttl 0 is 30 days", v1(inner(ttl=0)), opened(), now=ISSUED + MONTH)
    mine.opens("ttl-1", "the shortest life", v1(inner(ttl=1)), opened(), now=ISSUED + 1000)
    mine.opens("clock-ahead", "issued 5 minutes from now", v1(), opened(), now=ISSUED - 300_000)
    mine.refused("expired", "one millisecond late", "expired", v1(), now=ISSUED + 3_600_001)
    mine.refused("expired-1", "a second and a millisecond", "expired", v1(inner(ttl=1)), now=ISSUED + 1001)
    mine.refused("ttl-capped", "a ttl over 30 days counts as 30", "expired", v1(inner(ttl=0xFFFFFFFF)),
                 now=ISSUED + MONTH + 1)
    mine.refused("expired-0", "30 days and a millisecond", "expired", v1(inner(ttl=0)), now=ISSUED + MONTH + 1)
    mine.refused("issued-1970", "sealed by a clock that was never set", "expired", v1(inner(issued=0, ttl=0)))
    mine.refused("future", "issued 5 minutes and a millisecond from now", "issuedInFuture", v1(), now=ISSUED - 300_001)
    mine.refused("far-future", "the last moment that can be written", "issuedInFuture", v1(inner(issued=(1 << 48) - 1)))
    mine.refused("replayed", "opened before as another push", "replayed", v1(), opened_as=7, row=8)
    mine.refused("replayed-psk", "a known sender's envelope, opened before as another push", "replayed",
                 v1(sender=SENDER), senders=[SENDER], opened_as=7, row=8)
    mine.refused("replayed-late", "opened 30 days before, and still valid", "replayed", v1(inner(ttl=0)), opened_as=7,
                 opened_at=ISSUED, row=8, now=ISSUED + MONTH)
