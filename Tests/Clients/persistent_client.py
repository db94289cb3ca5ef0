#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Sends pushes over HTTP/1.1 until each is accepted, whatever becomes of the host meanwhile.

Each line of standard input is one body, sent under an apns-id of its own; what was not answered, or with 503, is sent
again under the same id. Prints one line of JSON: {"accepted": [id, …], "attempts": n, "wrong": [...]}, wrong being any answer
but 200 and 503, and any that names another push.

Example: persistent_client.py --port 8443 --topic com.example.chat --token ab12 --threads 8 < bodies
"""
import argparse
import http.client
import json
import queue
import sys
import threading
import time
import uuid


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--port", type=int, required=True)
    parser.add_argument("--topic", required=True)
    parser.add_argument("--token", action="append", required=True, help="device token in hex; may be repeated")
    parser.add_argument("--threads", type=int, default=8)
    arguments = parser.parse_args()

    work = queue.Queue()
    for number, line in enumerate(sys.stdin.buffer.read().splitlines()):
        work.put((str(uuid.uuid4()), arguments.token[number % len(arguments.token)], line))
    accepted, wrong = {}, []

    def send():
        connection = None
        while True:
            try:
                push, token, body = work.get_nowait()
            except queue.Empty:
                return
            attempts = 0
            while True:
                attempts += 1
                try:
                    connection = connection or http.client.HTTPConnection("127.0.0.1", arguments.port, timeout=20)
                    connection.request(
                        "POST",
                        f"/3/device/{token}",
                        body,
                        {"apns-topic": arguments.topic, "apns-id": push, "content-type": "application/json"},
                    )
                    response = connection.getresponse()
                    text = response.read()
                except (OSError, http.client.HTTPException):
                    if connection:
                        connection.close()
                    connection = None
                    time.sleep(0.01)
                    continue
                if response.getheader("apns-id") != push:
                    wrong.append(f"{response.status} names {response.getheader('apns-id')} in place of {push}")
                if response.status == 200:
                    accepted[push] = attempts
                    break
                if response.status != 503:
                    wrong.append(f"{response.status} {text.decode('utf-8', 'replace')}")
                    break
                time.sleep(0.01)

    threads = [threading.Thread(target=send) for _ in range(arguments.threads)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    print(json.dumps({"accepted": list(accepted), "attempts": sum(accepted.values()), "wrong": wrong}))


main()
