# SPDX-License-Identifier: Apache-2.0
"""Seals a payload in a libsodium sealed box: the shortest sender there is. Anonymous, undated, bound to nothing.

    python3 sealed_box.py RECIPIENT <payload.json >body.json

RECIPIENT is a public key, nse1… or 64 hexadecimal digits. Needs PyNaCl (Debian: python3-nacl).
"""

import argparse
import base64

import nse

with nse.needs("pynacl", debian="python3-nacl"):
    from nacl.public import PublicKey, SealedBox


def seal(payload, recipient):
    box = SealedBox(PublicKey(recipient)).encrypt(payload)
    return base64.urlsafe_b64encode(box).decode().rstrip("=")


def main():
    parser = argparse.ArgumentParser(description="Seal a payload from standard input in a sealed box.")
    parser.add_argument("recipient", help="public key, nse1… or 64 hexadecimal digits")
    recipient = nse.public_key(parser.parse_args().recipient)
    print(nse.push(seal(nse.payload(), recipient)))


if __name__ == "__main__":
    nse.run(main)
