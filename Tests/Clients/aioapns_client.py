#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Sends pushes through aioapns over TLS, all at once on one connection, and prints the answers.

The payload is read from standard input. Each answer is one line of JSON: {"id", "status", "reason"}, in the order of
the pushes. Exit codes: 0 all answered 200; 1 some were not, or were never answered; 2 usage; 77 aioapns is missing.

Example: aioapns_client.py --port 8443 --ca server.pem --topic com.example.chat --token ab12 --count 10 < payload.json
"""
import argparse
import asyncio
import contextlib
import importlib.metadata
import json
import ssl
import sys
import tempfile

try:
    import aioapns
    from aioapns.connection import APNsProductionClientProtocol
    from aioapns.exceptions import ConnectionClosed, ConnectionError, MaxAttemptsExceeded
    from cryptography.hazmat.primitives import serialization
    from cryptography.hazmat.primitives.asymmetric import ec
except ImportError as error:
    print(f"aioapns_client: skipped: {error}\naioapns_client: hint: pip install aioapns", file=sys.stderr)
    sys.exit(77)


def arguments():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--host", default="localhost", help="a name that the server's certificate has")
    parser.add_argument("--port", type=int, help="without it, the push goes where aioapns sends it: to Apple's server")
    parser.add_argument("--ca", required=True, help="PEM file by which the server's certificate is trusted")
    parser.add_argument("--topic", required=True)
    parser.add_argument("--token", required=True, help="device token in hex")
    parser.add_argument("--key", help=".p8 file that signs the provider token; without it a key is made and thrown away")
    parser.add_argument("--key-id", default="THROWAWAY1")
    parser.add_argument("--team", default="NOBODYSTEA")
    parser.add_argument("--count", type=int, default=1)
    parser.add_argument("--collapse", help="apns-collapse-id of every push")
    parser.add_argument("--priority", type=int, choices=[1, 5, 10])
    parser.add_argument("--seconds", type=float, default=20, help="how long the answers may take, together")
    return parser.parse_args()


def throw_away_key():
    """A provider's key as a PEM string, made for this run; a listener without credentials ignores what it signs."""
    key = ec.generate_private_key(ec.SECP256R1())
    return key.private_bytes(
        serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, serialization.NoEncryption()
    ).decode()


@contextlib.contextmanager
def provider_key(file):
    """The key as this version of aioapns takes it: up to version 2 a file's name, then the text itself."""
    if file:
        with open(file, encoding="utf-8") as opened:
            text = opened.read()
    else:
        text = throw_away_key()
    if int(importlib.metadata.version("aioapns").split(".")[0]) > 2:
        yield text
        return
    with tempfile.NamedTemporaryFile("w", suffix=".pem") as file:
        file.write(text)
        file.flush()
        yield file.name


def client(options, key):
    class Protocol(APNsProductionClientProtocol):
        APNS_SERVER = options.host
        APNS_PORT = options.port

    context = ssl.create_default_context(cafile=options.ca)
    context.set_alpn_protocols(["h2"])
    apns = aioapns.APNs(
        key=key,
        key_id=options.key_id,
        team_id=options.team,
        topic=options.topic,
        max_connections=1,
        max_connection_attempts=1,
        ssl_context=context,
    )
    if options.port:
        apns.pool.protocol_class = Protocol
    return apns


async def send_all(options, message):
    with provider_key(options.key) as key:
        apns = client(options, key)

    async def send():
        request = aioapns.NotificationRequest(
            device_token=options.token,
            message=message,
            collapse_key=options.collapse,
            priority=options.priority,
        )
        try:
            result = await asyncio.wait_for(apns.send_notification(request), options.seconds)
            return {"id": request.notification_id, "status": int(result.status), "reason": result.description}
        except (asyncio.TimeoutError, ConnectionClosed, ConnectionError, MaxAttemptsExceeded) as error:
            return {"id": request.notification_id, "status": None, "reason": type(error).__name__}

    answers = await asyncio.gather(*(send() for _ in range(options.count)))
    apns.pool.close()
    return answers


def main():
    options = arguments()
    answers = asyncio.run(send_all(options, json.load(sys.stdin)))
    for answer in answers:
        print(json.dumps(answer))
    return 0 if all(answer["status"] == 200 for answer in answers) else 1


if __name__ == "__main__":
    sys.exit(main())
