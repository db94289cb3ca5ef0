# SPDX-License-Identifier: Apache-2.0
"""Views of content extensions: opened, followed, worked and closed, over a host whose app has Examples/python-view."""

import host
from center import APPS, CATEGORY
from parts import UNKNOWN, Part, attempt, head_of, read_events

OPEN, CLOSE = "POST /v1/views", "DELETE /v1/views/{id}"
FOLLOW, WORK = "GET /v1/views/{id}/events", "POST /v1/views/{id}/events"
PICTURE = "GET /v1/views/{id}/files/{file}"
RESPOND = "POST /v1/notifications/{id}/responses"
PHOTO = {"identifier": "photo", "options": [], "actions": [{"identifier": "like", "title": "Like", "options": []}]}
ENVIRONMENT = {"width": 360, "scale": 2, "style": "light", "textSize": 1, "direction": "leftToRight", "language": "en",
               "timeZone": "UTC", "reducedMotion": False}
SLIDER = 3


def run(table, center, document, token):
    """Asks for what the document has: views came after version 0.500."""
    if not document.has(OPEN):
        return
    center.owner.call(APPS[1], "setCategories", categories=[CATEGORY, PHOTO])
    for part in (open_and_work, pictures, refused):
        attempt(part, table, center, document, token)
    center.owner.seed()


def photo(center):
    """The number of a new notification of the category that the extension shows."""
    center.owner.sent += 1
    payload = {"aps": {"alert": "Photo", "category": "photo"}}
    request = {"identifier": f"photo-{center.owner.sent}", "payload": payload}
    center.owner.call(APPS[1], "add", request=request)
    return center.owner.items(f"/v1/notifications?limit=1&app={APPS[1]}")[0]["id"]


def opening(number):
    return {"notification": number, "environment": ENVIRONMENT}


def open_and_work(table, center, document, token):
    part, schemas = Part(document), document.events(FOLLOW)
    ask = lambda method, path, body=None: center.ask(method, path, body, token=token)  # noqa: E731
    with host.viewing(center, APPS[1]):
        number = photo(center)
        shown = part.take("GET /v1/notifications/{id}", ask("GET", f"/v1/notifications/{number}"), 200).object
        part.expect(shown.get("view", {}).get("initialSizeRatio") == 0.6, "the notification does not say that it has a view")
        view = part.take(OPEN, ask("POST", "/v1/views", opening(number)), 201).object.get("view")
        head, response, connection = center.stream(f"/v1/views/{view}/events", token)
        head_of(part, FOLLOW, head)
        read_events(response, part, schemas, document, ["whole"])
        half = {"events": [{"seq": 7, "node": SLIDER, "event": "value", "value": 0.5}]}
        for _ in range(2):
            part.take(WORK, ask("POST", f"/v1/views/{view}/events", half), 204)
        came = read_events(response, part, schemas, document, ["scene"])
        part.expect(came and came[-1][1].get("ack") == 7, "the scene does not acknowledge the event")
        liked = ask("POST", f"/v1/notifications/{number}/responses", {"action": "like"})
        part.take(RESPOND, liked, 200)
        part.take(CLOSE, ask("DELETE", f"/v1/views/{view}"), 204)
        ended = read_events(response, part, schemas, document, ["ended"])
        part.expect(ended and ended[-1][1].get("reason") == "closed", "the stream does not say that the view was closed")
        connection.close()
        part.take(CLOSE, ask("DELETE", f"/v1/views/{view}"), 404, "notFound")
        ask("DELETE", f"/v1/notifications/{number}")
        history = ask("GET", "/v1/history?limit=1")
        part.take("GET /v1/history", history, 200)
        part.expect("view" not in history.object["items"][0], "the history says that there is a view")
    part.end(table, "a view is opened, followed, worked and closed")


def pictures(table, center, document, token):
    """The files of a view: what the stream says of them, and their bytes."""
    part, schemas = Part(document), document.events(FOLLOW)
    ask = lambda method, path, body=None, **more: center.ask(method, path, body, token=token, **more)  # noqa: E731
    with host.viewing(center, APPS[1]) as views:
        views.keeps = True
        view = part.take(OPEN, ask("POST", "/v1/views", opening(photo(center))), 201).object.get("view")
        head, response, connection = center.stream(f"/v1/views/{view}/events", token)
        head_of(part, FOLLOW, head)
        came = read_events(response, part, schemas, document, ["whole"])
        part.expect([name for name, _ in came] == ["whole"], f"without a file came {[name for name, _ in came]}")
        href, content = f"/v1/views/{view}/files/1", views.example.photo()
        part.take(PICTURE, ask("GET", href), 404, "notFound")
        views.release()
        came = read_events(response, part, schemas, document, ["files"])
        part.expect(came[-1:] == [("files", {"files": [1]})], f"the stream says {came[-1:]} of the file")
        whole = part.take(PICTURE, ask("GET", href), 200)
        part.expect(whole.body == content, "other bytes came than were handed over")
        part.expect(whole.headers.get("content-type") == "image/png", f"it is {whole.headers.get('content-type')}")
        part.expect(whole.headers.get("cache-control") == "no-store", "a browser may keep it")
        head = part.take(PICTURE, ask("HEAD", href), 200)
        size = head.headers.get("content-length")
        part.expect(head.body == b"" and size == str(len(content)), f"HEAD tells of {size} bytes")
        piece = part.take(PICTURE, ask("GET", href, headers={"range": "bytes=1-3"}), 206)
        part.expect(piece.body == content[1:4], "another part came than was asked for")
        part.take(PICTURE, ask("GET", href, headers={"range": f"bytes={len(content)}-"}), 416, "range")
        for other in ("0", "2", "4294967297", "one"):
            part.take(PICTURE, ask("GET", f"/v1/views/{view}/files/{other}"), 404, "notFound")
        part.take(PICTURE, ask("GET", f"/v1/views/{UNKNOWN}/files/1"), 404, "notFound")
        part.take(PICTURE, center.ask("GET", href), 401, "credential")
        part.take(PICTURE, center.ask("GET", href, token=center.owner.token(["respond"])), 403, "scope")
        lock = center.owner.token(["read", "respond", "surface:lock"])
        part.take(PICTURE, center.ask("GET", href, token=lock), 403, "needsAuthentication")
        views.give(max(views.views), 2, content, gone=[1])
        came = read_events(response, part, schemas, document, ["files"])
        part.expect(came[-1:] == [("files", {"files": [2]})], f"the stream says {came[-1:]} of the second file")
        part.take(PICTURE, ask("GET", href), 404, "notFound")
        connection.close()
        # Whoever comes later is told of the files before the nodes that name them.
        _, response, connection = center.stream(f"/v1/views/{view}/events", token)
        came = read_events(response, part, schemas, document, ["whole"])
        part.expect([name for name, _ in came] == ["files", "whole"], f"at first came {[name for name, _ in came]}")
        connection.close()
        part.take(CLOSE, ask("DELETE", f"/v1/views/{view}"), 204)
        part.take(PICTURE, ask("GET", f"/v1/views/{view}/files/2"), 404, "notFound")
    part.end(table, "the pictures of a view are told, read and gone")


def refused(table, center, document, token):
    part = Part(document)
    ask = lambda method, path, body=None, **more: center.ask(method, path, body, token=token, **more)  # noqa: E731
    number = photo(center)
    part.take(OPEN, ask("POST", "/v1/views", opening(number)), 409, "noHost")
    part.take(OPEN, ask("POST", "/v1/views", opening(UNKNOWN)), 404, "notFound")
    event = {"events": [{"seq": 1, "node": SLIDER, "event": "value", "value": 0.5}]}
    with host.viewing(center, APPS[1]):
        center.owner.add(APPS[1])
        other = center.owner.items(f"/v1/notifications?limit=1&app={APPS[1]}")[0]["id"]
        part.take(OPEN, ask("POST", "/v1/views", opening(other)), 404, "noExtension")
        part.take(OPEN, ask("POST", "/v1/views", {"notification": number}), 400, "badParameter")
        part.take(WORK, ask("POST", f"/v1/views/{UNKNOWN}/events", event), 404, "notFound")
        part.take(FOLLOW, ask("GET", f"/v1/views/{UNKNOWN}/events"), 404, "notFound")
        part.take(CLOSE, ask("DELETE", f"/v1/views/{UNKNOWN}"), 404, "notFound")
        view = ask("POST", "/v1/views", opening(number)).object.get("view")
        part.take(WORK, ask("POST", f"/v1/views/{view}/events", {"events": []}), 400, "badParameter")
        # Views draw what a lock view hides, so it has none.
        lock = center.owner.token(["read", "respond", "surface:lock"])
        for label, method, path, body in (
                (OPEN, "POST", "/v1/views", opening(number)), (FOLLOW, "GET", f"/v1/views/{view}/events", None),
                (WORK, "POST", f"/v1/views/{view}/events", event), (CLOSE, "DELETE", f"/v1/views/{view}", None)):
            part.take(label, center.ask(method, path, body, token=lock), 403, "needsAuthentication")
        reading = center.owner.token(["read"])
        part.take(OPEN, center.ask("POST", "/v1/views", opening(number), token=reading), 403, "scope")
        part.take(CLOSE, ask("DELETE", f"/v1/views/{view}"), 204)
    part.end(table, "a view that cannot be opened or worked says why")
