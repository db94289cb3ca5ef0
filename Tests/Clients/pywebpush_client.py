#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Encrypts a message for one subscription, posts it with pywebpush and prints the answer.

The message is read from standard input. The answer is one line of JSON: {"status", "location", "ttl", "body"}. With
--vapid-key the push is signed; "--make-vapid-key FILE" makes such a key and prints its public half as a subscription
takes it. Exit codes: 0 the answer is 201; 1 it is not; 2 usage; 77 pywebpush is missing.

Example: pywebpush_client.py --endpoint https://… --p256dh B… --auth … < message
"""
import argparse
import base64
import json
import sys

try:
    import pywebpush
    from cryptography.hazmat.primitives import serialization
    from py_vapid import Vapid
except ImportError as error:
    print(f"pywebpush_client: skipped: {error}", file=sys.stderr)
    print("pywebpush_client: hint: scripts/clients installs it", file=sys.stderr)
    sys.exit(77)


def arguments():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--endpoint")
    parser.add_argument("--p256dh", help="the subscription's public key in base64url")
    parser.add_argument("--auth", help="its authentication secret in base64url")
    parser.add_argument("--ttl", type=int, default=60)
    parser.add_argument("--topic")
    parser.add_argument("--urgency")
    parser.add_argument("--vapid-key", help="PEM file of the sender's private key")
    parser.add_argument("--make-vapid-key", metavar="FILE")
    options = parser.parse_args()
    if not options.make_vapid_key and not (options.endpoint and options.p256dh and options.auth):
        parser.error("--endpoint, --p256dh and --auth are required")
    return options


def make_vapid_key(file):
    vapid = Vapid()
    vapid.generate_keys()
    vapid.save_key(file)
    point = vapid.public_key.public_bytes(
        serialization.Encoding.X962, serialization.PublicFormat.UncompressedPoint
    )
    print(base64.urlsafe_b64encode(point).rstrip(b"=").decode())


def push(options, message):
    subscription = {"endpoint": options.endpoint, "keys": {"p256dh": options.p256dh, "auth": options.auth}}
    headers = {"topic": options.topic, "urgency": options.urgency}
    try:
        answer = pywebpush.webpush(
            subscription,
            message,
            vapid_private_key=options.vapid_key,
            vapid_claims={"sub": "mailto:sender@example.com"} if options.vapid_key else None,
            headers={name: value for name, value in headers.items() if value},
            ttl=options.ttl,
            # A host on a busy machine answers late; who waits for nothing is ended by its test.
            timeout=300,
        )
    except pywebpush.WebPushException as error:
        if error.response is None:
            raise
        answer = error.response
    return {
        "status": answer.status_code,
        "location": answer.headers.get("location"),
        "ttl": answer.headers.get("ttl"),
        "body": answer.text,
    }


def main():
    options = arguments()
    if options.make_vapid_key:
        make_vapid_key(options.make_vapid_key)
        return 0
    answer = push(options, sys.stdin.buffer.read())
    print(json.dumps(answer))
    return 0 if answer["status"] == 201 else 1


if __name__ == "__main__":
    sys.exit(main())
