# SPDX-License-Identifier: Apache-2.0
"""What is asked on purpose: credentials, scopes, sessions, calls, conflicts, streams. Every answer is judged."""

import ctypes
import json
import socket
import struct
import threading
import time

from center import APPS, CATEGORY, Center, SocketConnection, segment

SCOPES = ("read", "respond", "settings", "position", "admin", *(f"app:{topic}" for topic in APPS))
UNKNOWN = "9223372036854775807"
JSON = {"content-type": "application/json"}


class Part:
    """One row: requests, the statuses that are expected, and what is wrong with the answers."""

    def __init__(self, document):
        self.document, self.said, self.faults = document, [], []

    def take(self, label, answer, status, reason=None):
        """Judges an answer that is to have a status, and a reason where it is an error."""
        self.said.append(str(answer.status) + (f" {answer.reason}" if answer.reason else ""))
        if answer.status != status or reason and answer.reason != reason:
            self.faults.append(f"{label}: {self.said[-1]} in place of {status} {reason or ''}".rstrip())
        self.faults += self.document.judge(label, answer)
        return answer

    def expect(self, holds, fault):
        if not holds:
            self.faults.append(fault)

    def end(self, table, what):
        counts = {said: self.said.count(said) for said in dict.fromkeys(self.said)}
        said = " ".join(f"{said}×{count}" if count > 1 else said for said, count in counts.items())
        table.row(what, said if len(said) <= 60 else f"{len(self.said)} answers", self.faults)


class AskingApp:
    """An app that asks for permission and is told after 30 s that its owner has not decided; meanwhile others run."""

    topic = "com.example.asking"

    def __init__(self, center):
        self.answer = None
        self.thread = threading.Thread(target=self.ask, args=[center.owner])
        self.thread.start()

    def ask(self, owner):
        try:
            self.answer = owner.call(self.topic, "authorize", options=["alert", "sound"])
        except OSError:
            self.answer = None

    def end(self, table, document):
        self.thread.join()
        part = Part(document)
        if self.answer:
            part.take("POST /v1/app/{topic}/calls", self.answer, 202)
        part.expect(self.answer, "no answer came")
        part.end(table, "an app that waits for its owner's decision")


class SleepingReader:
    """A surface whose machine says nothing more, as one asleep; another surface hears that it is gone, meanwhile."""

    def __init__(self, center, document):
        self.part, self.schemas = Part(document), document.events("GET /v1/events")
        self.document = document
        _, asleep, self.asleep = center.stream("/v1/events?surface=page", center.owner.token(["read"]))
        self.read(asleep, ["hello", "surfaces"])
        # The kernel throws away whatever comes for it, and confirms nothing: a filter that returns 0.
        rule = ctypes.create_string_buffer(struct.pack("HBBI", 0x06, 0, 0, 0))
        program = struct.pack("HP", 1, ctypes.addressof(rule))
        self.asleep.sock.setsockopt(socket.SOL_SOCKET, 26, program)
        self.other = SocketConnection(center.owner.path)
        self.other.request("GET", "/v1/events?surface=desktop")
        self.events = self.other.getresponse()
        self.read(self.events, ["hello", "surfaces"])

    def read(self, response, names):
        return read_events(response, self.part, self.schemas, self.document, names, 45)

    def end(self, table):
        kinds, end = [], time.monotonic() + 45
        while kinds != ["desktop"] and time.monotonic() < end and not self.part.faults:
            events = self.read(self.events, ["surfaces"])
            kinds = [one["kind"] for name, data in events if name == "surfaces" for one in data["surfaces"]]
        self.part.expect(kinds == ["desktop"], f"it is still there: {kinds}")
        for connection in (self.asleep, self.other):
            connection.close()
        self.part.end(table, "a surface that says nothing more is gone in half a minute")


def target(label):
    """A path with names in it that exist nowhere."""
    path = label.split(" ", 1)[1].replace("{topic}", APPS[0]).replace("{stack}", "0" * 16).replace("{place}", "0")
    path = path.replace("{file}", "1")
    is_name = any(part in path for part in ("/sessions/", "/tokens/", "/surfaces/"))
    return path.replace("{id}", "0" * 16 if is_name else UNKNOWN)


def run(table, center, document):
    table.heading("on purpose", f"{center.program} at port {center.port}")
    table.row("the document is one of OpenAPI 3.1", f"{len(list(document.operations()))} operations", document.faults())
    sent = center.run("send", APPS[0], "Lunch?", "At one", "--id", "first")
    center.owner.seed()
    sent = center.run("send", APPS[0], "Lunch?", "At one", "--id", "first")
    table.row("notification-center send", f"status {sent.returncode}", [sent.stderr] if sent.returncode else [])
    token = center.owner.token(SCOPES)
    for part in (served, strangers, scopes, browser, lists, calls, conflicts, letters, refusals, events, surfaces,
                 app_events, no_port):
        attempt(part, table, center, document, token)
    return token


def attempt(part, table, *rest):
    """Tries a part; an answer so different that the part cannot go on is a row too."""
    try:
        part(table, *rest)
    except Exception as error:  # noqa: BLE001 (whatever it is, the others are tried)
        place = error.__traceback__.tb_next
        table.row(part.__name__, "", [f"cannot go on at line {place.tb_lineno}: {error!r}"])


def served(table, center, document, token):
    part = Part(document)
    label = "GET /v1/openapi.json"
    answers = [
        part.take(label, center.ask("GET", "/v1/openapi.json", token=token), 200),
        center.owner.ask("GET", "/v1/openapi.json"),
    ]
    for answer in answers:
        part.expect(answer.status == 200 and answer.object == document.source, "it has another document, or none")
    part.end(table, "the program serves this document")


def strangers(table, center, document, token):
    """Everybody who is not known is refused; their addresses differ, because ten of one are too many."""
    part = Part(document)
    labels = [label for label, operation in document.operations() if operation.get("security")]
    for number, label in enumerate(labels):
        method, source = label.split(" ", 1)[0], f"127.0.1.{1 + number // 8}"
        part.take(label, center.ask(method, target(label), source=source), 401, "credential")
    part.take(labels[0], center.ask("GET", "/v1", token="nbt_none", source="127.0.1.90"), 401, "credential")
    for label in [label for label in labels if document.scopes(label) is None]:
        part.take(label, center.ask("GET", target(label), host=f"localhost:{center.port}"), 403, "hostName")
    for _ in range(9):
        center.ask("GET", "/v1", source="127.0.1.90")
    answer = part.take(labels[0], center.ask("GET", "/v1", source="127.0.1.90"), 429, "tooMany")
    part.expect(answer.headers.get("retry-after") == "60", "429 has no retry-after of 60 s")
    part.end(table, "no credential, a wrong one, another host")


def scopes(table, center, document, token):
    """Each operation takes the scope that it names, and no other."""
    part = Part(document)
    names = {scope: scope.replace("app:TOPIC", f"app:{APPS[0]}") for scope in
             ("read", "respond", "settings", "position", "admin", "app:TOPIC")}
    only = {scope: center.owner.token([name]) for scope, name in names.items()}
    others = {scope: center.owner.token([name for other, name in names.items() if other != scope]) for scope in names}
    for label, operation in document.operations():
        scope, method = document.scopes(label), label.split(" ", 1)[0]
        if not operation.get("security") or label.endswith("/events"):
            continue
        if scope is None:
            for one in only.values():
                answer = center.ask(method, target(label), token=one)
                part.expect(answer.status in (200, 404), f"{label}: {answer.status} for whoever is known")
            continue
        if scope == "owner":
            part.take(label, center.ask(method, target(label), token=token), 403, "scope")
            continue
        part.take(label, center.ask(method, target(label), token=others[scope]), 403, "scope")
        # A body is missing, or what the path names: whoever has the scope is told so.
        wrong = b"{" if operation.get("requestBody") else None
        answer = center.ask(method, target(label), wrong, token=only[scope], headers=JSON if wrong else None)
        part.said.append(str(answer.status))
        part.expect(answer.status not in (401, 403), f"{label}: {answer.status} with the scope {scope}")
        part.faults += document.judge(label, answer)
    for label in ("GET /v1/events", "GET /v1/app/{topic}/events"):
        scope = document.scopes(label)
        part.take(label, center.ask("GET", target(label), token=others[scope]), 403, "scope")
    part.end(table, "scopes of tokens")
    center.owner.seed()


def browser(table, center, document, token):
    """A code becomes a session, which reads, changes with our origin alone, and ends."""
    part = Part(document)
    label = "POST /v1/sessions"
    code = part.take("POST /v1/codes", center.ask("POST", "/v1/codes", token=token), 201).object
    site = f"http://{center.authority}"
    part.expect(code["link"].startswith(site + "/#sign-in="), "the link is not one of the centre's site")
    body = {"code": code["code"]}
    part.take(label, center.ask("POST", "/v1/sessions", body, headers={"origin": "http://evil.example"}), 403, "origin")
    part.take(label, center.ask("POST", "/v1/sessions", body, host="localhost:1"), 403, "hostName")
    part.take(label, center.ask("POST", "/v1/sessions", b"{}"), 415, "mediaType")
    part.take(label, center.ask("POST", "/v1/sessions", b"{", headers=JSON), 400, "badJSON")
    part.take(label, center.ask("POST", "/v1/sessions", {"code": 1}), 400, "badParameter")
    part.take(label, center.ask("POST", "/v1/sessions", b" " * (257 << 10), headers=JSON), 413, "tooLarge")
    signed = part.take(label, center.ask("POST", "/v1/sessions", body, headers={"user-agent": "try-api"}), 201)
    part.take(label, center.ask("POST", "/v1/sessions", body, source="127.0.1.91"), 401, "credential")
    for _ in range(9):
        center.ask("POST", "/v1/sessions", body, source="127.0.1.91")
    part.take(label, center.ask("POST", "/v1/sessions", body, source="127.0.1.91"), 429, "tooMany")
    part.take(label, center.owner.ask("POST", "/v1/sessions", body), 405, "method")
    cookie = {"cookie": signed.headers.get("set-cookie", "").split(";")[0]}
    ours = {**cookie, "origin": site}
    for name in ("", "/front", "/notifications", "/sessions", "/owner", "/apps", "/history"):
        part.take(f"GET /v1{name}", center.ask("GET", f"/v1{name}", headers=cookie), 200)
    part.take("GET /v1/tokens", center.ask("GET", "/v1/tokens", headers=cookie), 403, "scope")
    part.take("PUT /v1/seen", center.ask("PUT", "/v1/seen", {"number": "1"}, headers=cookie), 403, "origin")
    part.take("PUT /v1/seen", center.ask("PUT", "/v1/seen", b"{}", headers=ours), 415, "mediaType")
    part.take("PUT /v1/seen", center.ask("PUT", "/v1/seen", {"number": "1"}, headers=ours), 204)
    sessions = part.take("GET /v1/sessions", center.ask("GET", "/v1/sessions", headers=cookie), 200).object["items"]
    current = [item["current"] for item in sessions if item["id"] == signed.object["id"]]
    part.expect(current == [True], "no session is the current one")
    label = "DELETE /v1/sessions/{id}"
    ended = part.take(label, center.ask("DELETE", "/v1/sessions/current", headers=ours), 204)
    part.expect("clear-site-data" in ended.headers, "the end of a session clears nothing")
    part.take("GET /v1", center.ask("GET", "/v1", headers=cookie), 401, "credential")
    part.end(table, "a browser signs in, and out again")


def lists(table, center, document, token):
    """Pages that follow each other have everything once."""
    part = Part(document)
    ask = lambda path: center.ask("GET", path, token=token)  # noqa: E731
    for label, path in (
        ("GET /v1/notifications", "/v1/notifications?limit=3"), ("GET /v1/history", "/v1/history?limit=1"),
    ):
        found, after = [], ""
        for _ in range(50):
            page = part.take(label, ask(path + after), 200).object
            found += [item["id"] for item in page["items"]]
            if page["next"] is None:
                break
            after = f"&before={page['next']}"
        part.expect(found and found == sorted(set(found), key=int, reverse=True), f"{label}: pages do not follow")
        whole = part.take(label, ask(path.split("?")[0] + "?limit=200"), 200).object["items"]
        part.expect(found == [item["id"] for item in whole], f"{label}: pages have not what the whole has")
    front = part.take("GET /v1/front", ask("/v1/front"), 200).object
    part.expect(any(stack.get("summary") for stack in front["stacks"]), "no stack has a summary")
    stack = part.take("GET /v1/stacks/{stack}", ask(f"/v1/stacks/{front['stacks'][0]['id']}"), 200).object
    part.take("GET /v1/notifications/{id}", ask(f"/v1/notifications/{stack['leading']['id']}"), 200)
    part.take("GET /v1/apps", ask("/v1/apps"), 200)
    part.take("GET /v1/tokens", ask("/v1/tokens"), 200)
    part.end(table, "lists and their pages")


def calls(table, center, document, token):
    """Each call is answered with what its `x-answer` names."""
    part = Part(document)
    label, path = "POST /v1/app/{topic}/calls", f"/v1/app/{APPS[0]}/calls"
    request = {"identifier": "call", "payload": {"aps": {"alert": "Now"}}}
    interval = {"type": "interval", "seconds": 60, "repeats": True}
    members = {
        "authorize": {"options": ["alert", "sound", "badge"]},
        "setCategories": {"categories": [CATEGORY]},
        "add": {"request": request},
        "badge": {"count": 3},
        "removePending": {"identifiers": ["none"]},
        "removeDelivered": {"identifiers": ["none"]},
    }
    failures = {"register": "noHost", "withdraw": "noHost"}
    center.owner.call(APPS[0], "add", request={**request, "identifier": "later", "trigger": interval})
    mapping = document.source["components"]["schemas"]["Call"]["discriminator"]["mapping"]
    for name, reference in mapping.items():
        body = {"call": name, **members.get(name, {})}
        schema = document.source["components"]["schemas"][reference.rsplit("/", 1)[1]]
        part.faults += [f"{name}: {fault}" for fault in document.violations(body, {"$ref": reference + ".taken"})]
        reason = failures.get(name)
        answer = part.take(label, center.ask("POST", path, body, token=token), 422 if reason else 200, reason)
        if answer.status == 200:
            faults = document.closed_violations(answer.object, schema["x-answer"])
            part.faults += [f"the answer to {name}: {fault}" for fault in faults]
            part.expect(name not in ("pending", "delivered") or any(answer.object.values()), f"{name} has no element")
    part.end(table, "calls of an app, each with its answer")
    part = Part(document)
    refused = {
        "noContent": {"call": "add", "request": {"identifier": "x", "payload": {}}},
        "noDate": {"call": "add", "request": {**request, "trigger": {"type": "push"}}},
        "badgeInvalid": {"call": "badge", "count": -1},
        "attachment": {"call": "add", "request": {**request, "attachments": [
            {"identifier": "a", "type": "public.png", "upload": "none"}]}},
    }
    for reason, body in refused.items():
        part.take(label, center.ask("POST", path, body, token=token), 422, reason)
    stranger = center.owner.token([f"app:{AskingApp.topic}.too"])
    path = f"/v1/app/{AskingApp.topic}.too/calls"
    part.take(label, center.ask("POST", path, {"call": "add", "request": request}, token=stranger), 422, "notAllowed")
    # No token names an app whose topic no app may have; at the owner's socket it is asked for all the same.
    part.take(label, center.owner.ask("POST", "/v1/app/ab/calls", {"call": "settings"}), 404, "notFound")
    part.end(table, "calls with Apple's errors")


def conflicts(table, center, document, token):
    """What somebody else did first, what is gone, and what a person may not answer."""
    part = Part(document)
    ask = lambda method, path, body=None: center.ask(method, path, body, token=token)  # noqa: E731
    newest = lambda: center.owner.items("/v1/notifications?limit=1")[0]["id"]  # noqa: E731
    respond = "POST /v1/notifications/{id}/responses"
    center.owner.add(APPS[0])
    number = newest()
    path = f"/v1/notifications/{number}"
    part.take(respond, ask("POST", f"{path}/responses", {"action": "none"}), 422, "unknownAction")
    part.take(respond, ask("POST", f"{path}/responses", {"action": "reply"}), 422, "badText")
    part.take(respond, ask("POST", f"{path}/responses", {"action": "reply", "text": "x" * 16385}), 422, "badText")
    part.take(respond, ask("POST", f"{path}/responses", {"text": "x"}), 400, "badParameter")
    part.take(respond, ask("POST", f"{path}/responses", {"action": "reply", "text": "x" * 16384}), 201)
    part.take(respond, ask("POST", f"{path}/responses", {"action": "default"}), 409, "answered")
    part.take("GET /v1/notifications/{id}", ask("GET", path), 410, "gone")
    part.take("DELETE /v1/notifications/{id}", ask("DELETE", path), 410, "gone")
    restore = "POST /v1/history/{id}/restore"
    part.take(restore, ask("POST", f"/v1/history/{number}/restore"), 201)
    part.take(restore, ask("POST", f"/v1/history/{number}/restore"), 410, "gone")
    number = newest()
    part.take(respond, ask("POST", f"/v1/notifications/{number}/responses", {"action": "dismiss"}), 201)
    part.take("DELETE /v1/history/{id}", ask("DELETE", f"/v1/history/{number}"), 204)
    center.owner.call(APPS[1], "setCategories", categories=[])
    center.owner.add(APPS[1])
    number = newest()
    part.take(respond, ask("POST", f"/v1/notifications/{number}/responses", {"action": "dismiss"}), 204)
    part.take(respond, ask("POST", f"/v1/notifications/{number}/responses", {"action": "dismiss"}), 410, "gone")
    center.owner.sent -= 1
    center.owner.add(APPS[1])
    answer = part.take(restore, ask("POST", f"/v1/history/{number}/restore"), 409, "replaced")
    part.expect(answer.object.get("by") == newest(), "409 does not name the newer notification")
    decide = "POST /v1/apps/{topic}/authorization"
    part.take(decide, ask("POST", f"/v1/apps/{APPS[0]}/authorization", {"decision": "keep"}), 409, "decided")
    part.take(decide, ask("POST", f"/v1/apps/{segment('com.example/none')}/authorization", {"decision": "allow"}), 404)
    part.take("DELETE /v1/history", ask("DELETE", "/v1/history"), 204)
    part.end(table, "what is gone, answered, decided or replaced")
    center.owner.seed()


def letters(table, center, document, token):
    """What the document does not allow is refused, and what HTTP holds for the same is the same."""
    part = Part(document)
    ask = lambda method, path, body=None, **more: center.ask(method, path, body, token=token, **more)  # noqa: E731
    center.owner.add(APPS[0])
    number = center.owner.items("/v1/notifications?limit=1")[0]["id"]
    label = "GET /v1/notifications/{id}"
    part.take(label, ask("GET", f"/v1/notifications/00{number}"), 404)
    part.take(label, ask("GET", f"/v1/notifications/+{number}"), 404)
    part.take("GET /v1/front", ask("GET", "/v1/front?limit=%2B5"), 400, "badParameter")
    body = {"action": "default", "text": 5}
    label = "POST /v1/notifications/{id}/responses"
    part.take(label, ask("POST", f"/v1/notifications/{number}/responses", body), 400, "badParameter")
    kind = {"content-type": "Application/JSON; charset=utf-8"}
    part.take("PUT /v1/seen", ask("PUT", "/v1/seen", b'{"number":"1"}', headers=kind), 204)
    kind = {"content-type": "application/jsonx"}
    part.take("PUT /v1/seen", ask("PUT", "/v1/seen", b'{"number":"1"}', headers=kind), 415, "mediaType")
    part.end(table, "forms that are other ones, and one in two")


def refusals(table, center, document, token):
    """Every operation with a body refuses what is no JSON, of another type, or too long."""
    part = Part(document)
    for label, operation in document.operations():
        body = operation.get("requestBody", {})
        # An answer to an event is read only if somebody waits for it.
        is_read = body.get("required") or label == "POST /v1/codes"
        if not is_read or "application/json" not in body["content"] or label == "POST /v1/sessions":
            continue
        method, path = label.split(" ", 1)[0], target(label)
        long = b'{"x":"' + b"x" * (256 << 10) + b'"}'
        part.take(label, center.ask(method, path, long, token=token, headers=JSON), 413, "tooLarge")
        part.take(label, center.ask(method, path, b"{}", token=token, headers={"content-type": "text/plain"}), 415)
        part.take(label, center.ask(method, path, b"[]", token=token, headers=JSON), 400)
        if label == "POST /v1/tokens":
            part.take(label, center.ask(method, path, b'{"name":1}', token=token, headers=JSON), 400, "badParameter")
    part.end(table, "bodies that are none")


# MARK: Streams


def read_events(response, part, schemas, document, wanted, patience=15):
    """Reads events until those that are wanted came; judges the data of each."""
    found, event, end = [], {}, time.monotonic() + patience
    while not set(wanted) <= {name for name, _ in found}:
        if time.monotonic() > end:
            part.faults.append(f"of {', '.join(wanted)} came {', '.join(sorted({name for name, _ in found}))}")
            break
        try:
            line = response.readline()
        except OSError:
            line = b""
        if not line:
            part.faults.append("the stream ended before " + ", ".join(wanted))
            break
        line = line.decode().rstrip("\n")
        if line:
            key, _, value = line.partition(": ")
            event[key] = value
            continue
        name, data = event.get("event"), event.get("data")
        if name:
            found.append((name, json.loads(data)))
            if name in schemas:
                part.faults += [f"{name}: {fault}" for fault in
                                document.closed_violations(found[-1][1], schemas[name])]
            else:
                part.faults.append(f"the event {name} is not documented")
        event = {}
    return found


def head_of(part, label, head):
    part.said.append(str(head.status))
    part.document.note(label, head.status)
    part.expect(head.status == 200, f"{label}: {head.status}")
    part.expect(head.headers.get("content-type") == "text/event-stream", f"{label}: {head.headers.get('content-type')}")


def events(table, center, document, token):
    part, label = Part(document), "GET /v1/events"
    schemas = document.events(label)
    ask = lambda method, path, body: center.ask(method, path, body, token=token)  # noqa: E731
    head, response, connection = center.stream("/v1/events?after=0", token)
    head_of(part, label, head)
    found = read_events(response, part, schemas, document, ["delivered", "app", "owner"])
    connection.close()
    head, response, connection = center.stream("/v1/events", token)
    head_of(part, label, head)
    for text in ("Lunch?", "At one?"):
        request = {"identifier": "twice", "payload": {"aps": {"alert": text}}}
        center.owner.call(APPS[0], "add", request=request)
        came = read_events(response, part, schemas, document, ["delivered"])
    part.expect(came and "replaces" in came[-1][1], "what takes the place of another does not say so")
    ask("DELETE", f"/v1/notifications/{came[-1][1]['id']}" if came else "/v1/notifications", None)
    ask("PATCH", f"/v1/apps/{APPS[0]}/settings", {"lock": False})
    ask("PATCH", "/v1/owner", {"doNotDisturb": {"mode": "until", "until": "2999-01-01T00:00:00.000Z"}})
    found += came + read_events(response, part, schemas, document, ["removed", "app", "owner"])
    ask("DELETE", f"/v1/history/{came[-1][1]['id']}" if came else "/v1/history", None)
    found += read_events(response, part, schemas, document, ["history"])
    # The centre looks at the hours of its owner by itself, some seconds later perhaps.
    time.sleep(3)
    center.owner.add(APPS[0])
    ask("PATCH", "/v1/owner", {"doNotDisturb": None})
    found += read_events(response, part, schemas, document, ["missed"])
    removed = center.owner.ask("DELETE", f"/v1/apps/{APPS[2]}")
    part.take("DELETE /v1/apps/{topic}", removed, 204)
    # Badges of other apps may be told before.
    for _ in range(20):
        if ("app", {"app": APPS[2], "removed": True}) in found:
            break
        found += read_events(response, part, schemas, document, ["app"])
    else:
        part.faults.append("the removal of an app is not told")
    part.take("DELETE /v1/apps/{topic}", center.owner.ask("DELETE", f"/v1/apps/{APPS[2]}"), 404, "notFound")
    center.owner.seed()
    connection.close()
    head, response, connection = center.stream("/v1/events", token, {"last-event-id": UNKNOWN})
    head_of(part, label, head)
    found += read_events(response, part, schemas, document, ["reset"])
    connection.close()
    part.take(label, center.ask("GET", "/v1/events?after=none", token=token), 400, "badParameter")
    part.take(label, center.ask("GET", "/v1/events", token=token, headers={"last-event-id": "-1"}), 400, "badParameter")
    names = list(dict.fromkeys(name for name, _ in found))
    part.said = [" ".join(names)]
    part.end(table, "the stream of changes")


def surfaces(table, center, document, token):
    """Two streams that are surfaces: what each says of itself, and what both hear."""
    part, label, put = Part(document), "GET /v1/events", "PUT /v1/surfaces/{id}"
    schemas = document.events(label)
    ask = lambda name, body: center.ask("PUT", f"/v1/surfaces/{name}", body, token=token)  # noqa: E731
    state = {"visible": True, "focused": True, "banners": True, "sound": True}
    streams, names = [], []
    for kind in ("terminal", "page"):
        head, response, connection = center.stream(f"/v1/events?surface={kind}", token)
        head_of(part, label, head)
        streams.append((response, connection))
        names.append(read_events(response, part, schemas, document, ["hello", "surfaces"])[0][1]["surface"])
    for _ in range(2):
        part.take(put, ask(names[1], state), 204)
    answer = part.take(put, ask(names[1], state), 429, "tooMany")
    part.expect(answer.headers.get("retry-after") == "1", "429 has no retry-after of 1 s")
    part.take(put, ask(names[0], {**state, "sound": 1}), 400, "badParameter")
    part.take(put, ask("0" * 16, state), 404, "notFound")
    part.take(put, ask("none", state), 404, "notFound")
    said = lambda: [  # noqa: E731
        [(one["kind"], one["local"], one["visible"]) for one in data["surfaces"]]
        for _, data in read_events(streams[0][0], part, schemas, document, ["surfaces"])]
    both = [("terminal", True, False), ("page", True, True)]
    # Others may stand before them.
    ends = lambda *kinds: any(  # noqa: E731
        each[-len(kinds):] == list(kinds) for _ in range(6) if not part.faults for each in said())
    part.expect(ends(*both), "the first does not hear of both")
    streams[1][1].close()
    part.expect(ends(both[0]), "the first does not hear that the other has gone")
    streams[0][1].close()
    lock = center.owner.token(["read", "surface:lock"])
    for kind in ("page", "desktop", "terminal"):
        answer = center.ask("GET", f"/v1/events?surface={kind}", token=lock)
        part.take(label, answer, 403, "needsAuthentication")
    part.take(put, center.ask("PUT", f"/v1/surfaces/{names[0]}", state, token=lock), 403, "needsAuthentication")
    part.take(label, center.ask("GET", "/v1/events?surface=door", token=token), 400, "badParameter")
    part.end(table, "surfaces, and what they hear of one another")


def app_events(table, center, document, token):
    part, label = Part(document), "GET /v1/app/{topic}/events"
    schemas = document.events(label)
    path, answers = f"/v1/app/{APPS[0]}", "POST /v1/app/{topic}/answers/{id}"
    head, response, connection = center.stream(f"{path}/events?inFront=true&silent=true", token)
    head_of(part, label, head)
    center.owner.add(APPS[0])
    found = read_events(response, part, schemas, document, ["willPresent"])
    if found:
        question = f"{path}/answers/{found[-1][1]['id']}"
        part.take(answers, center.ask("POST", question, b"{}", token=token), 415, "mediaType")
        part.take(answers, center.ask("POST", question, b"{", token=token, headers=JSON), 400, "badJSON")
        part.take(answers, center.ask("POST", question, {"options": ["none"]}, token=token), 400, "badParameter")
        part.take(answers, center.ask("POST", question, b" " * (257 << 10), token=token, headers=JSON), 413, "tooLarge")
        part.take(answers, center.ask("POST", question, {"options": ["list"]}, token=token), 204)
        part.take(answers, center.ask("POST", question, {"options": ["list"]}, token=token), 404, "notFound")
    # The question is closed before the notification is in the list.
    for _ in range(100):
        items = center.owner.items(f"/v1/notifications?limit=1&app={APPS[0]}")
        if items and items[0].get("identifier") == f"seed-{center.owner.sent}":
            break
        time.sleep(0.05)
    center.owner.ask("POST", f"/v1/notifications/{items[0]['id']}/responses", {"action": "reply", "text": "At one"})
    came = []
    # Responses of the parts before may have waited.
    while not any(data.get("text") == "At one" for _, data in came) and not part.faults:
        came += read_events(response, part, schemas, document, ["response"])
        if came:
            part.take(answers, center.ask("POST", f"{path}/answers/{came[-1][1]['id']}", token=token), 204)
    center.owner.call(APPS[0], "authorize", options=["alert", "providesAppNotificationSettings"])
    opening = center.ask("POST", f"/v1/apps/{APPS[0]}/open-settings", {}, token=token)
    part.take("POST /v1/apps/{topic}/open-settings", opening, 200)
    opening = center.ask("POST", f"/v1/apps/{APPS[0]}/open-settings", {"notification": items[0]["id"]}, token=token)
    part.take("POST /v1/apps/{topic}/open-settings", opening, 410, "gone")
    read_events(response, part, schemas, document, ["openSettings"])
    connection.close()
    part.take(label, center.ask("GET", f"{path}/events?silent=maybe", token=token), 400, "badParameter")
    part.take(label, center.owner.ask("GET", "/v1/app/ab/events"), 404, "notFound")
    part.end(table, "the stream of an app, and its answers")


def no_port(table, center, document, token):
    """A centre without a port has no site that a code could lead to."""
    part = Part(document)
    other = Center(center.program.rsplit("/", 1)[0], has_port=False)
    try:
        part.take("POST /v1/codes", other.owner.ask("POST", "/v1/codes"), 409, "noPort")
        part.take("GET /v1", other.owner.ask("GET", "/v1"), 200)
        part.take("GET /v1/front", other.owner.ask("GET", "/v1/front"), 200)
    finally:
        other.close()
    part.end(table, "a centre without a port")


def judge_end(table, center, document):
    """What the whole run has shown: the program lives, and which documented answers never came."""
    table.heading("at the end", "what the run has shown")
    part = Part(document)
    part.take("GET /v1", center.owner.ask("GET", "/v1"), 200)
    part.end(table, "the centre answers")
    total = sum(len(operation["responses"]) for _, operation in document.operations())
    # A disk that fails, too many strangers at each door, and HTTP that is none are not tried for each operation.
    rest = [f"{label}: {status}" for label, status in document.unseen() if status not in ("400", "429", "503")]
    table.row("documented answers that came", f"{total - len(list(document.unseen()))} of {total}",
              ["never came: " + ", ".join(rest)] if rest else [])
