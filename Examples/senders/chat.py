#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Encrypts a chat message for the key of Examples/DecryptingExtension as the app's server would, and prints the push. Needs: cryptography.

  chat.py SENDER ROOM TEXT
"""

import base64
import json
import os
import sys

PHONE = "4Fsa4yICSDgJX/3v2GVGjdt3sUst0nUXXqCrQpT6bXo="


def base64_text(data):
    return base64.b64encode(data).decode()


def main():
    if {"-h", "--help"} & set(sys.argv[1:]):
        print(__doc__.strip())
        return
    if len(sys.argv) != 4:
        print(__doc__.strip(), file=sys.stderr)
        sys.exit(2)
    sender, room, text = sys.argv[1:]
    try:
        from cryptography.hazmat.primitives import hashes
        from cryptography.hazmat.primitives.asymmetric.x25519 import X25519PrivateKey, X25519PublicKey
        from cryptography.hazmat.primitives.ciphers.aead import AESGCM
        from cryptography.hazmat.primitives.kdf.hkdf import HKDF
        from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat
    except ImportError as error:
        print(f'chat.py: error: "cryptography" is not installed: {error}', file=sys.stderr)
        sys.exit("chat.py: hint: python3 -m pip install cryptography, or Debian's package python3-cryptography")
    once = X25519PrivateKey.generate()
    key = once.public_key().public_bytes(Encoding.Raw, PublicFormat.Raw)
    shared = once.exchange(X25519PublicKey.from_public_bytes(base64.b64decode(PHONE)))
    secret = HKDF(hashes.SHA256(), 32, salt=key, info=b"com.example.chat message").derive(shared)
    message = json.dumps({"sender": sender, "room": room, "text": text}).encode()
    nonce = os.urandom(12)
    push = {
        "aps": {"alert": {"title": "Chat", "body": "New message"}, "mutable-content": 1},
        "key": base64_text(key),
        "message": base64_text(nonce + AESGCM(secret).encrypt(nonce, message, None)),
    }
    print(json.dumps(push, indent=4))


main()
