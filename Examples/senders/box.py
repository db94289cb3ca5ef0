# SPDX-License-Identifier: Apache-2.0
"""Seals a payload with libsodium's crypto_box: the receiver knows who sent it. Undated, bound to nothing.

    python3 box.py SENDER-KEY-FILE RECIPIENT <payload.json >body.json

The receiver lists the sender's public key and accepts the format `box`. Needs PyNaCl (Debian: python3-nacl).
"""

import base64
import sys

import nse
from nacl.public import Box, PrivateKey, PublicKey


def seal(payload, recipient, sender):
    own = PrivateKey(sender)
    # nonce, tag and ciphertext; the nonce is random.
    box = Box(own, PublicKey(recipient)).encrypt(payload)
    return "box." + base64.urlsafe_b64encode(nse.key_id(bytes(own.public_key)) + box).decode().rstrip("=")


if __name__ == "__main__":
    if len(sys.argv) != 3:
        sys.exit("box: error: two arguments, the sender's key file and the recipient's public key")
    sender = nse.secret_keys(sys.argv[1])[0]
    print(nse.push(seal(sys.stdin.buffer.read(), nse.public_key(sys.argv[2]), sender)))
