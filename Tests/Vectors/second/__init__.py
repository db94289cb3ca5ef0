# SPDX-License-Identifier: Apache-2.0
"""A second implementation of FORMAT.md, in Python: the sealing half, and every wrong way to do it.

`primitives` and `formats` seal, `files` writes a vector, the other modules hold the vectors of a subject each.
It shares no code with the Swift implementation. X25519, P-256, HMAC, AES and ChaCha20-Poly1305 come from the package
`cryptography`, crypto_box and crypto_secretbox from PyNaCl.
"""
