#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Keeps requests in flight until the server ends the connection, and says what became of each.

Speaks frames itself, since libraries give up on a connection at GOAWAY: here answers are read until the end. With
--past-goodbye streams are even opened until the last GOAWAY; with --http1 requests are pipelined over HTTP/1.1.
Each push has an apns-id of its own. Prints one line of JSON: {"accepted": [id, …], "refused": {status: count},
"reset": {code: count}, "unanswered": [id, …], "beyond": count, "goodbyes": [[last stream, code], …], "highest": stream}.
"unanswered" were sent whole and are within the last GOAWAY, "beyond" are those that it excludes, "highest" is the
last stream that was answered. HTTP/1.1 has no GOAWAY: there "beyond" are those behind the answer with
"connection: close", and without such an answer "unanswered" all that have none. Exit codes: 0; 77 a module is missing.

Example: drained_client.py --port 8443 --ca server.pem --topic com.example.chat --token ab12 --in-flight 200
"""
import argparse
import collections
import json
import socket
import ssl
import sys
import uuid

try:
    from hpack import Decoder, Encoder
    from hyperframe import frame as frames
    from provider_token import provider_token
except ImportError as error:
    print(f"drained_client: skipped: {error}\ndrained_client: hint: scripts/setup installs it", file=sys.stderr)
    sys.exit(77)

NO_LAST_STREAM = 2**31 - 1
BODY = b'{"aps":{"alert":{"body":"hi"},"mutable-content":1}}'


class Connection:
    protocol = "h2"

    def __init__(self, options):
        self.options = options
        self.token = options.key and provider_token(options.key, options.key_id, options.team)
        self.sent = 0
        self.answers = {}
        self.socket = socket.create_connection(("127.0.0.1", options.port))
        self.socket.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        if options.ca:
            context = ssl.create_default_context(cafile=options.ca)
            context.set_alpn_protocols([self.protocol])
            self.socket = context.wrap_socket(self.socket, server_hostname="localhost")

    def next_push(self):
        """An identifier, a path, headers."""
        self.sent += 1
        push = str(uuid.uuid4())
        headers = [("apns-topic", self.options.topic), ("apns-id", push)]
        if self.token:
            headers.append(("authorization", "bearer " + self.token))
        return push, "/3/device/" + self.options.token[self.sent % len(self.options.token)], headers

    def pieces(self):
        """What the server says, until it ends the connection."""
        while True:
            try:
                piece = self.socket.recv(65_536)
            except (ConnectionError, ssl.SSLError):
                piece = b""
            if not piece:
                return
            yield piece

    def send(self, data):
        try:
            self.socket.sendall(data)
        except (ConnectionError, ssl.SSLError):
            pass  # What was sent is judged by the server's last word.

    def result(self, unanswered, beyond, **more):
        refused = collections.Counter(status for status in self.answers.values() if status != 200)
        accepted = [push for push, status in self.answers.items() if status == 200]
        return {"accepted": accepted, "refused": refused, "unanswered": unanswered, "beyond": beyond, **more}


class Streams(Connection):
    """HTTP/2: many requests at a time."""

    def __init__(self, options):
        super().__init__(options)
        self.encoder, self.decoder = Encoder(), Decoder()
        self.next_stream = 1
        self.credit = 65_535
        self.open = {}
        self.resets = []
        self.goodbyes = []
        self.highest = 0
        self.send(b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n" + frames.SettingsFrame(0).serialize())

    @property
    def opens_more(self):
        if self.goodbyes and not (self.options.past_goodbye and self.goodbyes[-1][0] == NO_LAST_STREAM):
            return False
        return len(self.open) < self.options.in_flight and self.credit > 1000

    def push(self):
        """The frames of one push, whole."""
        push, path, headers = self.next_push()
        pseudo = [(":method", "POST"), (":scheme", "https" if self.options.ca else "http"), (":path", path)]
        stream = self.next_stream
        head = frames.HeadersFrame(stream, self.encoder.encode(pseudo + headers), flags=["END_HEADERS"])
        self.next_stream += 2
        self.credit -= len(BODY)
        self.open[stream] = push
        return head.serialize() + frames.DataFrame(stream, BODY, flags=["END_STREAM"]).serialize()

    def take(self, frame):
        """What a frame wants to be answered."""
        if isinstance(frame, frames.HeadersFrame):
            status = dict(self.decoder.decode(frame.data))[":status"]
            if frame.stream_id in self.open:
                self.answers[self.open.pop(frame.stream_id)] = int(status)
                self.highest = max(self.highest, frame.stream_id)
        elif isinstance(frame, frames.RstStreamFrame):
            if frame.stream_id in self.open:
                self.resets.append((frame.stream_id, frame.error_code))
        elif isinstance(frame, frames.WindowUpdateFrame) and frame.stream_id == 0:
            self.credit += frame.window_increment
        elif isinstance(frame, frames.GoAwayFrame):
            self.goodbyes.append((frame.last_stream_id, frame.error_code))
        elif isinstance(frame, frames.SettingsFrame) and "ACK" not in frame.flags:
            return frames.SettingsFrame(0, flags=["ACK"]).serialize()
        elif isinstance(frame, frames.PingFrame) and "ACK" not in frame.flags:
            return frames.PingFrame(0, frame.opaque_data, flags=["ACK"]).serialize()
        return b""

    def run(self):
        buffer = b""
        for piece in self.pieces():
            buffer += piece
            out = b""
            while len(buffer) >= 9:
                frame, length = frames.Frame.parse_frame_header(memoryview(buffer)[:9])
                if len(buffer) < 9 + length:
                    break
                frame.parse_body(memoryview(buffer)[9 : 9 + length])
                buffer = buffer[9 + length :]
                out += self.take(frame)
            while self.opens_more:
                out += self.push()
            if out:
                self.send(out)
        last = self.goodbyes[-1][0] if self.goodbyes else NO_LAST_STREAM
        return self.result(
            [push for stream, push in self.open.items() if stream <= last],
            sum(stream > last for stream in self.open),
            reset=collections.Counter(code for stream, code in self.resets if stream <= last),
            goodbyes=self.goodbyes,
            highest=self.highest,
        )


class Pipeline(Connection):
    """HTTP/1.1: requests are sent ahead of the answers."""

    protocol = "http/1.1"

    def run(self):
        waiting = collections.deque()
        buffer, is_last = b"", False

        def fill():
            out = b""
            while len(waiting) < self.options.in_flight and not is_last:
                push, path, headers = self.next_push()
                lines = [f"POST {path} HTTP/1.1", "host: localhost", f"content-length: {len(BODY)}"]
                lines += [f"{name}: {value}" for name, value in headers]
                waiting.append(push)
                out += "\r\n".join(lines).encode() + b"\r\n\r\n" + BODY
            if out:
                self.send(out)

        fill()
        for piece in self.pieces():
            buffer += piece
            while (end := buffer.find(b"\r\n\r\n")) >= 0:
                first, *lines = buffer[:end].decode().split("\r\n")
                headers = {name.lower(): value.strip() for name, _, value in (line.partition(":") for line in lines)}
                length = int(headers["content-length"])
                if len(buffer) < end + 4 + length:
                    break
                buffer = buffer[end + 4 + length :]
                push = waiting.popleft()
                # An answer that names another push answers none.
                self.answers[push] = int(first.split(" ")[1]) if headers["apns-id"] == push and not is_last else 0
                is_last = is_last or headers.get("connection") == "close"
            fill()
        return self.result([] if is_last else list(waiting), len(waiting) if is_last else 0)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--port", type=int, required=True)
    parser.add_argument("--ca", help="PEM file by which the server's certificate is trusted; plaintext without it")
    parser.add_argument("--topic", required=True)
    parser.add_argument("--token", action="append", required=True, help="device token in hex; may be repeated")
    parser.add_argument("--in-flight", type=int, default=200, help="how many requests wait for an answer")
    parser.add_argument("--past-goodbye", action="store_true")
    parser.add_argument("--http1", action="store_true")
    parser.add_argument("--key", help=".p8 file that signs a provider token")
    parser.add_argument("--key-id")
    parser.add_argument("--team")
    options = parser.parse_args()
    print(json.dumps((Pipeline if options.http1 else Streams)(options).run()))


main()
