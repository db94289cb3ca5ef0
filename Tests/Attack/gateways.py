# SPDX-License-Identifier: Apache-2.0
"""A good gateway: it posts sealed pushes at a steady rate while others attack, and reconnects when it must."""

import json
import socket
import ssl
import subprocess
import threading
import time
import uuid

import h2.connection
import h2.events
import h2.exceptions


class Gateway:
    """One HTTP/2 connection at a time, with one push under way at a time.

    `address` is a pair of host and port; `source` an address of its own; `tls` an SSL context with ALPN.
    """

    def __init__(self, address, source=None, tls=None, headers=()):
        self.address, self.source, self.tls, self.headers = address, source, tls, list(headers)
        self.connection = None

    def post(self, token, topic, body, attempts=3, path=None, number=None):
        """The answer's status; 0 when nobody answered so many attempts."""
        number = number or str(uuid.uuid4())
        for attempt in range(attempts):
            try:
                if not self.connection:
                    self._connect()
                return self._ask(path or f"/3/device/{token}", topic, number, body)
            except (OSError, ConnectionError, h2.exceptions.ProtocolError):
                self.close()
                time.sleep(0.05 * attempt)
        return 0

    def _connect(self):
        source = (self.source, 0) if self.source else None
        raw = socket.create_connection(self.address, timeout=10, source_address=source)
        self.socket = self.tls.wrap_socket(raw, server_hostname="localhost") if self.tls else raw
        self.connection = h2.connection.H2Connection()
        self.connection.initiate_connection()
        self.socket.sendall(self.connection.data_to_send())

    def _ask(self, path, topic, number, body):
        stream = self.connection.get_next_available_stream_id()
        fields = [(":method", "POST"), (":scheme", "https" if self.tls else "http"), (":path", path),
                  (":authority", "localhost"), ("apns-topic", topic), ("apns-id", number), *self.headers]
        self.connection.send_headers(stream, fields)
        self.connection.send_data(stream, body, end_stream=True)
        self.socket.sendall(self.connection.data_to_send())
        status = 0
        while True:
            data = self.socket.recv(65536)
            if not data:
                raise ConnectionError
            for event in self.connection.receive_data(data):
                if isinstance(event, h2.events.ResponseReceived) and event.stream_id == stream:
                    status = int(dict(event.headers)[b":status"])
                elif isinstance(event, h2.events.StreamEnded) and event.stream_id == stream:
                    self.socket.sendall(self.connection.data_to_send())
                    return status
                elif isinstance(event, (h2.events.StreamReset, h2.events.ConnectionTerminated)):
                    raise ConnectionError
            self.socket.sendall(self.connection.data_to_send())

    def close(self):
        if self.connection:
            self.socket.close()
        self.connection = None


class Neighbour:
    """Somebody else's app on the attacked host: sealed pushes, so many a second, until the attack is over."""

    def __init__(self, host, gateway, programs, topic, token, rate=20, limit=4000):
        self.host, self.gateway, self.topic, self.token, self.rate = host, gateway, topic, token, rate
        self.bodies = iter(seal(programs, topic, limit))
        self.sent, self.refused = [], 0
        self.is_over = threading.Event()
        self.thread = threading.Thread(target=self._run, daemon=True)

    def __enter__(self):
        self.thread.start()
        return self

    def __exit__(self, *_):
        self.is_over.set()
        self.thread.join()
        self.gateway.close()

    def _run(self):
        start = time.monotonic()
        while not self.is_over.is_set() or len(self.sent) + self.refused < 20:
            if not self.post():
                return
            pause = start + (len(self.sent) + self.refused) / self.rate - time.monotonic()
            if pause > 0:
                time.sleep(pause)

    def post(self):
        body = next(self.bodies, None)
        if body is None:
            return False
        number = str(uuid.uuid4())
        if self.gateway.post(self.token, self.topic, body, number=number) == 200:
            self.sent.append(number)
        else:
            self.refused += 1
        return True

    def verdict(self):
        """A cell for the table, and what is wrong."""
        results = self.host.results(self.sent)
        total, good = len(self.sent) + self.refused, results.pop("modified", 0)
        faults = [f"{count} good pushes {result}" for result, count in sorted(results.items())]
        if self.refused:
            faults.append(f"{self.refused} good pushes not taken")
        return f"{good} of {total}", faults


def seal(programs, topic, count):
    """So many different bodies for the key of the examples, by the sender's own program."""
    lines = "".join(json.dumps({"title": "Alice", "body": f"Lunch {number}?"}) + "\n" for number in range(count))
    result = subprocess.run(
        [programs.path("seal-payload"), "--batch", "-R", programs.key("recipient.pub"), "--topic", topic],
        input=lines.encode(), stdout=subprocess.PIPE, check=True)
    return result.stdout.splitlines()


def tls_context(authority=None, protocols=("h2",)):
    context = ssl.create_default_context(cafile=authority)
    if protocols:
        context.set_alpn_protocols(list(protocols))
    return context
