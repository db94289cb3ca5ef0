# SPDX-License-Identifier: Apache-2.0
"""What every sender here needs: keys as Nestbox writes them, and the push around a sealed text. Python 3.9, no package.

Source: FORMAT.md, "Keys" and "The push".
"""

import hashlib
import json
import re

ALPHABET = "qpzry9x8gf2tvdw0s3jn54khce6mua7l"


def _bech32(text, prefix):
    """The bytes of a Bech32 text, whose checksum catches a mistyped character."""
    text = text.lower()
    if not text.startswith(prefix + "1"):
        raise ValueError(f"this does not begin with {prefix}1")
    data = [ALPHABET.index(character) for character in text[len(prefix) + 1:]]
    check = 1
    for value in [ord(c) >> 5 for c in prefix] + [0] + [ord(c) & 31 for c in prefix] + data:
        top, check = check >> 25, (check & 0x1FFFFFF) << 5 ^ value
        for bit, word in enumerate([0x3B6A57B2, 0x26508E6D, 0x1EA119FA, 0x3D4233DD, 0x2A1462B3]):
            check ^= word if top >> bit & 1 else 0
    if check != 1:
        raise ValueError("the key's checksum is wrong: was it copied whole?")
    number, bits = 0, len(data[:-6]) * 5
    for value in data[:-6]:
        number = number << 5 | value
    return (number >> bits % 8).to_bytes(bits // 8, "big")


def public_key(text):
    """32 bytes of `nse1…`, or of 64 hexadecimal digits."""
    text = text.strip()
    return bytes.fromhex(text) if re.fullmatch("[0-9a-fA-F]{64}", text) else _bech32(text, "nse")


def secret_keys(path):
    """The secret keys of a key file, 32 bytes each; the first is current."""
    with open(path, encoding="utf-8") as file:
        words = [line.split()[0] for line in file if line.strip() and not line.startswith("#")]
    return [_bech32(word, "nse-secret-key-") for word in words if word.upper().startswith("NSE-SECRET-KEY-1")]


def key_id(public):
    """How an envelope names a key: 8 bytes."""
    return hashlib.sha256(b"nse-key-id-v1\0" + public).digest()[:8]


def push(text, fallback="New notification"):
    """The body to post: what is shown if nothing can be opened, and the sealed text."""
    body = json.dumps(
        {"aps": {"alert": {"body": fallback}, "mutable-content": 1}, "encrypted-content": text}, separators=(",", ":")
    )
    if len(body) > 4096:
        raise ValueError(f"the push is {len(body) - 4096} bytes too large for APNs")
    return body
