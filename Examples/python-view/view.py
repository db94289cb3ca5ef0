#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""A view of a notification without the SDK: PROTOCOL.md, "Views", standard library only.

A slider sets the opacity of a picture; buttons launch the app, close the view, and remove the notification.
"""
import json
import socket
import struct
import sys

HELLO, SHUTDOWN, VIEW, VIEW_EVENT = 0x01, 0x04, 0x20, 0x21
READY, CALL, VIEW_SCENE = 0x81, 0x85, 0xA0
PACKET_LIMIT = 65536
COLUMN, PICTURE, SLIDER, ROW, LAUNCH, DISMISS, REMOVE, TITLE = range(1, 9)


def send(host, kind, number, body):
    text = json.dumps(body, ensure_ascii=False, separators=(",", ":")).encode()
    host.send(struct.pack(">BQ", kind, number) + text)


def picture(opacity):
    return {"id": PICTURE, "k": "image", "up": COLUMN, "symbol": "photo", "fit": "contain", "a": opacity,
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
    def __init__(self, host):
        self.host = host
        self.identifier = ""
        self.calls = 0

    def opened(self, number, body):
        self.identifier = body["notification"]["identifier"]
        send(self.host, VIEW_SCENE, number, {"set": scene(title_of(body["notification"]))})

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
    view = View(host)
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
