#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Sends one push with mopyapns to Apple's server on port 2197, by HTTPS_PROXY if that is set, and prints the answer.

The payload is read from standard input; SSL_CERT_FILE names what the server's certificate is trusted by. Exit codes: 0
accepted; 1 refused; 77 mopyapns is missing.

Example: HTTPS_PROXY=http://127.0.0.1:3128 SSL_CERT_FILE=tap/bundle.pem mopyapns_client.py --key AuthKey.p8 \
    --key-id ABC123DEFG --team DEF123GHIJ --topic com.example.chat --token ab12 < payload.json
"""
import argparse
import json
import sys

try:
    from apns2.client import APNsClient
    from apns2.credentials import TokenCredentials
    from apns2.payload import Payload
except ImportError as error:
    print(f"mopyapns_client: skipped: {error}\nmopyapns_client: hint: scripts/clients installs it", file=sys.stderr)
    sys.exit(77)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    for name in "--key", "--key-id", "--team", "--topic", "--token":
        parser.add_argument(name, required=True)
    options = parser.parse_args()
    message = json.load(sys.stdin)
    aps = message.pop("aps")
    payload = Payload(alert=aps.get("alert"), mutable_content="mutable-content" in aps, custom=message)
    credentials = TokenCredentials(options.key, options.key_id, options.team)
    client = APNsClient(credentials, use_alternative_port=True)
    answer = client.send_notification_async(options.token, payload, options.topic)
    print(client.get_notification_result(answer))
    return 0 if answer.status_code == 200 else 1


if __name__ == "__main__":
    sys.exit(main())
