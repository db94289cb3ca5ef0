# SPDX-License-Identifier: Apache-2.0
"""Seals a payload in an envelope, format v1, with an HPKE library: two calls where v1.py has forty lines.

    python3 v1_pyhpke.py --topic com.example.chat [--sender KEY-FILE] [--collapse-id ID] [--ttl SECONDS] RECIPIENT \\
        <payload.json >body.json

Needs pyhpke (pip). Any library of RFC 9180 will do in the same way, in any language.
"""

import base64

import nse

with nse.needs("pyhpke"):
    from pyhpke import AEADId, CipherSuite, KDFId, KEMId

    SUITE = CipherSuite.new(KEMId.DHKEM_X25519_HKDF_SHA256, KDFId.HKDF_SHA256, AEADId.CHACHA20_POLY1305)

import v1  # noqa: E402 - without pyhpke, which brings what v1 needs, the hint above is the one to follow


def seal(payload, recipient, topic, sender=None, collapse_id=None, ttl=0):
    sender_id = nse.key_id(v1.public(sender)) if sender else b""
    header, info = v1.header_and_info(topic, recipient, sender_id, collapse_id)
    psk = v1.pair_psk(sender, recipient, v1.public(sender), recipient) if sender else b""
    enc, context = SUITE.create_sender_context(
        SUITE.kem.deserialize_public_key(recipient), info=info, psk=psk, psk_id=sender_id
    )
    envelope = header + enc + context.seal(v1.inner(payload, ttl))
    return "v1." + base64.urlsafe_b64encode(envelope).decode().rstrip("=")


if __name__ == "__main__":
    nse.run(lambda: v1.main(seal))
