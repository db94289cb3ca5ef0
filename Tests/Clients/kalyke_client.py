#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Sends one push with kalyke over TLS and prints its id, or the name of the exception that kalyke made of the reason.

The payload is read from standard input; SSL_CERT_FILE names what the server's certificate is trusted by. Without --base
it goes to Apple's sandbox, by HTTPS_PROXY if that is set. Exit codes: 0 accepted; 1 refused; 77 kalyke is missing.

Example: SSL_CERT_FILE=server.pem kalyke_client.py --base https://localhost:8443 --key AuthKey.p8 --key-id ABC123DEFG \
    --team DEF123GHIJ --topic com.example.chat --token ab12 < payload.json
"""
import argparse
import asyncio
import json
import sys

try:
    from kalyke import ApnsClient, ApnsConfig
    from kalyke.exceptions import ApnsProviderException
except ImportError as error:
    print(f"kalyke_client: skipped: {error}\nkalyke_client: hint: scripts/clients installs it", file=sys.stderr)
    sys.exit(77)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--base", help="the server in Apple's place")
    for name in "--key", "--key-id", "--team", "--topic", "--token":
        parser.add_argument(name, required=True)
    options = parser.parse_args()

    class Client(ApnsClient):
        _base_url = options.base

    client = (Client if options.base else ApnsClient)(
        use_sandbox=True, team_id=options.team, auth_key_id=options.key_id, auth_key_filepath=options.key
    )
    try:
        config = ApnsConfig(topic=options.topic)
        print(asyncio.run(client.send_message(options.token, json.load(sys.stdin), config)))
    except ApnsProviderException as error:
        print(type(error).__name__)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
