# SPDX-License-Identifier: Apache-2.0
"""A second implementation of FORMAT.md, "Attachments", which writes the vectors in attachments/.

    python3 make-attachments.py            writes them
    python3 make-attachments.py --check    says which files differ, and writes nothing

It shares no code with the Swift one and none with libsodium: secretstream is written out over ChaCha20 and Poly1305 of
the package `cryptography`, HChaCha20 in Python. The output never changes. Where PyNaCl is there, every good file is
opened with libsodium's own secretstream as well.
"""

import base64
import hashlib
import json
import pathlib
import struct
import sys

from cryptography.hazmat.primitives.ciphers import Cipher, algorithms
from cryptography.hazmat.primitives.poly1305 import Poly1305

KEY = hashlib.sha256(b"attachment key").digest()
HEADER = hashlib.sha256(b"attachment header").digest()[:24]
PREAMBLE = b"NSEA\x01\x10\0\0"
CHUNK = 65536
MESSAGE, PUSH, REKEY, FINAL = range(4)
DIFFERENT = []


def base64url(data):
    return base64.urlsafe_b64encode(data).rstrip(b"=").decode()


def rotate(word, bits):
    return (word << bits | word >> (32 - bits)) & 0xFFFFFFFF


def hchacha20(key, nonce):
    state = list(struct.unpack("<16I", b"expand 32-byte k" + key + nonce))

    def quarter(a, b, c, d):
        for into, add, other, bits in ((a, b, d, 16), (c, d, b, 12), (a, b, d, 8), (c, d, b, 7)):
            state[into] = (state[into] + state[add]) & 0xFFFFFFFF
            state[other] = rotate(state[other] ^ state[into], bits)

    for _ in range(10):
        for column in range(4):
            quarter(column, 4 + column, 8 + column, 12 + column)
        for diagonal in range(4):
            quarter(diagonal, 4 + (diagonal + 1) % 4, 8 + (diagonal + 2) % 4, 12 + (diagonal + 3) % 4)
    return struct.pack("<8I", *(state[:4] + state[12:]))


def chacha20(key, nonce, counter, data):
    return Cipher(algorithms.ChaCha20(key, struct.pack("<I", counter) + nonce), None).encryptor().update(data)


class SecretStream:
    """crypto_secretstream_xchacha20poly1305, the sealing half; tags that rekey are not followed."""

    def __init__(self, key, header):
        self.key = hchacha20(key, header[:16])
        self.rest = bytearray(header[16:])
        self.counter = 1

    def push(self, message, tag, ad=b""):
        nonce = struct.pack("<I", self.counter) + bytes(self.rest)
        block = chacha20(self.key, nonce, 1, bytes([tag]) + bytes(63))
        ciphertext = chacha20(self.key, nonce, 2, message)
        text = ad + bytes(-len(ad) % 16) + block + ciphertext
        # Not what brings the length to a multiple of 16: libsodium adds the remainder instead of what is missing.
        text += bytes((16 - 64 + len(ciphertext)) % 16)
        text += struct.pack("<QQ", len(ad), 64 + len(ciphertext))
        mac = Poly1305.generate_tag(chacha20(self.key, nonce, 0, bytes(32)), text)
        self.rest = bytearray(a ^ b for a, b in zip(self.rest, mac))
        self.counter += 1
        return block[:1] + ciphertext + mac


def padme(size):
    if size < 2:
        return size
    exponent = size.bit_length() - 1
    low = exponent - exponent.bit_length()
    return (size + (1 << low) - 1) >> low << low


def chunks(plaintext):
    padded = plaintext + bytes(padme(len(plaintext)) - len(plaintext))
    parts = [padded[at : at + CHUNK] for at in range(0, len(padded), CHUNK)] or [b""]
    return [(part, FINAL if at == len(parts) - 1 else MESSAGE) for at, part in enumerate(parts)]


def seal(parts, key=KEY, preamble=PREAMBLE, ad=PREAMBLE):
    stream = SecretStream(key, HEADER)
    return preamble + HEADER + b"".join(
        stream.push(part, tag, ad if at == 0 else b"") for at, (part, tag) in enumerate(parts)
    )


def entry(size, sealed, /, **changes):
    members = {
        "id": "photo", "url": "https://files.example/photo", "type": "image/jpeg", "name": "door.jpg", "size": size,
        "key": base64url(KEY), "digest": base64url(hashlib.blake2b(sealed, digest_size=32).digest()),
    }
    members.update(changes)
    return {name: value for name, value in members.items() if value is not None}


def pattern(size):
    return bytes((at * 7 + at // 251) % 256 for at in range(size))


def check_with_libsodium(sealed, plaintext):
    try:
        from nacl import bindings
    except ImportError:
        return
    prefix = "crypto_secretstream_xchacha20poly1305_"
    state = getattr(bindings, prefix + "state")()
    getattr(bindings, prefix + "init_pull")(state, sealed[8:32], KEY)
    opened, tag = b"", MESSAGE
    for at in range(32, len(sealed), CHUNK + 17):
        ad = PREAMBLE if at == 32 else None
        part, tag = getattr(bindings, prefix + "pull")(state, sealed[at : at + CHUNK + 17], ad)
        opened += part
    assert tag == FINAL and opened[: len(plaintext)] == plaintext and not any(opened[len(plaintext) :])


def write(name, comment, expect, members, sealed, /, **fields):
    lines = [f"comment: {comment}", f"expect: {expect}"]
    lines.append("entry: " + (members if isinstance(members, str) else json.dumps(members, separators=(",", ":"))))
    lines += [f"{key}: {value}" for key, value in fields.items()]
    text = "\n".join(lines) + "\n\n" + base64.b64encode(sealed).decode() + "\n"
    path = pathlib.Path(__file__).parent / "attachments" / f"{name}.txt"
    if sys.argv[1:] != ["--check"]:
        path.write_text(text)
    elif not path.exists() or path.read_text() != text:
        DIFFERENT.append(path.name)


def good(name, comment, plaintext):
    sealed = seal(chunks(plaintext))
    check_with_libsodium(sealed, plaintext)
    write(name, comment, "opens", entry(len(plaintext), sealed), sealed, **({"plaintext": plaintext.hex()} if plaintext else {}))


def large(name, comment, size):
    """Too long for a file here: the plaintext follows a rule, and the digest stands for the sealed bytes."""
    sealed = seal(chunks(pattern(size)))
    check_with_libsodium(sealed, pattern(size))
    members = entry(size, sealed)
    write(name, comment, "opens", members, b"", header=HEADER.hex(), **{"sealed-size": len(sealed)})


def bad(name, comment, expect, sealed, /, size=5, **changes):
    write(name, comment, expect, entry(size, sealed, **changes), sealed)


def main():
    hello = b"hello"
    file = seal(chunks(hello))
    good("hello", "one chunk, nothing to pad", hello)
    good("empty", "no bytes: one empty chunk with the final tag", b"")
    good("one", "one byte", b"\xff")
    good("padded", "nine bytes, padded to ten", b"ninebytes")
    good("zeros", "plaintext that ends in zeros keeps them", bytes(100))
    large("chunk-1", "one byte less than a chunk: padded to one full chunk", CHUNK - 1)
    large("chunk", "one full chunk, which is the last", CHUNK)
    large("chunk+1", "one byte over a chunk: the padding is in the second", CHUNK + 1)
    large("chunks", "three chunks, the last one short", 2 * CHUNK + 12345)
    large("padding-chunk", "the last chunk is padding alone", 64 * CHUNK + 1)
    write("defaults", "url, type and name may be absent", "opens",
          entry(5, file, url=None, type=None, name=None), file, plaintext=hello.hex())
    write("unknown-member", "members that nobody knows are no matter", "opens", entry(5, file, height=480), file,
          plaintext=hello.hex())

    bad("preamble", "another magic", "badPreamble", seal(chunks(hello), preamble=b"NSEB" + PREAMBLE[4:]))
    bad("version", "version 2", "badPreamble", seal(chunks(hello), preamble=b"NSEA\x02" + PREAMBLE[5:]))
    bad("chunk-size", "chunks of 32 KiB", "badPreamble", seal(chunks(hello), preamble=b"NSEA\x01\x0f\0\0"))
    bad("reserved", "a reserved byte is not zero", "badPreamble", seal(chunks(hello), preamble=b"NSEA\x01\x10\0\x01"))
    bad("header", "a bit of the header is flipped", "notOpened", file[:20] + bytes([file[20] ^ 1]) + file[21:])
    bad("tag-byte", "a bit of the encrypted tag is flipped", "notOpened", file[:32] + bytes([file[32] ^ 1]) + file[33:])
    bad("ciphertext", "a bit of the text is flipped", "notOpened", file[:33] + bytes([file[33] ^ 128]) + file[34:])
    bad("mac", "the last bit is flipped", "notOpened", file[:-1] + bytes([file[-1] ^ 1]))
    bad("no-ad", "the preamble is not the first chunk's additional data", "notOpened", seal(chunks(hello), ad=b""))
    bad("wrong-key", "sealed with another key", "notOpened", seal(chunks(hello), key=bytes(32)))
    bad("not-final", "the last chunk has the tag of a message", "notOpened", seal([(hello, MESSAGE)]))
    bad("push-tag", "libsodium's tag PUSH", "notOpened", seal([(hello, PUSH)]))
    bad("rekey-tag", "libsodium's tag REKEY", "notOpened", seal([(hello, REKEY)]))
    bad("padding", "the padding is not zero", "notOpened", seal([(b"ninebytes\x01", FINAL)]), size=9)
    bad("unpadded", "nine bytes not padded to ten", "wrongSize 59 58", seal([(b"ninebytes", FINAL)]), size=9)
    bad("size-small", "the size of the entry is too small", "wrongSize 53 54", file, size=4)
    bad("size-large", "the size of the entry is too large", "wrongSize 55 54", file, size=6)
    bad("size-in-padding", "by the size of the entry the last byte is padding, and it is not zero", "notOpened",
        seal(chunks(b"tentenbyte")), size=9)
    bad("truncated", "the last byte is missing", "wrongSize 54 53", file[:-1])
    bad("prefix-only", "the file ends after the header", "wrongSize 54 32", file[:32])
    bad("nothing", "an empty file", "wrongSize 54 0", b"")
    bad("trailing", "one byte more", "wrongSize 54 55", file + b"\0")
    bad("digest", "another file's digest", "wrongDigest", file, digest=base64url(bytes(32)))
    bad("key-short", "a key of 31 bytes", "badEntry key", file, key=base64url(KEY[:31]))
    bad("key-long", "a key of 33 bytes", "badEntry key", file, key=base64url(KEY + b"\0"))
    bad("key-bits", "the last character of the key has bits that belong to no byte", "badEntry key", file,
        key=base64url(KEY)[:-1] + "9")
    bad("key-padded", "base64 padding after the key", "badEntry key", file, key=base64url(KEY) + "=")
    bad("key-missing", "no key", "badEntry key", file, key=None)
    bad("key-number", "the key is a number", "badEntry key", file, key=1)
    bad("digest-short", "a digest of 31 bytes", "badEntry digest", file, digest=base64url(bytes(31)))
    bad("digest-missing", "no digest", "badEntry digest", file, digest=None)
    bad("size-negative", "a size below zero", "badEntry size", file, size=-1)
    bad("size-fraction", "half a byte", "badEntry size", file, size=5.5)
    bad("size-text", "the size is a string", "badEntry size", file, size="5")
    bad("size-missing", "no size", "badEntry size", file, size=None)
    bad("size-absurd", "a size over 1 GiB", "tooLarge 1073741824", file, size=2**30 + 1)
    bad("size-enormous", "a size that overflows when it is padded", "tooLarge 1073741824", file, size=2**63 - 1)
    bad("id-missing", "no id", "badEntry id", file, id=None)
    bad("id-empty", "an empty id", "badEntry id", file, id="")
    bad("id-control", "a line feed in the id", "badEntry id", file, id="a\nb")
    bad("url-space", "a space in the address", "badEntry url", file, url="https://files.example/a b")
    bad("url-number", "the address is a number", "badEntry url", file, url=1)
    bad("type-long", "a type of 128 characters", "badEntry type", file, type="a" * 128)
    bad("name-slash", "a name that leads out of its folder", "badEntry name", file, name="../door.jpg")
    bad("name-dots", "the name of the folder above", "badEntry name", file, name="..")
    write("no-object", "the entry is an array", "malformedEntry", "[]", file)
    write("duplicate", "a member twice", "malformedEntry", '{"id":"a","id":"b"}', file)


main()
if DIFFERENT:
    sys.exit(f"make-attachments: error: these files differ: {', '.join(DIFFERENT)}")
