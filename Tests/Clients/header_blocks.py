#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Prints the headers that real clients send, in their order and spelling, as they arrive at a server over HTTP/2.

A line of JSON for each request: {"client", "headers": [[name, value], …]}, with the two parts of a provider token and the
form of its signature in place of it. Tests/IngressTests/ClientHeaders.swift has them. What is not installed is left out:
scripts/clients installs httpx, kalyke and aioapns; simple-apns and mopyapns are on the package index.

Example: .build/clients/bin/python Tests/Clients/header_blocks.py
"""
import asyncio
import base64
import contextlib
import datetime
import json
import os
import pathlib
import socket
import ssl
import subprocess
import tempfile
import threading

import h2.config
import h2.connection
import h2.events
from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from provider_token import provider_token

TOPIC, DEVICE, BODY = "com.example.chat", "ab" * 32, {"aps": {"alert": "Lunch?"}}
KEY, TEAM = "ABC123DEFG", "DEF123GHIJ"


class Server:
    """Answers 200 to everything and keeps the headers."""

    def __init__(self, context=None):
        self.blocks, self.context = [], context
        self.socket = socket.create_server(("127.0.0.1", 0))
        self.port = self.socket.getsockname()[1]
        threading.Thread(target=self.accept, daemon=True).start()

    def accept(self):
        while True:
            threading.Thread(target=self.serve, args=self.socket.accept()[:1], daemon=True).start()

    def serve(self, peer):
        with contextlib.suppress(OSError):
            peer = self.context.wrap_socket(peer, server_side=True) if self.context else peer
            connection = h2.connection.H2Connection(h2.config.H2Configuration(client_side=False))
            connection.initiate_connection()
            peer.sendall(connection.data_to_send())
            while data := peer.recv(65536):
                for event in connection.receive_data(data):
                    if isinstance(event, h2.events.RequestReceived):
                        self.blocks.append([tuple(map(text, header)) for header in event.headers])
                    elif isinstance(event, h2.events.StreamEnded):
                        push = dict(self.blocks[-1]).get("apns-id", "00000000-0000-4000-8000-000000000000")
                        headers = [(":status", "200"), ("apns-id", push)]
                        connection.send_headers(event.stream_id, headers, end_stream=True)
                peer.sendall(connection.data_to_send())


def text(value):
    return value.decode() if isinstance(value, bytes) else value


def without_token(name, value):
    if name != "authorization":
        return [name, value]
    scheme, token = value.split(" ", 1)
    header, claims, signature = (base64.urlsafe_b64decode(part + "=" * (-len(part) % 4)) for part in token.split("."))
    form = "r and s" if len(signature) == 64 else "DER"
    return [name, f"{scheme} {header.decode()} {claims.decode()} {form}"]


def make_certificate(folder):
    """A key, also the sender's, and a certificate that names localhost."""
    key = ec.generate_private_key(ec.SECP256R1())
    name = x509.Name([x509.NameAttribute(x509.NameOID.COMMON_NAME, "localhost")])
    now = datetime.datetime.now(datetime.timezone.utc)
    certificate = (
        x509.CertificateBuilder(name, name, key.public_key(), 1, now, now + datetime.timedelta(days=1))
        .add_extension(x509.SubjectAlternativeName([x509.DNSName("localhost")]), False)
        .add_extension(x509.BasicConstraints(True, None), True)
        .sign(key, hashes.SHA256())
    )
    pem = serialization.Encoding.PEM
    pathlib.Path("key.pem").write_bytes(
        key.private_bytes(pem, serialization.PrivateFormat.PKCS8, serialization.NoEncryption())
    )
    pathlib.Path("ca.pem").write_bytes(certificate.public_bytes(pem))
    os.environ["SSL_CERT_FILE"] = folder + "/ca.pem"


def aioapns(port):
    import aioapns as library
    from aioapns.connection import APNsProductionClientProtocol

    class Protocol(APNsProductionClientProtocol):
        APNS_SERVER = "localhost"
        APNS_PORT = port

    async def send():
        context = ssl.create_default_context()
        context.set_alpn_protocols(["h2"])
        key = pathlib.Path("key.pem").read_text()
        client = library.APNs(key=key, key_id=KEY, team_id=TEAM, topic=TOPIC, ssl_context=context, max_connections=1)
        client.pool.protocol_class = Protocol
        more = {"priority": 5, "time_to_live": 60, "collapse_key": "room-1", "push_type": library.PushType.ALERT}
        for options in {}, more:
            await client.send_notification(library.NotificationRequest(DEVICE, BODY, **options))

    asyncio.run(asyncio.wait_for(send(), 10))


def kalyke(port):
    import kalyke as library

    class Client(library.ApnsClient):
        _base_url = f"https://localhost:{port}"

    client = Client(use_sandbox=True, team_id=TEAM, auth_key_id=KEY, auth_key_filepath="key.pem")
    asyncio.run(client.send_message(DEVICE, BODY, library.ApnsConfig(topic=TOPIC)))


def mopyapns(port):
    import apns2.client
    import apns2.credentials
    import apns2.payload

    class Client(apns2.client.APNsClient):
        LIVE_SERVER = "localhost"
        DEFAULT_PORT = port

    client = Client(apns2.credentials.TokenCredentials("key.pem", KEY, TEAM))
    client.send_notification(DEVICE, apns2.payload.Payload(alert="Lunch?"), TOPIC)


def simple_apns(port):
    import simple_apns as library

    client = library.APNSClient(team_id=TEAM, auth_key_id=KEY, auth_key_path="key.pem", bundle_id=TOPIC)
    client.endpoint = f"https://localhost:{port}"
    client.send_notification(DEVICE, BODY)


def httpx(port):
    import httpx as library

    headers = {"apns-topic": TOPIC, "authorization": "bearer " + provider_token("key.pem", KEY, TEAM)}
    with library.Client(http2=True, verify=ssl.create_default_context()) as client:
        client.post(f"https://localhost:{port}/3/device/{DEVICE}", json=BODY, headers=headers)


def nghttp(port):
    pathlib.Path("body.json").write_text(json.dumps(BODY))
    token = "authorization: bearer " + provider_token("key.pem", KEY, TEAM)
    url = f"https://localhost:{port}/3/device/{DEVICE}"
    headers = ["-H", f"apns-topic: {TOPIC}", "-H", token]
    subprocess.run(["nghttp", "--null-out", "--data", "body.json", *headers, url], check=True, timeout=10)


def openssl_and_curl(port):
    """As Apple's page "Sending push notifications using command-line tools" has it: openssl signs, in DER."""
    encode = "openssl base64 -e -A | tr -- '+/' '-_' | tr -d ="
    script = f"""
        header=$(printf '{{ "alg": "ES256", "kid": "{KEY}" }}' | {encode})
        claims=$(printf '{{ "iss": "{TEAM}", "iat": %d }}' "$(date +%s)" | {encode})
        signature=$(printf '%s' "$header.$claims" | openssl dgst -binary -sha256 -sign key.pem | {encode})
        curl --silent --http2 --cacert ca.pem --header 'apns-topic: {TOPIC}' --header 'apns-push-type: alert' \\
            --header "authorization: bearer $header.$claims.$signature" --data '{json.dumps(BODY)}' \\
            https://localhost:{port}/3/device/{DEVICE}
    """
    subprocess.run(["bash", "-c", script], check=True, timeout=10)


def main():
    with tempfile.TemporaryDirectory() as folder, contextlib.chdir(folder):
        make_certificate(folder)
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        context.load_cert_chain("ca.pem", "key.pem")
        context.set_alpn_protocols(["h2"])
        server = Server(context)
        for client in aioapns, kalyke, mopyapns, simple_apns, httpx, nghttp, openssl_and_curl:
            with contextlib.suppress(ImportError, FileNotFoundError):
                client(server.port)
            while server.blocks:
                headers = [without_token(*header) for header in server.blocks.pop(0)]
                print(json.dumps({"client": client.__name__, "headers": headers}))


if __name__ == "__main__":
    main()
