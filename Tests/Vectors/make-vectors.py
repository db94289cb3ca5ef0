# SPDX-License-Identifier: Apache-2.0
"""A second implementation of FORMAT.md, which writes the vectors in open/.

It shares no code with the Swift one: X25519, HKDF and ChaCha20-Poly1305 come from the package `cryptography`, the
sealed boxes from PyNaCl. Run `python3 make-vectors.py` in this folder; the output never changes.
"""

import base64
import hashlib
import hmac
import json
import pathlib

from cryptography.hazmat.primitives.asymmetric.x25519 import X25519PrivateKey, X25519PublicKey
from cryptography.hazmat.primitives.ciphers.aead import ChaCha20Poly1305
from nacl.bindings import crypto_box

RECIPIENT = bytes.fromhex("02a37807467cc0e24978256812b5f1fb03341b795b79ed8c1c85c04f8ea6a434")
OTHER = bytes.fromhex("11" * 32)
SENDER = bytes.fromhex("69e7797fa259a6bfcfd0a9fc11635feb47e9687f03d5abf2fa8d381cd6dfc178")
EPHEMERAL = bytes.fromhex("efeac3c252bdbf9da39ec27c31fbe3897361a111e63e1ca1814bfd616749eee5")
TOPIC = "com.example.app"
ISSUED = 1795228800000
CONTENT = b'{"title":"Door","body":"Front door opened"}'
ALERT = {"aps": {"alert": {"title": "Door", "body": "Front door opened"}}}
PSK, COLLAPSE, REQUEST = 1, 2, 4


def public(secret):
    return X25519PrivateKey.from_private_bytes(secret).public_key().public_bytes_raw()


def agree(secret, peer):
    return X25519PrivateKey.from_private_bytes(secret).exchange(X25519PublicKey.from_public_bytes(peer))


def key_id(key):
    return hashlib.sha256(b"nse-key-id-v1\0" + key).digest()[:8]


def mac(key, message):
    return hmac.new(key or b"\0", message, hashlib.sha256).digest()


def base64url(data):
    return base64.urlsafe_b64encode(data).rstrip(b"=").decode()


def hpke(recipient, ephemeral, info, psk=b"", psk_id=b""):
    """Key, base nonce and encapsulated key of RFC 9180, Section 5.1."""
    kem, suite = b"HPKE-v1KEM\x00\x20", b"HPKE-v1HPKE\x00\x20\x00\x01\x00\x03"
    enc = public(ephemeral)
    prk = mac(b"", kem + b"eae_prk" + agree(ephemeral, recipient))
    shared = mac(prk, b"\0\x20" + kem + b"shared_secret" + enc + recipient + b"\x01")
    context = (
        bytes([1 if psk else 0]) + mac(b"", suite + b"psk_id_hash" + psk_id) + mac(b"", suite + b"info_hash" + info)
    )
    secret = mac(shared, suite + b"secret" + psk)
    key = mac(secret, b"\0\x20" + suite + b"key" + context + b"\x01")
    nonce = mac(secret, b"\0\x0c" + suite + b"base_nonce" + context + b"\x01")[:12]
    return key, nonce, enc


def sender_psk(sender, recipient):
    prk = mac(b"", agree(sender, recipient))
    return mac(prk, b"nse-sender-psk-v1\0" + public(sender) + recipient + b"\x01")


def inner(content=CONTENT, kind=1, zero=0, issued=ISSUED, ttl=3600, count=None, size=256, tail=b""):
    count = len(content) if count is None else count
    head = bytes([kind, zero]) + issued.to_bytes(6) + ttl.to_bytes(4) + count.to_bytes(2)
    body = head + content
    return body + bytes(max(0, size - len(body) - len(tail))) + tail


def envelope(
    plain=None, sender=None, collapse=None, request=None, topic=TOPIC, recipient=RECIPIENT, kind=1, flags=None,
    psk=None, ephemeral=EPHEMERAL
):
    if flags is None:
        flags = (PSK if sender else 0) | (COLLAPSE if collapse else 0) | (REQUEST if request else 0)
    key = public(recipient)
    sender_id = key_id(public(sender)) if sender else b""
    header = bytes([kind, flags]) + key_id(key) + sender_id
    info = b"nse-envelope-v1\0" + header
    for part in [topic, collapse, request]:
        if part is not None:
            info += bytes([len(part.encode())]) + part.encode()
    psk = psk or (sender_psk(sender, key) if sender else b"")
    aead_key, nonce, enc = hpke(key, ephemeral, info, psk, sender_id)
    return header + enc + ChaCha20Poly1305(aead_key).encrypt(nonce, inner() if plain is None else plain, None)


def v1(*arguments, **named):
    return "v1." + base64url(envelope(*arguments, **named))


def sealed_box(content, recipient=RECIPIENT):
    key, enc = public(recipient), public(EPHEMERAL)
    nonce = hashlib.blake2b(enc + key, digest_size=24).digest()
    return enc + crypto_box(content, nonce, key, EPHEMERAL)


def opened(payload, sender=None, form="v1"):
    name = key_id(public(sender)).hex() if sender else None
    return payload | {"encryption": {"format": form, "authenticated": sender is not None, "sender": name}}


def flipped(data, offset, bit=0):
    return data[:offset] + bytes([data[offset] ^ 1 << bit]) + data[offset + 1:]


FOLDER = pathlib.Path(__file__).parent / "open"


def case(name, comment, expect, text, *, payload=None, senders=(), topic=TOPIC, collapse=None, request=None,
         now=ISSUED, accept=None, require_sender=False, keys=(RECIPIENT,)):
    lines = [f"comment: {comment}", f"expect: {expect}"]
    lines += [f"key: {key.hex()}" for key in keys]
    lines += [f"sender: {public(sender).hex()}" for sender in senders]
    lines.append(f"topic: {topic}")
    lines += [f"collapse-id: {collapse}"] if collapse else []
    lines += [f"request-id: {request}"] if request else []
    lines += [f"accept: {accept}"] if accept else []
    lines += ["require-sender: true"] if require_sender else []
    lines.append(f"now: {now}")
    lines += ["payload: " + json.dumps(payload, separators=(",", ":"), ensure_ascii=False)] if payload else []
    (FOLDER / f"{name}.txt").write_text("\n".join(lines) + "\n\n" + text + "\n")


def positive():
    case("base", "mode base", "opens", v1(), payload=opened(ALERT))
    case("psk", "mode psk: a known sender", "opens", v1(sender=SENDER), senders=[SENDER],
         payload=opened(ALERT, SENDER))
    case("psk-collapse", "bound to a collapse-id", "opens", v1(sender=SENDER, collapse="door"), senders=[SENDER],
         collapse="door", payload=opened(ALERT, SENDER))
    case("request", "bound to a request id", "opens", v1(request="8f1e4c9a-0000-4000-8000-000000000001"),
         request="8f1e4c9a-0000-4000-8000-000000000001", payload=opened(ALERT))
    case("psk-everything", "bound to all there is", "opens", v1(sender=SENDER, collapse="door", request="r1"),
         senders=[OTHER, SENDER], collapse="door", request="r1", payload=opened(ALERT, SENDER))
    case("unbound-collapse", "the push has a collapse-id that the envelope does not name", "opens", v1(),
         collapse="door", payload=opened(ALERT))
    case("second-key", "the older key of a ring", "opens", v1(), keys=[OTHER, RECIPIENT], payload=opened(ALERT))
    case("text", "inner type 2: the text is the body", "opens", v1(inner("Grüße".encode(), kind=2)),
         payload=opened({"aps": {"alert": {"body": "Grüße"}}}))
    case("unpadded", "no padding at all", "opens", v1(inner(size=0)), payload=opened(ALERT))
    case("aps", "an APNs payload; keys that belong outside are dropped", "opens",
         v1(inner(b'{"aps":{"alert":{"body":"b"},"mutable-content":1},"k":[1,2.5,null],"encryption":{"sender":"x"}}')),
         payload=opened({"aps": {"alert": {"body": "b"}}, "k": [1, 2.5, None]}))
    case("critical", "critical is not granted", "opens",
         v1(inner(b'{"aps":{"alert":"b","interruption-level":"critical","sound":{"critical":1,"name":"s"}}}')),
         payload=opened({"aps": {"alert": "b", "interruption-level": "active", "sound": "s"}}))
    case("shorthand", "every shorthand key and a custom one", "opens",
         v1(inner(b'{"x":1,"title":"t","subtitle":"s","body":"b","badge":3,"sound":"d","thread-id":"th","category":"c"}')),
         payload=opened({"aps": {"alert": {"title": "t", "subtitle": "s", "body": "b"}, "badge": 3, "sound": "d",
                                 "thread-id": "th", "category": "c"}, "x": 1}))
    month = 30 * 86_400_000
    case("last-moment", "ttl 3600, to the millisecond", "opens", v1(), now=ISSUED + 3_600_000, payload=opened(ALERT))
    case("ttl-0", "ttl 0 is 30 days", "opens", v1(inner(ttl=0)), now=ISSUED + month, payload=opened(ALERT))
    case("clock-ahead", "issued 5 minutes from now", "opens", v1(), now=ISSUED - 300_000, payload=opened(ALERT))
    box = sealed_box(CONTENT)
    anonymous = opened(ALERT, form="sealed-box")
    case("box", "a sealed box in padded base64", "opens", base64.b64encode(box).decode(), payload=anonymous)
    case("box-url", "a sealed box in base64url without padding", "opens", base64url(box), payload=anonymous)
    case("box-second-key", "a sealed box names no key", "opens", base64url(box), keys=[OTHER, RECIPIENT],
         payload=anonymous)
    case("box-text", "a sealed box with text", "opens", base64url(sealed_box(b"{hello}")),
         payload=opened({"aps": {"alert": {"body": "{hello}"}}}, form="sealed-box"))


def public_refusals():
    data = envelope()
    text = "v1." + base64url(data)
    case("padded-text", "padding", "malformedText 421", text[:-1] + "=")
    case("standard-alphabet", "a plus sign", "malformedText 40", text[:40] + "+" + text[41:])
    case("white-space", "a wrapped text", "malformedText 76", text[:76] + " " + text[76:])
    case("trailing-bits", "bits that no byte needs", "malformedText 421",
         text[:-1] + chr(ord(text[-1]) + 1))
    case("odd-length", "one character over a whole group", "malformedText 100", text[:100])
    case("empty-v1", "nothing after the dot", "tooShort 72 0", "v1.")
    case("short", "no room for an empty inner part", "tooShort 72 71", "v1." + base64url(data[:71]))
    case("short-psk", "no room for the sender's id", "tooShort 80 79",
         "v1." + base64url(envelope(sender=SENDER)[:79]), senders=[SENDER])
    case("large", "longer than any push", "tooLarge 8192 8193", "v1." + "A" * 8190)
    case("session", "kind 2 is reserved", "unsupportedVersion 2", v1(kind=2))
    case("flag-4", "a flag that nobody knows", "unknownFlags 16", v1(flags=16))
    case("flag-session-offer", "a flag that is reserved", "unknownFlags 9", v1(sender=SENDER, flags=9),
         senders=[SENDER])
    case("unknown-key", "sealed to someone else", f"unknownKey {key_id(public(OTHER)).hex()}", v1(recipient=OTHER))
    case("unknown-sender", "a sender who is not listed", f"unknownSender {key_id(public(SENDER)).hex()}",
         v1(sender=SENDER), senders=[OTHER])
    case("unknown-format", "a prefix that no format has", "formatNotAccepted", "v9.AAAA")
    case("v1-not-accepted", "the app takes sealed boxes only", "formatNotAccepted v1", text, accept="sealed-box")
    case("box-not-accepted", "the app takes envelopes only", "formatNotAccepted sealed-box",
         base64url(sealed_box(CONTENT)), accept="v1")
    case("sender-required", "mode base where a sender is required", "senderRequired", text, require_sender=True)
    case("box-sender-required", "a sealed box where a sender is required", "senderRequired",
         base64url(sealed_box(CONTENT)), require_sender=True)
    case("collapse-missing", "bound to a collapse-id, and the push has none", "contextMissing collapse-id",
         v1(collapse="door"))
    case("request-missing", "bound to a request id, and the push has none", "contextMissing request-id",
         v1(request="r1"))
    case("box-short", "less than an empty box", "tooShort 48 47", base64url(sealed_box(b"")[:47]))
    case("box-white-space", "a wrapped box", "malformedText 10", base64url(sealed_box(CONTENT))[:10] + "\n  A")


def secret_refusals():
    data = envelope()
    case("tag", "the last bit of the tag", "notOpened", "v1." + base64url(flipped(data, len(data) - 1)))
    case("enc", "another ephemeral key", "notOpened", "v1." + base64url(flipped(data, 10)))
    case("small-order", "an ephemeral key of order 1", "notOpened",
         "v1." + base64url(data[:10] + bytes(32) + data[42:]))
    case("other-topic", "another app's push", "notOpened", v1(topic="com.example.other"))
    case("other-collapse", "another collapse-id", "notOpened", v1(collapse="door"), collapse="gate")
    case("other-request", "another request id", "notOpened", v1(request="r1"), request="r2")
    case("other-psk", "a sender's id with a foreign secret", "notOpened", v1(sender=SENDER, psk=b"x" * 32),
         senders=[SENDER])
    case("flag-removed", "the collapse-id unbound on the way", "notOpened",
         "v1." + base64url(flipped(envelope(collapse="door"), 1, 1)), collapse="door")
    case("inner-type", "inner type 3", "notOpened", v1(inner(kind=3)))
    case("inner-zero", "the second inner byte", "notOpened", v1(inner(zero=1)))
    case("inner-length", "a content longer than the inner part", "notOpened", v1(inner(count=243)))
    case("inner-padding", "a padding that is not zero", "notOpened", v1(inner(tail=b"\1")))
    case("box-tag", "a changed sealed box", "notOpened", base64url(flipped(sealed_box(CONTENT), 40)))


def late_refusals():
    case("expired", "one millisecond late", "expired", v1(), now=ISSUED + 3_600_001)
    case("ttl-capped", "a ttl over 30 days counts as 30", "expired", v1(inner(ttl=0xFFFFFFFF)),
         now=ISSUED + 30 * 86_400_000 + 1)
    case("future", "issued 5 minutes and a millisecond from now", "issuedInFuture", v1(), now=ISSUED - 300_001)
    contents = {
        "not-json": b"hello", "array": b"[1]", "duplicate-key": b'{"body":"a","body":"b"}',
        "nul": b'{"body":"a\\u0000"}', "utf8": b'{"body":"\xff"}', "deep": b'{"a":' + b"[" * 16 + b"]" * 16 + b"}",
        "aps-type": b'{"aps":1}', "body-type": b'{"body":1}', "badge-type": b'{"badge":"1"}',
        "sound-type": b'{"sound":1}', "trailing": b'{"body":"a"} x',
    }
    for name, content in contents.items():
        case(f"content-{name}", "content that is no payload", "badContent", v1(inner(content)))
    case("text-nul", "a text with a NUL", "badContent", v1(inner(b"a\0b", kind=2)))
    case("text-utf8", "a text that is not UTF-8", "badContent", v1(inner(b"\xff", kind=2)))
    case("box-duplicate-key", "an object that breaks the rules is no text", "badContent",
         base64url(sealed_box(b'{"body":"a","body":"b"}')))


for old in FOLDER.glob("*.txt"):
    old.unlink()
positive()
public_refusals()
secret_refusals()
late_refusals()
