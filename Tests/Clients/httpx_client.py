#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Sends a list of requests with httpx over HTTP/2 and prints the answers.

Standard input is JSON: {"requests": [{
    "name": …, "path": …, "headers": {…},
    "connection": a name; requests of one are sent in their order, connections beside each other,
    "method": POST unless it is said, "body": text, "byteCount": a body of so many bytes,
    "stallSeconds": sends half the body, the rest after so long, "also": {…} headers that are sent beside the first,
    "key": a name below "keys", which signs a provider token "age" seconds old; none without it,
    "until": a reason: the request is sent until that is an answer, 32 at once, about "atMost" times
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
import ssl
import sys
import time

try:
    import h2  # noqa: F401 (httpx speaks HTTP/2 with it)
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


def answer(connect, client, request, token):
    headers = [*request.get("headers", {}).items(), *request.get("also", {}).items()]
    if token:
        headers.append(("authorization", "bearer " + token))

    def send(client=client):
        return client.request(
            request.get("method", "POST"), request["path"], headers=headers, content=body(request)
        )

    def reason(response):
        return response.json()["reason"] if response.content else None

    try:
        response = send()
    except httpx.HTTPError as error:
        return {"name": request["name"], "status": 0, "reason": str(error), "headers": {}, "version": None}
    with concurrent.futures.ThreadPoolExecutor(32) as pool, contextlib.ExitStack() as stack:
        clients = [stack.enter_context(connect()) for _ in range(32 if "until" in request else 0)]
        for _ in range(0, request.get("atMost", 0), 128):
            if reason(response) == request["until"]:
                break
            responses = [each for _ in range(4) for each in pool.map(send, clients)]
            response = next((each for each in responses if reason(each) == request["until"]), responses[-1])
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

    def connect():
        return httpx.Client(
            http1=False, http2=True, verify=context, base_url=options.base, timeout=40, trust_env=False
        )

    with connect() as client:
        return [
            (place, answer(connect, client, request, token(request)))
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
