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
import time

TOPIC = "com.example.reminder"
PATIENCE = 10  # seconds for a centre that is not there yet, or not there any more
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


def fail(what, hint=None, status=1):
    print(f"reminder: error: {what}" + (f"\nreminder: hint: {hint}" if hint else ""), file=sys.stderr)
    sys.exit(status)


def ask(folder, method, target, body, read):
    """Returns status and what `read` makes of an answer. Without one it asks again, for 10 s."""
    end = None
    while True:
        center = Center(folder)
        try:
            center.request(method, f"/v1/app/{TOPIC}/{target}", body, {"content-type": "application/json"})
            answer = center.getresponse()
            return answer.status, read(answer)
        except (OSError, http.client.HTTPException):
            end = end or time.monotonic() + PATIENCE
            if time.monotonic() > end:
                fail(f'no centre answers on "{center.path}"', f"start it: notification-center serve --folder {folder}")
            time.sleep(0.1)


def post(folder, target, body):
    """Returns status and object of an answer."""
    return ask(folder, "POST", target, json.dumps(body), lambda answer: json.loads(answer.read() or "{}"))


def call(folder, name, **members):
    status, answer = post(folder, "calls", {"call": name, **members})
    if status >= 400:
        fail(f"{name}: {answer['message']}")
    return status, answer


def responses(folder):
    """Yields the owner's answers as they come. The centre keeps each until the app is done with it."""
    while True:
        status, stream = ask(folder, "GET", "events", None, lambda answer: answer)
        if status >= 400:
            fail(f"events: {json.load(stream)['message']}")
        try:
            # A centre that is killed may leave half a line.
            while (line := stream.readline()).endswith(b"\n"):
                if line.startswith(b"data: "):
                    yield json.loads(line[len(b"data: "):])
        except (OSError, http.client.HTTPException):
            pass
        time.sleep(0.1)


def main():
    if len(sys.argv) not in (3, 4):
        print(__doc__.strip(), file=sys.stderr)
        sys.exit(2)
    folder, text = sys.argv[1:3]
    try:
        seconds = float(sys.argv[3]) if len(sys.argv) == 4 else 5
        if not 0 < seconds < float("inf"):
            raise ValueError
    except ValueError:
        fail(f'"{sys.argv[3]}" is no number of seconds above 0', "write it as 5 or 0.5", status=2)
    # 202: the owner has not decided yet; whoever asks again waits again.
    while (answer := call(folder, "authorize", options=["alert", "sound"]))[0] == 202:
        pass
    if not answer[1]["granted"]:
        fail("the owner does not allow it", f"the owner can: notification-center authorize --folder {folder} {TOPIC}")
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
    try:
        main()
    except KeyboardInterrupt:
        sys.exit(130)
