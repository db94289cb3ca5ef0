# SPDX-License-Identifier: Apache-2.0
"""The functions that the formats are made of; all byte strings in, byte strings out."""

import base64
import hashlib
import hmac

from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.asymmetric.x25519 import X25519PrivateKey, X25519PublicKey
from cryptography.hazmat.primitives.ciphers import Cipher, algorithms, modes
from cryptography.hazmat.primitives.ciphers.aead import AESGCM, ChaCha20Poly1305
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat


def fixed(name, count=32):
    """Bytes that look random and never change: the fixed seed of everything here."""
    return hashlib.shake_256(b"nestbox vectors: " + name.encode()).digest(count)


# X25519


def public(secret):
    return X25519PrivateKey.from_private_bytes(secret).public_key().public_bytes(Encoding.Raw, PublicFormat.Raw)


def agree(secret, peer):
    return X25519PrivateKey.from_private_bytes(secret).exchange(X25519PublicKey.from_public_bytes(peer))


# P-256


def p256_private(secret):
    return ec.derive_private_key(int.from_bytes(secret, "big"), ec.SECP256R1())


def p256_public(secret, form=PublicFormat.UncompressedPoint):
    return p256_private(secret).public_key().public_bytes(Encoding.X962, form)


def p256_agree(secret, peer):
    return p256_private(secret).exchange(ec.ECDH(), ec.EllipticCurvePublicKey.from_encoded_point(ec.SECP256R1(), peer))


# Hashes


def mac(key, message):
    return hmac.new(key or b"\0", message, hashlib.sha256).digest()


def hkdf(salt, secret, info, count):
    """HKDF-SHA256 for at most one block of 32 bytes, which is all that the formats need."""
    return mac(mac(salt, secret), info + b"\x01")[:count]


def key_id(key):
    return hashlib.sha256(b"nse-key-id-v1\0" + key).digest()[:8]


# Ciphers


def chacha_seal(key, nonce, plain):
    return ChaCha20Poly1305(key).encrypt(nonce, plain, None)


def gcm_seal(key, nonce, plain):
    """Ciphertext and tag; a nonce of any length from 8 bytes."""
    return AESGCM(key).encrypt(nonce, plain, None)


def cbc_seal(key, iv, blocks):
    """AES-CBC of whole blocks: padding is the caller's."""
    cipher = Cipher(algorithms.AES(key), modes.CBC(iv)).encryptor()
    return cipher.update(blocks) + cipher.finalize()


def ecb_seal(key, blocks):
    cipher = Cipher(algorithms.AES(key), modes.ECB()).encryptor()
    return cipher.update(blocks) + cipher.finalize()


def pkcs7(plain):
    count = 16 - len(plain) % 16
    return plain + bytes([count]) * count


# Text


def base64url(data):
    return base64.urlsafe_b64encode(data).rstrip(b"=").decode()


def standard(data):
    return base64.b64encode(data).decode()


# Damage


def flipped(data, offset, bit=0):
    return data[:offset] + bytes([data[offset] ^ 1 << bit]) + data[offset + 1:]


def replaced(data, offset, part):
    return data[:offset] + part + data[offset + len(part):]
