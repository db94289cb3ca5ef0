#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""A view of a notification without the SDK: PROTOCOL.md, "Views", standard library only.

A slider sets the opacity of a picture, which is a file that the view writes and names. Buttons launch the app, close
the view, and remove the notification.
"""
import json
import os
import socket
import struct
import sys
import zlib

HELLO, SHUTDOWN, VIEW, VIEW_EVENT = 0x01, 0x04, 0x20, 0x21
READY, CALL, VIEW_SCENE = 0x81, 0x85, 0xA0
PACKET_LIMIT = 65536
COLUMN, PICTURE, SLIDER, ROW, LAUNCH, DISMISS, REMOVE, TITLE = range(1, 9)
# The number of the one file, and its name in the scratch folder.
PHOTO, PHOTO_PATH = 1, "tmp/photo.png"


def send(host, kind, number, body):
    text = json.dumps(body, ensure_ascii=False, separators=(",", ":")).encode()
    host.send(struct.pack(">BQ", kind, number) + text)


def photo():
    """A PNG of 200 × 200 points: a mountain in front of the sky."""
    def piece(name, data):
        return struct.pack(">I", len(data)) + name + data + struct.pack(">I", zlib.crc32(name + data))
    rows = b""
    for y in range(200):
        half, sky = max(0, min(100, y - 70)), bytes((90 + y // 2, 140 + y // 2, 235))
        rows += b"\0" + sky * (100 - half) + bytes((40, 60 + y // 2, 80)) * (2 * half) + sky * (100 - half)
    head = piece(b"IHDR", struct.pack(">IIBBBBB", 200, 200, 8, 2, 0, 0, 0))
    return b"\x89PNG\r\n\x1a\n" + head + piece(b"IDAT", zlib.compress(rows)) + piece(b"IEND", b"")


def picture(opacity):
    return {"id": PICTURE, "k": "image", "up": COLUMN, "src": PHOTO, "symbol": "photo", "fit": "contain", "a": opacity,
            "f": [0, 0, 200, 200], "label": "Picture"}


def slider(opacity):
    return {"id": SLIDER, "k": "slider", "up": COLUMN, "value": opacity, "label": "Opacity"}


def button(number, title):
    return {"id": number, "k": "button", "up": ROW, "title": title}


def scene(title):
    return [
        {"id": COLUMN, "k": "column", "up": 0, "gap": 8, "pad": 16, "c": [TITLE, PICTURE, SLIDER, ROW]},
        picture(1),
        slider(1),
        {"id": ROW, "k": "row", "up": COLUMN, "gap": 8},
        button(LAUNCH, "Launch app"), button(DISMISS, "Dismiss"), button(REMOVE, "Remove"),
        {"id": TITLE, "k": "text", "up": COLUMN, "text": title},
    ]


def title_of(notification):
    alert = notification["payload"].get("aps", {}).get("alert", {})
    return alert if isinstance(alert, str) else alert.get("title", "")


class View:
    def __init__(self, host, folder):
        self.host = host
        self.folder = folder  # the scratch folder, out of which the host takes a file once it is named
        self.identifier = ""
        self.calls = 0

    def opened(self, number, body):
        self.identifier = body["notification"]["identifier"]
        with open(os.path.join(self.folder, PHOTO_PATH), "wb") as file:
            file.write(photo())
        files = [{"file": PHOTO, "path": PHOTO_PATH}]
        send(self.host, VIEW_SCENE, number, {"files": files, "set": scene(title_of(body["notification"]))})

    def removed(self):
        self.calls += 1
        send(self.host, CALL, self.calls, {"call": "removeDelivered", "identifiers": [self.identifier]})

    def heard(self, number, body):
        """Answers each event with the scene that has taken it in."""
        update = {"ack": body["seq"]}
        node, event = body.get("node"), body.get("event")
        if (node, event) == (SLIDER, "value"):
            update["set"] = [picture(body["value"]), slider(body["value"])]
        elif event == "tap" and node == LAUNCH:
            update["calls"] = [{"call": "defaultAction"}]
        elif event == "tap" and node in (DISMISS, REMOVE):
            if node == REMOVE:
                self.removed()
            update["calls"] = [{"call": "dismiss"}]
        elif "response" in body:
            stays = body["response"]["action"] == "like"
            option = "doNotDismiss" if stays else "dismissAndForwardAction"
            update["calls"] = [{"option": option, "response": body["response"]["number"]}]
        elif "notification" in body:
            self.identifier = body["notification"]["identifier"]
            update["set"] = [scene(title_of(body["notification"]))[-1]]
        send(self.host, VIEW_SCENE, number, update)


def main():
    host = socket.socket(fileno=3)  # AF_UNIX, SOCK_SEQPACKET
    view = View(host, os.path.dirname(os.environ["TMPDIR"]))
    while True:
        packet = host.recv(PACKET_LIMIT)
        if not packet:
            return 0  # the host is gone
        kind, number = struct.unpack(">BQ", packet[:9])
        body = json.loads(packet[9:])
        if kind == HELLO:
            send(host, READY, 0, {"protocol": 1})
        elif kind == VIEW:
            view.opened(number, body)
        elif kind == VIEW_EVENT:
            view.heard(number, body)
        elif kind == SHUTDOWN:
            return 0


if __name__ == "__main__":
    sys.exit(main())
