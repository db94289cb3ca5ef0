# SPDX-License-Identifier: Apache-2.0
"""Seals a payload in a libsodium sealed box: the shortest sender there is. Anonymous, undated, bound to nothing.

    python3 sealed_box.py RECIPIENT <payload.json >body.json

RECIPIENT is a public key, nse1… or 64 hexadecimal digits. Needs PyNaCl (Debian: python3-nacl).
"""

import base64
import sys

import nse
from nacl.public import PublicKey, SealedBox


def seal(payload, recipient):
    box = SealedBox(PublicKey(recipient)).encrypt(payload)
    return base64.urlsafe_b64encode(box).decode().rstrip("=")


if __name__ == "__main__":
    if len(sys.argv) != 2:
        sys.exit("sealed_box: error: one argument, the recipient's public key")
    print(nse.push(seal(sys.stdin.buffer.read(), nse.public_key(sys.argv[1]))))
