# SPDX-License-Identifier: Apache-2.0
"""A watcher of the centre's stream of events, which comes back with the last number it saw, and a client of its API."""

import datetime
import http.client
import json
import socket
import threading
import time


def seconds(text):
    """A time of the API as seconds of Unix."""
    return datetime.datetime.fromisoformat(text.replace("Z", "+00:00")).timestamp()


class SocketConnection(http.client.HTTPConnection):
    def __init__(self, path):
        super().__init__("nestbox", timeout=20)
        self.path = path

    def connect(self):
        self.sock = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
        self.sock.settimeout(self.timeout)
        self.sock.connect(self.path)


def ask(path, method, target, body=None):
    """Status and object of an answer; raises OSError while no centre is there."""
    connection = SocketConnection(path)
    try:
        connection.request(method, target, json.dumps(body) if body else None, {"content-type": "application/json"})
        answer = connection.getresponse()
        text = answer.read()
        return answer.status, json.loads(text) if text else {}
    except http.client.HTTPException as error:
        raise ConnectionError from error
    finally:
        connection.close()


class Delivered:
    """What the stream said of a notification."""

    __slots__ = ("id", "topic", "identifier", "number", "replaces", "banner", "until", "date", "heard")

    def __init__(self, event):
        aps = event["payload"]["aps"]
        self.id, self.topic, self.identifier = int(event["id"]), event["app"], event["identifier"]
        self.number, self.replaces = aps.get("badge"), event.get("replaces")
        present = event["present"]
        self.banner, self.until = present["banner"], present.get("until")
        self.date, self.heard = event["date"], time.time()


class Watcher:
    """Reads events in a thread until `close`."""

    def __init__(self, path):
        self.path, self.position = path, 0
        self.delivered, self.removed, self.resets, self.breaks = [], {}, 0, 0
        self.is_over = False
        self.thread = threading.Thread(target=self._run, daemon=True)
        self.thread.start()

    def close(self):
        self.is_over = True
        self.thread.join(30)

    def _run(self):
        while not self.is_over:
            try:
                for name, number, data in self._events():
                    self._take(name, number, data)
            except OSError:
                self.breaks += 1
                time.sleep(0.01)

    def _take(self, name, number, data):
        if name == b"delivered":
            self.delivered.append(Delivered(json.loads(data)))
        elif name == b"removed":
            event = json.loads(data)
            for id in event["ids"]:
                self.removed[int(id)] = event["by"]
        elif name == b"reset":
            # Older than what the centre remembers of removals: as a person's page, it begins with what is there now.
            self.resets += 1
            number = int(ask(self.path, "GET", "/v1")[1]["position"])
        # Whatever the event was, it is taken now: a stream that breaks goes on behind it.
        if number is not None:
            self.position = number

    def _events(self):
        with socket.socket(socket.AF_UNIX, socket.SOCK_STREAM) as stream:
            stream.settimeout(1)
            stream.connect(self.path)
            stream.sendall(b"GET /v1/events HTTP/1.1\r\nhost: nestbox\r\nlast-event-id: %d\r\n\r\n" % self.position)
            pending = b""
            for piece in self._pieces(stream):
                lines = (pending + piece).split(b"\n\n")
                pending = lines.pop()
                for text in lines:
                    parts = dict(line.split(b": ", 1) for line in text.split(b"\n") if b": " in line)
                    if b"event" in parts:
                        yield parts[b"event"], int(parts[b"id"]) if b"id" in parts else None, parts[b"data"]

    def _pieces(self, stream):
        """The body of the answer, out of its chunks."""
        data, head = b"", None
        while not self.is_over:
            try:
                piece = stream.recv(262144)
            except TimeoutError:
                continue
            if not piece:
                raise ConnectionError
            data += piece
            if head is None:
                if b"\r\n\r\n" not in data:
                    continue
                head, data = data.split(b"\r\n\r\n", 1)
            body, place = [], 0
            while (end := data.find(b"\r\n", place)) >= 0:
                length = int(data[place:end], 16)
                if len(data) < end + 4 + length:
                    break
                body.append(data[end + 2:end + 2 + length])
                place = end + 4 + length
            if body:
                data = data[place:]
                yield b"".join(body)
