#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""A notification handler without the SDK: the worker protocol of PROTOCOL.md, standard library only.

One packet is one message: type (1 byte), request id (8 bytes, big-endian), a JSON object in UTF-8.
"""
import json
import socket
import struct
import sys

HELLO, REQUEST, WILL_EXPIRE, SHUTDOWN = 0x01, 0x02, 0x03, 0x04
READY, CONTENT = 0x81, 0x82
PACKET_LIMIT = 65536


def send(host, kind, request_id, body):
    text = json.dumps(body, ensure_ascii=False, separators=(",", ":")).encode()
    host.send(struct.pack(">BQ", kind, request_id) + text)


def changed(payload):
    """Adds to the title; an alert that is a plain text is the body."""
    aps = payload.setdefault("aps", {})
    alert = aps.get("alert", {})
    if isinstance(alert, str):
        alert = {"body": alert}
    alert["title"] = (alert.get("title", "") + " · Python").strip()
    aps["alert"] = alert
    return payload


def main():
    host = socket.socket(fileno=3)  # AF_UNIX, SOCK_SEQPACKET
    while True:
        packet = host.recv(PACKET_LIMIT)
        if not packet:
            return 0  # the host is gone
        kind, request_id = struct.unpack(">BQ", packet[:9])
        body = json.loads(packet[9:])
        if kind == HELLO:
            send(host, READY, 0, {"protocol": 1})
        elif kind == REQUEST:
            send(host, CONTENT, request_id, {"payload": changed(body["payload"])})
        elif kind == WILL_EXPIRE:
            pass  # every request is answered at once: the last call has crossed the answer
        elif kind == SHUTDOWN:
            return 0
        else:
            return f"handler.py: error: unknown message type {kind}"


if __name__ == "__main__":
    sys.exit(main())
