# SPDX-License-Identifier: Apache-2.0
"""What every sender here needs: keys as Nestbox writes them, and the push around a sealed text. Python 3.9, no package.

Source: FORMAT.md, "Keys" and "The push".
"""

import contextlib
import hashlib
import json
import os
import re
import sys

ALPHABET = "qpzry9x8gf2tvdw0s3jn54khce6mua7l"


class Trouble(ValueError):
    """An error that says what is wrong and what to do, and never a byte of a key."""

    def __init__(self, what, hint):
        super().__init__(what)
        self.hint = hint


def fail(what, hint):
    name = os.path.basename(sys.argv[0])
    sys.exit(f"{name}: error: {what}\n{name}: hint: {hint}")


@contextlib.contextmanager
def needs(package, debian=None):
    """Imports parts of a package; where it is missing, all but --help ends and says how to install it."""
    try:
        yield
    except ImportError as error:
        if not {"-h", "--help"} & set(sys.argv[1:]):
            other = f", or Debian's package {debian}" if debian else " (Debian wants a venv for it, see README.md)"
            fail(f'"{package}" is not installed: {error}', f"python3 -m pip install {package}{other}")


def run(main):
    """Runs a program; what is wrong with what it was given is an error for a person."""
    try:
        main()
    except Trouble as error:
        fail(error, error.hint)
    except (ValueError, RuntimeError) as error:
        # The packages raise these over 32 bytes that are no key, such as zeros.
        fail(f"the keys are of no use: {error}", '"seal-payload keygen -o FILE" makes a pair')


def payload():
    """Returns the payload from standard input; one that APNs would not take is an error."""
    data = sys.stdin.buffer.read()
    if len(data) > 4096:
        raise Trouble(f"the payload has {len(data)} bytes, and APNs takes 4096 with all around it", "send less")
    return data


def _bech32(text, prefix):
    """The bytes of a Bech32 text, whose checksum catches a mistyped character."""
    text = text.lower()
    if not text.startswith(prefix + "1"):
        raise ValueError(f"it does not begin with {prefix}1")
    if set(text[len(prefix) + 1:]) - set(ALPHABET):
        raise ValueError("it has a character that no key has")
    data = [ALPHABET.index(character) for character in text[len(prefix) + 1:]]
    check = 1
    for value in [ord(c) >> 5 for c in prefix] + [0] + [ord(c) & 31 for c in prefix] + data:
        top, check = check >> 25, (check & 0x1FFFFFF) << 5 ^ value
        for bit, word in enumerate([0x3B6A57B2, 0x26508E6D, 0x1EA119FA, 0x3D4233DD, 0x2A1462B3]):
            check ^= word if top >> bit & 1 else 0
    if check != 1:
        raise ValueError("its checksum is wrong, so it was not copied whole")
    number, bits = 0, len(data[:-6]) * 5
    for value in data[:-6]:
        number = number << 5 | value
    key = (number >> bits % 8).to_bytes(bits // 8, "big")
    if len(key) != 32:
        raise ValueError(f"it has {len(key)} bytes, expected 32")
    return key


def public_key(text):
    """32 bytes of `nse1…`, or of 64 hexadecimal digits."""
    text = text.strip()
    if re.fullmatch("[0-9a-fA-F]{64}", text):
        return bytes.fromhex(text)
    try:
        return _bech32(text, "nse")
    except ValueError as error:
        hint = 'it is nse1… or 64 hexadecimal digits: "seal-payload keygen -y KEY-FILE" prints it'
        raise Trouble(f"a public key is wrong: {error}", hint) from None


def secret_keys(path):
    """The secret keys of a key file, 32 bytes each; the first is current."""
    hint = 'name a file that "seal-payload keygen -o FILE" has made'
    try:
        with open(path, encoding="utf-8", errors="replace") as file:
            words = [line.split()[0] for line in file if line.strip() and not line.startswith("#")]
        words = [word for word in words if word.upper().startswith("NSE-SECRET-KEY-1")]
        keys = [_bech32(word, "nse-secret-key-") for word in words]
    except OSError as error:
        raise Trouble(f'key file "{path}" is not readable: {error.strerror}', hint) from None
    except ValueError as error:
        raise Trouble(f'a key of key file "{path}" is wrong: {error}', "copy the key again, to its end") from None
    if not keys:
        raise Trouble(f'key file "{path}" has no secret key', hint)
    return keys


def key_id(public):
    """How an envelope names a key: 8 bytes."""
    return hashlib.sha256(b"nse-key-id-v1\0" + public).digest()[:8]


def push(text, fallback="New notification"):
    """The body to post: what is shown if nothing can be opened, and the sealed text."""
    body = json.dumps(
        {"aps": {"alert": {"body": fallback}, "mutable-content": 1}, "encrypted-content": text}, separators=(",", ":")
    )
    if len(body) > 4096:
        raise Trouble(f"the push is {len(body) - 4096} bytes too large for APNs", "send less")
    return body
