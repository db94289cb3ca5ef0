# SPDX-License-Identifier: Apache-2.0
"""Seals a payload with libsodium's crypto_box: the receiver knows who sent it. Undated, bound to nothing.

    python3 box.py SENDER-KEY-FILE RECIPIENT <payload.json >body.json

The receiver lists the sender's public key and accepts the format `box`. Needs PyNaCl (Debian: python3-nacl).
"""

import argparse
import base64

import nse

with nse.needs("pynacl", debian="python3-nacl"):
    from nacl.public import Box, PrivateKey, PublicKey


def seal(payload, recipient, sender):
    own = PrivateKey(sender)
    # nonce, tag and ciphertext; the nonce is random.
    box = Box(own, PublicKey(recipient)).encrypt(payload)
    return "box." + base64.urlsafe_b64encode(nse.key_id(bytes(own.public_key)) + box).decode().rstrip("=")


def main():
    parser = argparse.ArgumentParser(description="Seal a payload from standard input in a box.")
    parser.add_argument("sender", help="key file to seal in the name of")
    parser.add_argument("recipient", help="public key, nse1… or 64 hexadecimal digits")
    given = parser.parse_args()
    sender, recipient = nse.secret_keys(given.sender)[0], nse.public_key(given.recipient)
    print(nse.push(seal(nse.payload(), recipient, sender)))


if __name__ == "__main__":
    nse.run(main)
