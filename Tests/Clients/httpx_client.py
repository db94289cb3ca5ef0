#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Sends a list of requests with httpx over HTTP/2 and prints the answers.

Standard input is JSON: {"requests": [{
    "name": …, "path": …, "headers": {…},
    "connection": a name; requests of one are sent in their order, connections beside each other,
    "method": POST unless it is said, "body": text, "byteCount": a body of so many bytes,
    "stallSeconds": sends half the body, the rest after so long, "also": {…} headers that are sent beside the first,
    "key": a name below "keys", which signs a provider token "age" seconds old; none without it,
    "until": a reason: the request is sent until that is an answer, "atMost" times one after the other, each time once
        or "atOnce" times in one go
}], "keys": {name: {"file", "id", "team"}}, "certificates": {connection: {"certificate", "key"}}}.
Prints one line of JSON for each, in their order: {"name", "status", "reason", "headers",
"version"} and what else the body says. Exit codes: 0 all were answered;
1 one was not; 77 httpx is missing.

Example: httpx_client.py --base https://localhost:8443 --ca server.pem < requests.json
"""
import argparse
import concurrent.futures
import contextlib
import json
import socket
import ssl
import sys
import time

try:
    import h2.connection
    import h2.events
    import httpx
    from provider_token import provider_token
except ImportError as error:
    print(f"httpx_client: skipped: {error}\nhttpx_client: hint: scripts/setup installs it", file=sys.stderr)
    sys.exit(77)


def body(request):
    if "byteCount" in request:
        return b"x" * request["byteCount"]
    content = request.get("body", "").encode()
    if "stallSeconds" not in request:
        return content

    def halves():
        yield content[: len(content) // 2]
        time.sleep(request["stallSeconds"])
        yield content[len(content) // 2 :]

    return halves()


def burst(options, context, request, headers):
    """The first answer of a reason among those to a request that is sent many times in one go, or else the last one.

    Everything is written before the first byte is sent, so that a slow machine sends as fast as another.
    """
    address = httpx.URL(options.base)
    with contextlib.ExitStack() as stack:
        connections = [
            Prepared(options, context, address, request, headers, stack)
            for _ in range(-(-request["atOnce"] // Prepared.count))
        ]
        for connection in connections:
            connection.send()
        answers = [each for connection in connections for each in connection.answers()]
    return next((each for each in answers if each["reason"] == request["until"]), answers[-1])


class Prepared:
    """A connection with requests that are written and not sent yet."""

    count = 100

    def __init__(self, options, context, address, request, headers, stack):
        self.name = request["name"]
        plain = stack.enter_context(socket.create_connection((address.host, address.port), timeout=40))
        self.socket = plain
        if context:
            context.set_alpn_protocols(["h2"])
            self.socket = stack.enter_context(context.wrap_socket(plain, server_hostname=address.host))
        self.state = h2.connection.H2Connection()
        self.state.initiate_connection()
        pseudo = [(":method", "POST"), (":scheme", address.scheme), (":authority", address.host)]
        for _ in range(self.count):
            stream = self.state.get_next_available_stream_id()
            self.state.send_headers(stream, [*pseudo, (":path", request["path"]), *headers])
            self.state.send_data(stream, body(request), end_stream=True)

    def send(self):
        self.socket.sendall(self.state.data_to_send())

    def answers(self):
        """The answers in the order in which they end; those that a closed connection leaves out are missing."""
        heads, bodies, ended = {}, {}, []
        while len(ended) < self.count and (piece := self.socket.recv(65_536)):
            for event in self.state.receive_data(piece):
                if isinstance(event, h2.events.ResponseReceived):
                    heads[event.stream_id] = {name.decode(): value.decode() for name, value in event.headers}
                elif isinstance(event, h2.events.DataReceived):
                    bodies[event.stream_id] = bodies.get(event.stream_id, b"") + event.data
                elif isinstance(event, h2.events.StreamEnded):
                    ended.append(event.stream_id)
        return [self.told(heads[stream], bodies.get(stream)) for stream in ended]

    def told(self, headers, content):
        return {
            "name": self.name,
            "status": int(headers.pop(":status")),
            "reason": None,
            **(json.loads(content) if content else {}),
            "headers": headers,
            "version": "HTTP/2",
        }


def answer(options, context, client, request, token):
    headers = [*request.get("headers", {}).items(), *request.get("also", {}).items()]
    if token:
        headers.append(("authorization", "bearer " + token))

    if "atOnce" in request:
        for _ in range(request.get("atMost", 1)):
            last = burst(options, context, request, headers)
            if last["reason"] == request["until"]:
                break
        return last
    try:
        for _ in range(request.get("atMost", 1)):
            response = client.request(
                request.get("method", "POST"), request["path"], headers=headers, content=body(request)
            )
            if response.content and response.json()["reason"] == request.get("until"):
                break
    except httpx.HTTPError as error:
        return {"name": request["name"], "status": 0, "reason": str(error), "headers": {}, "version": None}
    told = response.json() if response.content else {}
    return {
        "name": request["name"],
        "status": response.status_code,
        "reason": None,
        **told,
        "headers": dict(response.headers),
        "version": response.http_version,
    }


def converse(options, work, connection):
    """The answers of one connection with their places in the list."""
    context = ssl.create_default_context(cafile=options.ca) if options.ca else False
    if certificate := work.get("certificates", {}).get(connection):
        context.load_cert_chain(certificate["certificate"], certificate["key"])
    tokens = {}

    def token(request):
        if "key" not in request:
            return None
        name = request["key"], request.get("age", 0)
        if name not in tokens:
            key = work["keys"][name[0]]
            tokens[name] = provider_token(key["file"], key["id"], key["team"], name[1])
        return tokens[name]

    with httpx.Client(
        http1=False, http2=True, verify=context, base_url=options.base, timeout=40, trust_env=False
    ) as client:
        return [
            (place, answer(options, context, client, request, token(request)))
            for place, request in enumerate(work["requests"])
            if request.get("connection") == connection
        ]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--base", required=True, help="https://localhost:PORT, or http:// for prior knowledge")
    parser.add_argument("--ca", help="PEM file by which the server's certificate is trusted")
    options = parser.parse_args()
    work = json.load(sys.stdin)
    connections = list(dict.fromkeys(request.get("connection") for request in work["requests"]))
    with concurrent.futures.ThreadPoolExecutor(len(connections)) as pool:
        parts = pool.map(lambda connection: converse(options, work, connection), connections)
        answers = sorted((each for part in parts for each in part), key=lambda each: each[0])
    for _, each in answers:
        print(json.dumps(each))


if __name__ == "__main__":
    main()
