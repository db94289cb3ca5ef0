# SPDX-License-Identifier: Apache-2.0
"""The formats that come in fields of their own: home-assistant, bark-gcm, bark-cbc. The input is a whole body."""

from .envelopes import MONTH
from .files import ALERT, Formatted, opened, spoken
from .formats import (
    BARK_CONTENT, BARK_KEY, BARK_KEYS, CBC_IV, CONTENT, GCM_IV, HOME, ISSUED, NONCE, bark_cbc, bark_gcm, home,
    old_home_key, sealed_box, v1,
)
from .primitives import base64url, ecb_seal, fixed, flipped, pkcs7, standard

BIRDSONG = {"aps": {"alert": {"body": "test"}, "sound": "birdsong"}}
FALLBACK = {"alert": {"body": "clear"}, "mutable-content": 1}


def add(vectors):
    secret = [("home-assistant", HOME.hex())]
    home_assistant(Formatted(vectors, "home-assistant", accept="home-assistant", foreign=secret, keys=[]))
    gcm_key = [("bark-gcm", f"{BARK_KEY} {GCM_IV}")]
    gcm(Formatted(vectors, "bark-gcm", accept="bark-gcm", foreign=gcm_key, keys=[]))
    cbc_key = [("bark-cbc", f"{BARK_KEY} {CBC_IV}")]
    cbc(Formatted(vectors, "bark-cbc", accept="bark-cbc", foreign=cbc_key, keys=[]))


# Home Assistant


def home_body(data, **more):
    text = standard(data) if isinstance(data, bytes) else data
    return {"aps": FALLBACK, "encrypted": True, "encrypted_data": text} | more


def home_assistant(mine):
    data = home()
    text = standard(data)
    known = opened(form="home-assistant", authenticated=True)
    mine.opens("json", "a payload; what is clear is dropped", home_body(data, k=1), known)
    mine.opens("message-body", "beside a body, message is a key like others",
               home_body(home(b'{"body":"open","message":"m"}')),
               opened({"aps": {"alert": {"body": "open"}}, "message": "m"}, form="home-assistant", authenticated=True))
    mine.opens("message", "what Home Assistant calls the message is the body",
               home_body(home(b'{"title":"Door","message":"open","data":{"tag":"d"}}')),
               opened({"aps": {"alert": {"title": "Door", "body": "open"}}, "data": {"tag": "d"}},
                      "home-assistant", authenticated=True))
    mine.opens("text", "text in it", home_body(home(b"hello")), spoken("hello", "home-assistant", authenticated=True))
    mine.opens("old-key", "an old server's key: 32 characters of the secret's text",
               home_body(home(key=old_home_key())), known)
    mine.opens("url", "base64url without padding", home_body(base64url(data)), known)
    mine.opens("unpadded", "base64 without padding", home_body(text.rstrip("=")), known)
    mine.opens("second-secret", "the second of two servers", home_body(data), known,
               foreign=[("home-assistant", fixed("another server").hex()), ("home-assistant", HOME.hex())])
    others = [("home-assistant", fixed(f"server {number}").hex()) for number in range(4)]
    mine.opens("fourth-secret", "the fourth server is tried", home_body(data), known,
               foreign=others[:3] + [("home-assistant", HOME.hex())])
    mine.refused("fifth-secret", "four servers are tried, not five", "notOpened", home_body(data),
                 foreign=others + [("home-assistant", HOME.hex())])
    mine.opens("upper-case", "a secret in upper case is the same secret", home_body(data), known,
               foreign=[("home-assistant", HOME.hex().upper())])
    for offset in [15, 16]:
        mine.opens(f"nonce-{offset}", f"another byte {offset} of the nonce: 0 to 15 are its identity",
                   home_body(home(nonce=flipped(NONCE, offset))), known)
    mine.opens("keep-clear", "a clear key that the policy keeps",
               home_body(data, k=1), opened(ALERT | {"k": 1}, "home-assistant", authenticated=True, clear=["k"]),
               keep_clear=["k", "encrypted", "encrypted_data"])
    mine.opens("same-row", "the same push again", home_body(data), known, opened_as=7, row=7)
    mine.opens("beside-ciphertext", "another system's field beside it", home_body(data, ciphertext="AAAA"), known)

    mine.refused("default-policy", "fields of a format that is not accepted mean nothing", "formatNotAccepted",
                 home_body(data), accept=None)
    mine.refused("sender-required", "a secret is shared, and no sender is named", "senderRequired", home_body(data),
                 require_sender=True)
    for name, change in {
        "encrypted-false": {"encrypted": False}, "encrypted-text": {"encrypted": "true"},
        "encrypted-1": {"encrypted": 1}, "data-number": {"encrypted_data": 7}, "data-null": {"encrypted_data": None},
        "data-object": {"encrypted_data": {}}, "data-array": {"encrypted_data": [text]},
    }.items():
        mine.refused(name, "a field that is not what it should be", "formatNotAccepted", home_body(data) | change)
    mine.refused("data-absent", "encrypted, and nothing that is", "formatNotAccepted",
                 {"aps": FALLBACK, "encrypted": True})
    mine.refused("flag-absent", "no word of encryption", "formatNotAccepted",
                 {"aps": FALLBACK, "encrypted_data": text})
    mine.refused("sealed-content-first", "encrypted-content is the one that counts, whatever else there is",
                 "formatNotAccepted v1", home_body(data) | {"encrypted-content": v1()})
    mine.refused("sealed-content-null", "encrypted-content counts even when it is null", "formatNotAccepted",
                 home_body(data) | {"encrypted-content": None})
    mine.refused("short", "less than a nonce and a tag", "tooShort 40 39", home_body(home(b"")[:39]))
    mine.refused("empty", "a text of no characters", "tooShort 40 0", home_body(""))
    mine.refused("white-space", "a wrapped text", "malformedText 76", home_body(text[:76] + "\n" + text[76:]))
    mine.refused("padding-inside", "padding in the middle", "malformedText 8", home_body(text[:8] + "=" + text[9:]))
    mine.refused("odd-length", "one character over a whole group", "malformedText 81", home_body(text[:81]))
    mine.refused("dot", "a text of another format", "malformedText 2", home_body(v1()))
    mine.refused("large", "longer than any push", "tooLarge 8192 8196", home_body("A" * 8196))
    for name, comment, damaged in [
        ("nonce", "another nonce", flipped(data, 0)), ("tag", "a changed tag", flipped(data, 24)),
        ("ciphertext", "a changed ciphertext", flipped(data, len(data) - 1)), ("shorter", "a byte missing", data[:-1]),
        ("longer", "a byte more", data + b"\0"), ("other-secret", "another server", home(key=fixed("another server"))),
        ("hex-key", "the last 32 characters of the secret's text", home(key=HOME.hex()[32:].encode())),
    ]:
        mine.refused(name, comment, "notOpened", home_body(damaged))
    mine.refused("upper-old-key", "an old server's key is text as it was written", "notOpened",
                 home_body(home(key=old_home_key().upper())))
    mine.refused("no-secret", "a ring without a secret of this format", "notOpened", home_body(data), foreign=[],
                 keys=[HOME])
    mine.refused("duplicate-key", "an object that breaks the rules is no text", "badContent",
                 home_body(home(b'{"body":"a","body":"b"}')))
    mine.refused("nul", "a text with a NUL", "badContent", home_body(home(b"a\0b")))
    mine.refused("replayed", "opened before as another push", "replayed", home_body(data), opened_as=7, row=8)
    mine.refused("replayed-late", "opened 30 days before", "replayed", home_body(data), opened_as=7, opened_at=ISSUED,
                 row=8, now=ISSUED + MONTH)


# Bark


def bark_body(data, **more):
    return {"aps": FALLBACK, "ciphertext": standard(data) if isinstance(data, bytes) else data} | more


def gcm(mine):
    data = bark_gcm()
    text = standard(data)
    iv = "abcdefghijkl"
    # Under a key with an iv in the key file nothing is authentic: see "forged".
    known = opened(form="bark-gcm")
    own = opened(form="bark-gcm", authenticated=True)
    for size, key in BARK_KEYS.items():
        mine.opens(f"aes-{size}", f"a key of {len(key)} characters", bark_body(bark_gcm(key=key)), known,
                   foreign=[("bark-gcm", f"{key} {GCM_IV}")])
    mine.opens("message-iv", "the message brings the iv", bark_body(bark_gcm(iv=iv), iv=iv), own,
               foreign=[("bark-gcm", BARK_KEY)])
    mine.opens("message-iv-first", "the message's iv goes before that of the key", bark_body(bark_gcm(iv=iv), iv=iv),
               known)
    mine.opens("pkcs7", "a padding that some senders add", bark_body(bark_gcm(pkcs7(CONTENT))), known)
    mine.opens("pkcs7-block", "a whole block of padding", bark_body(bark_gcm(pkcs7(b'{"body":"block"}'))),
               spoken("block", "bark-gcm"))
    mine.opens("not-pkcs7", "an end that only looks like padding", bark_body(bark_gcm(b"two, not three\3\3")),
               spoken("two, not three\3\3", "bark-gcm"))
    mine.opens("text", "text in it", bark_body(bark_gcm(b"hello")), spoken("hello", "bark-gcm"))
    mine.opens("url", "base64url without padding", bark_body(base64url(data)), known)
    mine.opens("second-key", "the second of two keys", bark_body(data), known,
               foreign=[("bark-gcm", f"{BARK_KEYS[256]} {GCM_IV}"), ("bark-gcm", f"{BARK_KEY} {GCM_IV}")])
    mine.opens("both-accepted", "where both of Bark's are accepted, this is the one", bark_body(data), known,
               accept="bark-cbc, bark-gcm",
               foreign=[("bark-cbc", f"{BARK_KEY} {CBC_IV}"), ("bark-gcm", f"{BARK_KEY} {GCM_IV}")])
    mine.opens("no-identity", "without an iv of its own a message cannot be told from the same words said again",
               bark_body(data), known, opened_as=7, row=8)

    # T ^ T' = (C ^ C') * H^2 for two messages of one block, so that H is the root; the rest is known from either.
    forged = "6tYNu2g3cLxi00XEcRyfZZIZ+rgz3YG/OMDLunyVPQ=="
    mine.opens("forged", "made without the key, of two messages that were seen under the iv of the key file",
               bark_body(forged), spoken("EVIL", "bark-gcm"))
    mine.opens("forged-iv", "the same, sent with that iv as if it were its own", bark_body(forged, iv=GCM_IV),
               spoken("EVIL", "bark-gcm"))

    mine.refused("default-policy", "fields of a format that is not accepted mean nothing", "formatNotAccepted",
                 bark_body(data), accept=None)
    bark_shared(mine, data, text, bark_gcm)
    mine.refused("short", "less than a tag", "tooShort 16 15", bark_body(data[:15]))
    mine.refused("empty", "a text of no characters", "tooShort 16 0", bark_body(""))
    mine.refused("tag", "a changed tag", "notOpened", bark_body(flipped(data, len(data) - 1)))
    mine.refused("shorter", "a byte missing", "notOpened", bark_body(data[:-1]))
    mine.refused("longer", "a byte more", "notOpened", bark_body(data + b"\0"))
    mine.refused("cbc", "CBC under the same key", "notOpened", bark_body(bark_cbc()))
    mine.refused("both-cbc", "where both of Bark's are accepted, CBC is never tried", "notOpened",
                 bark_body(bark_cbc()), accept="bark-gcm, bark-cbc",
                 foreign=[("bark-gcm", f"{BARK_KEY} {GCM_IV}"), ("bark-cbc", f"{BARK_KEY} {CBC_IV}")])
    mine.refused("cbc-line", "a key that the file gives to the other mode", "notOpened", bark_body(data),
                 foreign=[("bark-cbc", f"{BARK_KEY} {CBC_IV}")])
    long_iv = "1" * 16
    mine.refused("iv-16", "an iv of 16 characters", "notOpened", bark_body(bark_gcm(iv=long_iv), iv=long_iv))
    mine.refused("duplicate-key", "an object that breaks the rules is no text", "badContent",
                 bark_body(bark_gcm(b'{"body":"a","body":"b"}')))
    mine.refused("nul", "a text with a NUL", "badContent", bark_body(bark_gcm(b"a\0b")))
    mine.refused("replayed", "opened before as another push, by its own iv", "replayed",
                 bark_body(bark_gcm(iv=iv), iv=iv), opened_as=7, row=8)


def cbc(mine):
    data = bark_cbc()
    text = standard(data)
    iv = "abcdefghijklmnop"
    mine.opens("example", "Bark's own example", bark_body(bark_cbc(BARK_CONTENT)),
               opened(BIRDSONG, "bark-cbc"))
    known = opened(form="bark-cbc")
    for size, key in BARK_KEYS.items():
        mine.opens(f"aes-{size}", f"a key of {len(key)} characters", bark_body(bark_cbc(key=key)), known,
                   foreign=[("bark-cbc", f"{key} {CBC_IV}")])
    mine.opens("message-iv", "the message brings the iv", bark_body(bark_cbc(iv=iv), iv=iv), known,
               foreign=[("bark-cbc", BARK_KEY)])
    mine.opens("message-iv-first", "the message's iv goes before that of the key", bark_body(bark_cbc(iv=iv), iv=iv),
               known)
    whole = b'{"body":"block"}'
    assert len(whole) == 16
    mine.opens("whole-block", "a content of one block is followed by one of padding", bark_body(bark_cbc(whole)),
               spoken("block", "bark-cbc"))
    mine.opens("second-key", "the second of two keys", bark_body(data), known,
               foreign=[("bark-cbc", f"{BARK_KEYS[192]} {CBC_IV}"), ("bark-cbc", f"{BARK_KEY} {CBC_IV}")])
    mine.opens("no-identity", "without an iv of its own a message cannot be told from the same words said again",
               bark_body(data), known, opened_as=7, row=8)

    mine.refused("default-policy", "fields of a format that is not accepted mean nothing", "formatNotAccepted",
                 bark_body(data), accept=None)
    bark_shared(mine, data, text, bark_cbc)
    mine.refused("empty", "no block", "tooShort 16 0", bark_body(""))
    mine.refused("part-block", "less than a block", "tooShort 16 15", bark_body(data[:15]))
    mine.refused("odd-block", "a byte over whole blocks", f"tooShort {len(data) + 16} {len(data) + 1}",
                 bark_body(data + b"\0"))
    for name, padded in {
        "padding-0": CONTENT + bytes(5), "padding-17": CONTENT + b"\x11" * 5, "padding-mixed": CONTENT + b"\1\2\5\4\5",
        "padding-over": b" " * 15 + b"\x11", "padding-none": b'{"body":"12345"}',
    }.items():
        mine.refused(name, "a padding that is none", "notOpened", bark_body(bark_cbc(padded=padded)))
    mine.refused("gcm", "GCM under the same key, of as many bytes as blocks have", "notOpened",
                 bark_body(bark_gcm(b'{"body":"block"}')))
    mine.refused("ecb", "blocks that know nothing of each other", "notOpened",
                 bark_body(ecb_seal(BARK_KEY.encode(), pkcs7(CONTENT))))
    mine.refused("gcm-line", "a key that the file gives to the other mode", "notOpened", bark_body(data),
                 foreign=[("bark-gcm", f"{BARK_KEY} {GCM_IV}")])
    short_iv = "1" * 12
    mine.refused("iv-12", "an iv of 12 characters", "notOpened", bark_body(data, iv=short_iv))
    for name, content in {
        "not-json": b"hello", "array": b"[1]", "duplicate-key": b'{"body":"a","body":"b"}',
        "nul": b'{"body":"\\u0000"}',
        "utf8": b'{"body":"\xff"}', "aps-type": b'{"aps":1}', "body-type": b'{"body":1}',
    }.items():
        mine.refused(f"content-{name}", "unauthenticated, so bad content has no error of its own", "notOpened",
                     bark_body(bark_cbc(content)))
    mine.refused("first-block", "a changed block that makes the next one say something else", "notOpened",
                 bark_body(flipped(data, 0)))
    mine.refused("replayed", "opened before as another push, by its own iv", "replayed",
                 bark_body(bark_cbc(iv=iv), iv=iv), opened_as=7, row=8)


def bark_shared(mine, data, text, seal):
    """What both of Bark's modes refuse in the same way."""
    form, other = mine.form, BARK_KEYS[256]
    mine.refused("sender-required", "a key is shared, and no sender is named", "senderRequired", bark_body(data),
                 require_sender=True)
    for name, value in {"number": 7, "null": None, "object": {}, "array": [text]}.items():
        mine.refused(f"ciphertext-{name}", "a field that is not what it should be", "formatNotAccepted",
                     bark_body(value))
    mine.refused("absent", "a body in which nothing is sealed", "formatNotAccepted", {"aps": FALLBACK, "iv": "1" * 16})
    mine.refused("sealed-content-first", "encrypted-content is the one that counts, whatever else there is",
                 "formatNotAccepted sealed-box", bark_body(data) | {"encrypted-content": standard(sealed_box())})
    mine.opens("wrapped", "lines of 76 characters, as base64(1) writes them",
               bark_body(text[:76] + "\n" + text[76:] + "\r\n"), opened(form=form))
    mine.opens("translated", "keys in any case, a badge written as text, a group for the thread",
               bark_body(seal(b'{"Title":"Door","BODY":"open","badge":"3","group":"g"}')),
               opened({"aps": {"alert": {"title": "Door", "body": "open"}, "badge": 3, "thread-id": "g"}, "group": "g"},
                      form=form))
    mine.opens("translated-twice", "of two spellings of a key the first counts",
               bark_body(seal(b'{"BODY":"first","body":"second"}')),
               opened({"aps": {"alert": {"body": "first"}}}, form=form))
    mine.refused("wrapped-bad", "a character that is none, behind a line end", "malformedText 42",
                 bark_body("\r\n" + text[:40] + "?" + text[41:]))
    mine.refused("white-space", "a space in a text", "malformedText 40", bark_body(text[:40] + " " + text[40:]))
    mine.refused("padding-inside", "padding in the middle", "malformedText 8", bark_body(text[:8] + "=" + text[9:]))
    mine.refused("large", "longer than any push", "tooLarge 8192 8196", bark_body("A" * 8196))
    mine.refused("ciphertext", "a changed ciphertext", "notOpened", bark_body(flipped(data, 20)))
    mine.refused("other-key", "another key", "notOpened", bark_body(seal(key="6543210987654321")))
    mine.refused("other-size", "a key of another size", "notOpened", bark_body(seal(key=other)))
    mine.refused("no-key", "a ring without a key of this format", "notOpened", bark_body(data), foreign=[],
                 keys=[fixed("ring 0")])
    others = [(form, f"{number}234567890123456 " + "1" * (12 if form == "bark-gcm" else 16)) for number in range(2, 6)]
    mine.refused("fifth-key", "four keys are tried, not five", "notOpened", bark_body(data),
                 foreign=others + mine.shared["foreign"])
    mine.refused("no-iv", "neither the message nor the key has an iv", "notOpened", bark_body(data),
                 foreign=[(form, BARK_KEY)])
    mine.refused("iv-empty", "an iv of no characters", "notOpened", bark_body(data, iv=""))
    mine.refused("iv-other", "another iv", "notOpened", bark_body(data, iv="2" * (12 if form == "bark-gcm" else 16)))
    mine.refused("iv-longer", "an iv of one character too many", "notOpened",
                 bark_body(data, iv="1" * (13 if form == "bark-gcm" else 17)))
