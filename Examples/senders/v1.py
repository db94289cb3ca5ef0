# SPDX-License-Identifier: Apache-2.0
"""Seals a payload in an envelope, format v1: HPKE written out on top of X25519, HMAC-SHA256 and ChaCha20-Poly1305.

    python3 v1.py --topic com.example.chat [--sender KEY-FILE] [--collapse-id ID] [--ttl SECONDS] RECIPIENT \\
        <payload.json >body.json

With a sender the receiver knows who sealed, without one it is anonymous. Needs cryptography (Debian:
python3-cryptography). Where an HPKE library is at hand, v1_pyhpke.py is the shorter way.

Source: FORMAT.md, "Envelope"; RFC 9180, Sections 4.1 and 5.1.
"""

import argparse
import base64
import hashlib
import hmac
import time

import nse

with nse.needs("cryptography", debian="python3-cryptography"):
    from cryptography.hazmat.primitives.asymmetric.x25519 import X25519PrivateKey, X25519PublicKey
    from cryptography.hazmat.primitives.ciphers.aead import ChaCha20Poly1305
    from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat

PSK, COLLAPSE_ID, REQUEST_ID = 1, 2, 4
KEM = b"HPKE-v1KEM\x00\x20"
SUITE = b"HPKE-v1HPKE\x00\x20\x00\x01\x00\x03"


def public(secret):
    return X25519PrivateKey.from_private_bytes(secret).public_key().public_bytes(Encoding.Raw, PublicFormat.Raw)


def agree(secret, peer):
    return X25519PrivateKey.from_private_bytes(secret).exchange(X25519PublicKey.from_public_bytes(peer))


def mac(key, message):
    return hmac.new(key, message, hashlib.sha256).digest()


def header_and_info(topic, recipient, sender_id=b"", collapse_id=None, request_id=None):
    """The clear head of an envelope, and what it is bound to."""
    flags = (PSK if sender_id else 0) | (COLLAPSE_ID if collapse_id else 0) | (REQUEST_ID if request_id else 0)
    header = bytes([1, flags]) + nse.key_id(recipient) + sender_id
    info = b"nse-envelope-v1\0" + header
    for part in [topic, collapse_id, request_id]:
        if part:
            info += bytes([len(part.encode())]) + part.encode()
    return header, info


def inner(payload, ttl=0, issued=None):
    """What is encrypted: type, zero, when, how long, length, content, and zeros that hide how much there is."""
    issued = int(time.time() * 1000) if issued is None else issued
    plain = b"\x01\x00" + issued.to_bytes(6, "big") + ttl.to_bytes(4, "big") + len(payload).to_bytes(2, "big") + payload
    length = next((size for size in [256, 512, 1024, 1536, 2048, 2560] if size >= len(plain)), len(plain))
    return plain.ljust(length, b"\0")


def pair_psk(own, peer, sender, recipient):
    """The secret of a sender and a recipient, from either's secret key; work it out once and keep it."""
    prk = mac(bytes(32), agree(own, peer))
    return mac(prk, b"nse-sender-psk-v1\0" + sender + recipient + b"\x01")


def key_and_nonce(shared_point, enc, recipient, info, psk=b"", psk_id=b""):
    """HPKE's key schedule; `psk` makes the mode."""
    prk = mac(bytes(32), KEM + b"eae_prk" + shared_point)
    shared = mac(prk, b"\0\x20" + KEM + b"shared_secret" + enc + recipient + b"\x01")
    context = bytes([1 if psk else 0])
    context += mac(bytes(32), SUITE + b"psk_id_hash" + psk_id) + mac(bytes(32), SUITE + b"info_hash" + info)
    secret = mac(shared, SUITE + b"secret" + psk)
    key = mac(secret, b"\0\x20" + SUITE + b"key" + context + b"\x01")
    nonce = mac(secret, b"\0\x0c" + SUITE + b"base_nonce" + context + b"\x01")[:12]
    return key, nonce


def seal(payload, recipient, topic, sender=None, collapse_id=None, ttl=0):
    """`recipient` is a public key, `sender` a secret one; `ttl` in seconds, 0 is 30 days."""
    sender_id = nse.key_id(public(sender)) if sender else b""
    header, info = header_and_info(topic, recipient, sender_id, collapse_id)
    psk = pair_psk(sender, recipient, public(sender), recipient) if sender else b""
    ephemeral = X25519PrivateKey.generate()
    enc = ephemeral.public_key().public_bytes(Encoding.Raw, PublicFormat.Raw)
    point = ephemeral.exchange(X25519PublicKey.from_public_bytes(recipient))
    key, nonce = key_and_nonce(point, enc, recipient, info, psk, sender_id)
    envelope = header + enc + ChaCha20Poly1305(key).encrypt(nonce, inner(payload, ttl), None)
    return "v1." + base64.urlsafe_b64encode(envelope).decode().rstrip("=")


def arguments():
    parser = argparse.ArgumentParser(description="Seal a payload from standard input in an envelope.")
    parser.add_argument("--topic", required=True, help="the app's topic: it opens under no other")
    parser.add_argument("--sender", help="key file to seal in the name of")
    parser.add_argument("--collapse-id", help="bind it to this apns-collapse-id")
    parser.add_argument("--ttl", type=int, default=0, help="seconds that it may be opened")
    parser.add_argument("recipient", help="public key, nse1… or 64 hexadecimal digits")
    given = parser.parse_args()
    if not 0 <= given.ttl < 1 << 32:
        parser.error("--ttl is from 0 to 4294967295 seconds")
    if any(len(text.encode()) > 255 for text in (given.topic, given.collapse_id or "")) or not given.topic:
        parser.error("--topic and --collapse-id have 1 to 255 bytes")
    return given


def main(seal):
    given = arguments()
    sender = nse.secret_keys(given.sender)[0] if given.sender else None
    recipient = nse.public_key(given.recipient)
    print(nse.push(seal(nse.payload(), recipient, given.topic, sender, given.collapse_id, given.ttl)))


if __name__ == "__main__":
    nse.run(lambda: main(seal))
