# SPDX-License-Identifier: Apache-2.0
"""Sealing in each format of FORMAT.md, with a handle on every byte that can be wrong."""

import hashlib

from nacl.bindings import crypto_box, crypto_secretbox

from .primitives import (
    agree, base64url, cbc_seal, chacha_seal, fixed, gcm_seal, hkdf, key_id, mac, p256_agree, p256_public, pkcs7, public,
)

RECIPIENT = bytes.fromhex("02a37807467cc0e24978256812b5f1fb03341b795b79ed8c1c85c04f8ea6a434")
OTHER = bytes.fromhex("11" * 32)
SENDER = bytes.fromhex("69e7797fa259a6bfcfd0a9fc11635feb47e9687f03d5abf2fa8d381cd6dfc178")
EPHEMERAL = bytes.fromhex("efeac3c252bdbf9da39ec27c31fbe3897361a111e63e1ca1814bfd616749eee5")
# A paired secret: its id, and the 32 bytes that are the psk.
PAIRED = (fixed("paired id", 8), fixed("paired secret"))
TOPIC = "com.example.app"
ISSUED = 1795228800000
CONTENT = b'{"title":"Door","body":"Front door opened"}'
PSK, COLLAPSE, REQUEST = 1, 2, 4


# v1


def hpke(recipient, ephemeral, info, psk=b"", psk_id=b"", enc=None, point=None):
    """Key, base nonce and encapsulated key of RFC 9180, Section 5.1.

    `enc` and `point` replace the ephemeral public key and the Diffie-Hellman result.
    """
    kem, suite = b"HPKE-v1KEM\x00\x20", b"HPKE-v1HPKE\x00\x20\x00\x01\x00\x03"
    enc = enc or public(ephemeral)
    prk = mac(b"", kem + b"eae_prk" + (point or agree(ephemeral, recipient)))
    shared = mac(prk, b"\0\x20" + kem + b"shared_secret" + enc + recipient + b"\x01")
    context = (
        bytes([1 if psk else 0]) + mac(b"", suite + b"psk_id_hash" + psk_id) + mac(b"", suite + b"info_hash" + info)
    )
    secret = mac(shared, suite + b"secret" + psk)
    key = mac(secret, b"\0\x20" + suite + b"key" + context + b"\x01")
    nonce = mac(secret, b"\0\x0c" + suite + b"base_nonce" + context + b"\x01")[:12]
    return key, nonce, enc


def sender_psk(sender, recipient):
    return hkdf(b"", agree(sender, recipient), b"nse-sender-psk-v1\0" + public(sender) + recipient, 32)


def inner(content=CONTENT, kind=1, zero=0, issued=ISSUED, ttl=3600, count=None, size=256, tail=b""):
    count = len(content) if count is None else count
    head = bytes([kind, zero]) + issued.to_bytes(6, "big") + ttl.to_bytes(4, "big") + count.to_bytes(2, "big")
    body = head + content
    return body + bytes(max(0, size - len(body) - len(tail))) + tail


def envelope(
    plain=None, sender=None, collapse=None, request=None, topic=TOPIC, recipient=RECIPIENT, kind=1, flags=None,
    psk=None, paired=None, ephemeral=EPHEMERAL
):
    """`sender` is a secret key, `paired` an id and a secret; `psk` and `flags` replace what would be right."""
    has_sender = bool(sender or paired)
    if flags is None:
        flags = (PSK if has_sender else 0) | (COLLAPSE if collapse else 0) | (REQUEST if request else 0)
    key = public(recipient)
    sender_id = paired[0] if paired else key_id(public(sender)) if sender else b""
    header = bytes([kind, flags]) + key_id(key) + sender_id
    info = b"nse-envelope-v1\0" + header
    for part in [topic, collapse, request]:
        if part is not None:
            info += bytes([len(part.encode())]) + part.encode()
    right = paired[1] if paired else sender_psk(sender, key) if sender else b""
    aead_key, nonce, enc = hpke(key, ephemeral, info, psk or right, sender_id)
    return header + enc + chacha_seal(aead_key, nonce, inner() if plain is None else plain)


def v1(*arguments, **named):
    return v1_text(envelope(*arguments, **named))


def v1_text(data):
    return "v1." + base64url(data)


# libsodium's boxes


def sealed_box(content=CONTENT, recipient=RECIPIENT):
    key, enc = public(recipient), public(EPHEMERAL)
    nonce = hashlib.blake2b(enc + key, digest_size=24).digest()
    return enc + crypto_box(content, nonce, key, EPHEMERAL)


NONCE = bytes(range(24))


def box(content=CONTENT, sender=SENDER, recipient=RECIPIENT, nonce=NONCE, name=None):
    """Sender id, nonce, tag, ciphertext; `name` is the key whose id stands there, if it is not the sender's own."""
    return key_id(public(name or sender)) + nonce + crypto_box(content, nonce, public(recipient), sender)


def box_text(data):
    return "box." + base64url(data)


# Web Push: the keys, salt and message of RFC 8291, Appendix A.

PUSH_PRIVATE = bytes.fromhex("ab5757a70dd4a53e553a6bbf71ffefea2874ec07a6b379e3c48f895a02dc33de")
PUSH_AUTH = bytes.fromhex("05305932a1c7eabe13b6cec9fda48882")
PUSH_EPHEMERAL = bytes.fromhex("c9f58f89813e9f8e872e71f42aa64e1757c9254dcc62b72ddc010bb4043ea11c")
PUSH_SALT = bytes.fromhex("0c6bfaadad67958803092d454676f397")
PUSH_MESSAGE = b"When I grow up, I want to be a watermelon"


def push_key(private=PUSH_PRIVATE, auth=PUSH_AUTH):
    """The line of a key file."""
    return f"{base64url(private)} {base64url(auth)}"


def web_push(
    content=CONTENT, private=PUSH_PRIVATE, auth=PUSH_AUTH, salt=PUSH_SALT, size=4096, tail=b"\x02", point=None
):
    """salt, record size, length of the key id, sender's public key, one record.

    `tail` follows the content: the delimiter and zeros; `point` replaces the sender's public key in the header.
    """
    receiver, sender = p256_public(private), p256_public(PUSH_EPHEMERAL)
    secret = hkdf(auth, p256_agree(PUSH_EPHEMERAL, receiver), b"WebPush: info\0" + receiver + sender, 32)
    key = hkdf(salt, secret, b"Content-Encoding: aes128gcm\0", 16)
    nonce = hkdf(salt, secret, b"Content-Encoding: nonce\0", 12)
    point = sender if point is None else point
    return salt + size.to_bytes(4, "big") + bytes([len(point)]) + point + gcm_seal(key, nonce, content + tail)


def push_text(data):
    return "wp." + base64url(data)


# Home Assistant

HOME = fixed("home assistant secret")


def home(content=CONTENT, key=HOME, nonce=NONCE):
    return nonce + crypto_secretbox(content, nonce, key)


def old_home_key(secret=HOME):
    """What old servers use: half of the secret's hexadecimal text, as bytes."""
    return secret.hex()[:32].encode()


# Bark

BARK_KEYS = {
    128: "1234567890123456",
    192: "123456789012345678901234",
    256: "12345678901234567890123456789012",
}
BARK_KEY = BARK_KEYS[128]
GCM_IV = "111111111111"
CBC_IV = "1111111111111111"
# What Bark itself shows as its example.
BARK_CONTENT = b'{"body": "test", "sound": "birdsong"}'


def bark_gcm(content=CONTENT, key=BARK_KEY, iv=GCM_IV):
    return gcm_seal(key.encode(), iv.encode(), content)


def bark_cbc(content=CONTENT, key=BARK_KEY, iv=CBC_IV, padded=None):
    """`padded` replaces the content with its padding."""
    return cbc_seal(key.encode(), iv.encode(), pkcs7(content) if padded is None else padded)
