# SPDX-License-Identifier: Apache-2.0
"""Bech32 (BIP 173), as key files have secret keys (FORMAT.md, "Key files")."""

LETTERS = "qpzry9x8gf2tvdw0s3jn54khce6mua7l"
GENERATORS = (0x3B6A57B2, 0x26508E6D, 0x1EA119FA, 0x3D4233DD, 0x2A1462B3)


def checksum(values):
    sum = 1
    for value in values:
        top, sum = sum >> 25, (sum & 0x1FFFFFF) << 5 ^ value
        for place, generator in enumerate(GENERATORS):
            sum ^= generator if top >> place & 1 else 0
    return sum


def encode(prefix, data):
    bits = "".join(f"{byte:08b}" for byte in data)
    bits += "0" * (-len(bits) % 5)
    words = [int(bits[place:place + 5], 2) for place in range(0, len(bits), 5)]
    expanded = [ord(letter) >> 5 for letter in prefix] + [0] + [ord(letter) & 31 for letter in prefix]
    rest = checksum(expanded + words + [0] * 6) ^ 1
    words += [rest >> 5 * (5 - place) & 31 for place in range(6)]
    return prefix + "1" + "".join(LETTERS[word] for word in words)
