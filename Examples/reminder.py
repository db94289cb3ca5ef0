#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""A Linux app with notifications, in Python's standard library alone.

  Examples/reminder.py CENTER-FOLDER TEXT [SECONDS]

Asks its owner for permission, sets a category whose action takes a reply, adds a notification that comes after some
seconds (5), and prints what its owner answers. Whoever runs the centre allows it and answers:

  notification-center authorize --folder ./center com.example.reminder
  notification-center list --folder ./center
  notification-center respond --folder ./center ID reply "In a minute"
"""
import http.client
import json
import socket
import sys

TOPIC = "com.example.reminder"
CATEGORY = {
    "identifier": "reminder",
    "options": [],
    "actions": [
        {"identifier": "reply", "title": "Reply", "options": [], "text": {"button": "Send", "placeholder": "Answer"}},
        {"identifier": "done", "title": "Done", "options": []},
    ],
}


class Center(http.client.HTTPConnection):
    """A connection to the API of a centre, over the socket in its folder."""

    def __init__(self, folder):
        super().__init__("nestbox")
        self.path = folder + "/http.sock"

    def connect(self):
        self.sock = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
        self.sock.connect(self.path)


def post(folder, target, body):
    """Returns status and object of an answer."""
    center = Center(folder)
    center.request("POST", f"/v1/app/{TOPIC}/{target}", json.dumps(body), {"content-type": "application/json"})
    answer = center.getresponse()
    text = answer.read()
    return answer.status, json.loads(text) if text else {}


def call(folder, name, **members):
    status, answer = post(folder, "calls", {"call": name, **members})
    if status >= 400:
        sys.exit(f"reminder: error: {name}: {answer['message']}")
    return status, answer


def responses(folder):
    """Yields the owner's answers as they come."""
    center = Center(folder)
    center.request("GET", f"/v1/app/{TOPIC}/events")
    stream = center.getresponse()
    while line := stream.readline():
        if line.startswith(b"data: "):
            yield json.loads(line[len(b"data: "):])


def main():
    if len(sys.argv) not in (3, 4):
        sys.exit(__doc__)
    folder, text = sys.argv[1:3]
    seconds = float(sys.argv[3]) if len(sys.argv) == 4 else 5
    # 202: the owner has not decided yet; whoever asks again waits again.
    while (answer := call(folder, "authorize", options=["alert", "sound"]))[0] == 202:
        pass
    if not answer[1]["granted"]:
        sys.exit("reminder: error: the owner does not allow it")
    call(folder, "setCategories", categories=[CATEGORY])
    call(
        folder,
        "add",
        request={
            "identifier": "reminder",
            "payload": {"aps": {"alert": {"title": "Reminder", "body": text}, "category": "reminder", "sound": "default"}},
            "trigger": {"type": "interval", "seconds": seconds, "repeats": False},
        },
    )
    for response in responses(folder):
        print(f"{response['action']}: {response.get('text', '')}", flush=True)
        post(folder, f"answers/{response['id']}", {})
        if response["identifier"] == "reminder":
            return


if __name__ == "__main__":
    main()
