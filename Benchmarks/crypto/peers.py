# SPDX-License-Identifier: Apache-2.0
"""What Python's libraries need for the same work, in microseconds of CPU time: median of rounds.

PyNaCl's SealedBox seals and opens 1 KB, http-ece opens a Web Push message of 1 KB. A line each, or why it is left out.
"""

import os
import statistics
import time

ROUNDS, COUNT, CONTENT = 41, 64, os.urandom(1024)


def measure(call):
    times = []
    for _ in range(ROUNDS):
        start = time.process_time_ns()
        for _ in range(COUNT):
            call()
        times.append((time.process_time_ns() - start) / COUNT / 1000)
    return statistics.median(times)


def pynacl():
    from nacl.public import PrivateKey, SealedBox

    key = PrivateKey.generate()
    sender, receiver = SealedBox(key.public_key), SealedBox(key)
    sealed = sender.encrypt(CONTENT)
    print(f"PyNaCl seal: {measure(lambda: sender.encrypt(CONTENT)):.2f}")
    print(f"PyNaCl open: {measure(lambda: receiver.decrypt(sealed)):.2f}")


def http_ece():
    import http_ece
    from cryptography.hazmat.primitives.asymmetric import ec
    from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat

    receiver, sender = (ec.generate_private_key(ec.SECP256R1()) for _ in range(2))
    point = receiver.public_key().public_bytes(Encoding.X962, PublicFormat.UncompressedPoint)
    auth = os.urandom(16)
    body = http_ece.encrypt(CONTENT, private_key=sender, dh=point, auth_secret=auth)
    print(f"http-ece open: {measure(lambda: http_ece.decrypt(body, private_key=receiver, auth_secret=auth)):.2f}")


for name, run in [("PyNaCl", pynacl), ("http-ece", http_ece)]:
    try:
        run()
    except ImportError:
        print(f"{name} skipped: its Python package is not installed")
