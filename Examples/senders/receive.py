# SPDX-License-Identifier: Apache-2.0
"""Opens a push: envelopes of format v1 and sealed boxes. For trying a sender out; it remembers no replays.

    python3 receive.py --topic com.example.chat --key KEY-FILE [--sender PUBLIC-KEY]… [--collapse-id ID] <body.json

Prints the content as it was sealed. Needs cryptography, and PyNaCl for sealed boxes.

Source: FORMAT.md, "Opening".
"""

import argparse
import base64
import json
import sys
import time

import nse
import v1

with nse.needs("cryptography", debian="python3-cryptography"):
    from cryptography.exceptions import InvalidTag
    from cryptography.hazmat.primitives.ciphers.aead import ChaCha20Poly1305


def decoded(text):
    try:
        return base64.b64decode(text + "=" * (-len(text) % 4), altchars=b"-_", validate=True)
    except ValueError:
        raise ValueError("malformedText") from None


def open_envelope(envelope, secrets, senders, topic, collapse_id=None, request_id=None):
    """The content of an envelope. Raises ValueError with the name that FORMAT.md gives to the error."""
    if len(envelope) < 72:
        raise ValueError("tooShort")
    kind, flags = envelope[:2]
    if kind != 1:
        raise ValueError("unsupportedVersion")
    if flags & ~7:
        raise ValueError("unknownFlags")
    start = 18 if flags & v1.PSK else 10
    if len(envelope) < start + 62:
        raise ValueError("tooShort")
    secret = next((secret for secret in secrets if nse.key_id(v1.public(secret)) == envelope[2:10]), None)
    if secret is None:
        raise ValueError("unknownKey")
    own, psk, sender_id = v1.public(secret), b"", envelope[10:start]
    if sender_id:
        sender = next((sender for sender in senders if nse.key_id(sender) == sender_id), None)
        if sender is None:
            raise ValueError("unknownSender")
        psk = v1.pair_psk(secret, sender, sender, own)
    bound = [collapse_id if flags & v1.COLLAPSE_ID else None, request_id if flags & v1.REQUEST_ID else None]
    if not topic or (flags & v1.COLLAPSE_ID and not collapse_id) or (flags & v1.REQUEST_ID and not request_id):
        raise ValueError("contextMissing")
    info = v1.header_and_info(topic, own, sender_id, *bound)[1]
    enc, sealed = envelope[start:start + 32], envelope[start + 32:]
    try:
        key, nonce = v1.key_and_nonce(v1.agree(secret, enc), enc, own, info, psk, sender_id)
        plain = ChaCha20Poly1305(key).decrypt(nonce, sealed, None)
    except (InvalidTag, ValueError):
        raise ValueError("notOpened") from None
    return content(plain)


def content(plain):
    """What stands in an inner part that is whole and of today."""
    issued, ttl = int.from_bytes(plain[2:8], "big"), int.from_bytes(plain[8:12], "big")
    end = 14 + int.from_bytes(plain[12:14], "big")
    if plain[0] not in (1, 2) or plain[1] or end > len(plain) or any(plain[end:]):
        raise ValueError("notOpened")
    month, now = 30 * 86400, time.time() * 1000
    if issued > now + 300_000:
        raise ValueError("issuedInFuture")
    if now > issued + min(ttl or month, month) * 1000:
        raise ValueError("expired")
    return plain[14:end]


def open_box(box, secrets):
    with nse.needs("pynacl", debian="python3-nacl"):
        from nacl.exceptions import CryptoError
        from nacl.public import PrivateKey, SealedBox

    for secret in secrets[:4]:
        try:
            return SealedBox(PrivateKey(secret)).decrypt(box)
        except CryptoError:
            continue
    raise ValueError("notOpened")


def main():
    parser = argparse.ArgumentParser(description="Open a push from standard input.")
    parser.add_argument("--topic", required=True)
    parser.add_argument("--key", required=True, help="key file of the receiver")
    parser.add_argument("--sender", action="append", default=[], help="public key of a known sender")
    parser.add_argument("--collapse-id")
    given = parser.parse_args()
    secrets, senders = nse.secret_keys(given.key), [nse.public_key(sender) for sender in given.sender]
    try:
        text = json.load(sys.stdin)["encrypted-content"] + ""
    except (ValueError, KeyError, TypeError):
        what = 'standard input is no push with a text "encrypted-content"'
        raise nse.Trouble(what, "give it what a sender prints") from None
    try:
        if text.startswith("v1."):
            opened = open_envelope(decoded(text[3:]), secrets, senders, given.topic, given.collapse_id)
        else:
            opened = open_box(decoded(text.replace("+", "-").replace("/", "_").rstrip("=")), secrets)
    except ValueError as error:
        sys.exit(f"receive: error: {error}")
    print(opened.decode(errors="replace"))


if __name__ == "__main__":
    nse.run(main)
