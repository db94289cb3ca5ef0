# SPDX-License-Identifier: Apache-2.0
"""An app in front, at the app socket of a centre: asked about each of its notifications, and with some of its own.

  app.py SOCKET TOPIC LOG BEGIN   adds local notifications from this number on

Writes a line to the log before and after what it does, each with one call, so that a kill loses none that was said:
`adds N`, `added N`, and `response R` when it has one.
"""

import json
import os
import select
import socket
import struct
import sys
import time

HELLO, CALL, PRESENCE, PRESENT, COMPLETED = 0x81, 0x82, 0x83, 0x84, 0x85
WELCOME, ANSWER, WILL_PRESENT, RESPONSE = 0x01, 0x03, 0x04, 0x05
EACH = 0.05


def main():
    path, topic, log, begin = sys.argv[1:]
    log = os.open(log, os.O_WRONLY | os.O_APPEND | os.O_CREAT, 0o600)
    connection, last, number, added = None, 0, int(begin), 0.0
    calls = {}

    def say(text):
        os.write(log, (text + "\n").encode())

    def send(kind, id, body):
        connection.send(struct.pack(">BQ", kind, id) + json.dumps(body).encode())

    while True:
        try:
            if not connection:
                connection = socket.socket(socket.AF_UNIX, socket.SOCK_SEQPACKET)
                connection.connect(path)
                calls, last, welcomed = {}, 0, False
                send(HELLO, 0, {"protocol": 1, "bundleIdentifier": topic})
            reading, _, _ = select.select([connection], [], [], 0.02)
            if reading:
                packet = connection.recv(65537)
                if not packet:
                    raise ConnectionError
                kind, id = struct.unpack(">BQ", packet[:9])
                body = json.loads(packet[9:] or b"{}")
                if kind == WELCOME:
                    welcomed = True
                    send(PRESENCE, 0, {"inFront": True, "listens": True, "silent": False})
                elif kind == WILL_PRESENT:
                    send(PRESENT, id, {"options": ["banner", "list", "sound", "badge"]})
                elif kind == RESPONSE:
                    say(f"response {body['response']}")
                    send(COMPLETED, id, {})
                elif kind == ANSWER and "ok" in body:
                    say(f"added {calls.pop(id)}")
                elif kind == ANSWER:
                    say(f"refused {calls.pop(id)} {json.dumps(body)}")
            if welcomed and time.monotonic() - added > EACH and len(calls) < 4:
                added, last, number = time.monotonic(), last + 1, number + 1
                calls[last] = number
                say(f"adds {number}")
                request = {"identifier": f"local-{number}", "payload": {"aps": {"alert": {"body": "local"}}}}
                send(CALL, last, {"call": "add", "request": request})
        except OSError:
            if connection:
                connection.close()
            connection = None
            time.sleep(0.02)


main()
