# SPDX-License-Identifier: Apache-2.0
"""Provider tokens, as a sender that holds the private key makes them."""
import base64
import json
import time

from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.asymmetric.utils import decode_dss_signature


def base64url(data):
    return base64.urlsafe_b64encode(data).rstrip(b"=").decode()


def provider_token(file, key, team, age=0):
    """A token by the key in a .p8 file, made so many seconds ago."""
    with open(file, "rb") as opened:
        private = serialization.load_pem_private_key(opened.read(), password=None)
    parts = {"alg": "ES256", "kid": key}, {"iss": team, "iat": int(time.time()) - age}
    text = ".".join(base64url(json.dumps(part).encode()) for part in parts)
    r, s = decode_dss_signature(private.sign(text.encode(), ec.ECDSA(hashes.SHA256())))
    return text + "." + base64url(r.to_bytes(32, "big") + s.to_bytes(32, "big"))
