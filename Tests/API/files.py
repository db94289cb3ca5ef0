# SPDX-License-Identifier: Apache-2.0
"""Files of notifications, sent and read, and what a lock view is told."""

import host
from center import APPS, CATEGORY, png, tone
from parts import UNKNOWN, Part, attempt

UPLOAD = "POST /v1/app/{topic}/attachments"
DOWNLOAD = "GET /v1/notifications/{id}/attachments/{place}"
NOTIFICATION = "GET /v1/notifications/{id}"
ICON = "GET /v1/apps/{topic}/icon"
SOUND = "GET /v1/apps/{topic}/sounds/{name}"
CALL = "POST /v1/app/{topic}/calls"


def run(table, center, document, token):
    """Asks for what the document has: files came after version 0.500."""
    if document.has(ICON):
        attempt(of_apps, table, center, document, token)
    if document.has(UPLOAD):
        for part in (send_and_read, refused, lock_view):
            attempt(part, table, center, document, token)
        center.owner.seed()


def newest(center):
    return center.owner.items("/v1/notifications?limit=1")[0]


def send_and_read(table, center, document, token):
    part, picture = Part(document), png()
    ask = lambda method, path, body=None, **more: center.ask(method, path, body, token=token, **more)  # noqa: E731
    sent = part.take(UPLOAD, ask("POST", f"/v1/app/{APPS[0]}/attachments", picture), 201).object
    part.expect(sent.get("size") == len(picture), "the size is another one")
    add = {"call": "add", "request": {"identifier": "file", "payload": {}, "attachments": [
        {"identifier": "photo", "type": "public.png", "upload": sent.get("upload", "none")}]}}
    part.take(CALL, ask("POST", f"/v1/app/{APPS[0]}/calls", add), 200)
    part.take(CALL, ask("POST", f"/v1/app/{APPS[0]}/calls", add), 422, "attachment")
    shown = newest(center)
    part.take(NOTIFICATION, ask("GET", f"/v1/notifications/{shown['id']}"), 200)
    href = shown.get("attachments", [{}])[0].get("href")
    part.expect(href == f"/v1/notifications/{shown['id']}/attachments/0", f"the file is at {href}")
    whole = part.take(DOWNLOAD, ask("GET", href), 200)
    part.expect(whole.body == picture, "other bytes came than were sent")
    piece = part.take(DOWNLOAD, ask("GET", href, headers={"range": "bytes=1-3"}), 206)
    part.expect(piece.body == picture[1:4], "another part came than was asked for")
    other = {"range": "bytes=1-3", "if-range": '"other"'}
    part.take(DOWNLOAD, ask("GET", href, headers=other), 200)
    part.take(DOWNLOAD, ask("GET", href, headers={"range": f"bytes={len(picture)}-"}), 416, "range")
    part.take(DOWNLOAD, ask("GET", href[:-1] + "7"), 404, "notFound")
    part.take(DOWNLOAD, ask("GET", f"/v1/notifications/{UNKNOWN}/attachments/0"), 404, "notFound")
    for name in ("delivered", "pending"):
        part.take(CALL, ask("POST", f"/v1/app/{APPS[0]}/calls", {"call": name}), 200)
    ask("DELETE", f"/v1/notifications/{shown['id']}")
    part.take(DOWNLOAD, ask("GET", href), 200)
    ask("DELETE", f"/v1/history/{shown['id']}")
    part.take(DOWNLOAD, ask("GET", href), 410, "gone")
    part.end(table, "a file is sent, attached, read and gone")


def refused(table, center, document, token):
    part, path = Part(document), f"/v1/app/{APPS[2]}/attachments"
    ask = lambda body, **more: center.ask("POST", path, body, token=token, **more)  # noqa: E731
    part.take(UPLOAD, ask(b""), 422, "attachment")
    part.take(UPLOAD, ask(b"", headers={"content-length": str((50 << 20) + 1)}), 413, "tooLarge")
    part.take(UPLOAD, center.owner.ask("POST", "/v1/app/ab/attachments", b"x"), 404, "notFound")
    for kind, body, code in (("public.text", b"x", 101), ("public.png", b"no picture", 105)):
        answer = center.owner.attach(APPS[1], body, kind)
        part.take(CALL, answer, 422, "attachment")
        part.expect(answer.object.get("code") == code, f"{kind}: the code is {answer.object.get('code')}")
    for _ in range(16):
        answer = ask(b"x")
    part.take(UPLOAD, ask(b"x"), 429, "tooMany")
    part.end(table, "files that are refused, and one too many")


def of_apps(table, center, document, token):
    """The icon and the sounds of an app, as a host hands them over."""
    part, icon, sound = Part(document), png(), tone()
    host.introduce(center, APPS[0], "Chat", [(None, icon), ("Ding 1.wav", sound), ("page.wav", b"<html>")])
    for label, path, content in ((ICON, "icon", icon), (SOUND, "sounds/Ding%201.wav", sound)):
        href = f"/v1/apps/{APPS[0]}/{path}"
        ask = lambda href=href, **more: center.ask("GET", href, token=token, **more)  # noqa: E731
        whole = part.take(label, ask(), 200)
        part.expect(whole.body == content, f"{path}: other bytes came than were handed over")
        part.take(label, ask(headers={"if-none-match": whole.headers.get("etag", "")}), 304)
        part.take(label, ask(headers={"range": "bytes=1-3"}), 206)
        part.take(label, ask(headers={"range": f"bytes={len(content)}-"}), 416, "range")
        part.take(label, center.ask("GET", f"/v1/apps/{APPS[1]}/{path}", token=token), 404, "notFound")
        other = center.owner.token(["respond"])
        part.take(label, center.ask("GET", href, token=other), 403, "scope")
    part.take(SOUND, center.ask("GET", f"/v1/apps/{APPS[0]}/sounds/page.wav", token=token), 404, "notFound")
    apps = part.take("GET /v1/apps", center.ask("GET", "/v1/apps", token=token), 200).object["apps"]
    icons = {app["app"]: app.get("icon") for app in apps}
    part.expect(icons[APPS[0]] == f"/v1/apps/{APPS[0]}/icon" and icons[APPS[1]] is None, f"icons are {icons}")
    payload = {"aps": {"alert": "Ding", "sound": "Ding 1.wav", "category": "message"}}
    center.owner.call(APPS[0], "add", request={"identifier": "ding", "payload": payload})
    shown = newest(center)
    part.take(NOTIFICATION, center.ask("GET", f"/v1/notifications/{shown['id']}", token=token), 200)
    href = f"/v1/apps/{APPS[0]}/sounds/Ding%201.wav"
    part.expect((shown["present"]["sound"] or {}).get("href") == href, f"the sound is {shown['present']['sound']}")
    part.end(table, "the icon and a sound of an app")


def lock_view(table, center, document, token):
    """What an app's `previews` hide is in no list, no event and no file; nor may everything be answered."""
    part = Part(document)
    action = {"identifier": "unlock", "title": "Unlock", "options": ["authenticationRequired"]}
    category = {**CATEGORY, "actions": [*CATEGORY["actions"], action], "options": ["hiddenPreviewsShowTitle"]}
    center.owner.call(APPS[0], "setCategories", categories=[category])
    center.owner.attach(APPS[0])
    shown = newest(center)
    lock = center.owner.token(["read", "respond", "surface:lock"])
    center.ask("PATCH", f"/v1/apps/{APPS[0]}/settings", {"previews": "never"}, token=token)
    places = (("?surface=lock", token), ("", lock))
    for query, caller in places:
        ask = lambda path, by=caller, query=query: center.ask("GET", path + query, token=by)  # noqa: E731
        front = part.take("GET /v1/front", ask("/v1/front"), 200).object
        stacks = [stack for stack in front["stacks"] if stack["app"] == APPS[0]]
        hides = all("hidden" in stack and "payload" not in stack["leading"] for stack in stacks)
        part.expect(stacks and hides, "a stack of a lock view says something")
        part.take("GET /v1/stacks/{stack}", ask(f"/v1/stacks/{stacks[0]['id']}"), 200)
        part.take("GET /v1/notifications", ask("/v1/notifications"), 200)
        part.take("GET /v1/history", ask("/v1/history"), 200)
        seen = part.take(NOTIFICATION, ask(f"/v1/notifications/{shown['id']}"), 200).object
        part.expect("hidden" in seen and "payload" not in seen, "a notification of a lock view says something")
        part.take(DOWNLOAD, ask(f"/v1/notifications/{shown['id']}/attachments/0"), 403, "needsAuthentication")
        path = f"/v1/notifications/{shown['id']}/responses{query}"
        answer = center.ask("POST", path, {"action": "unlock"}, token=caller)
        part.take("POST /v1/notifications/{id}/responses", answer, 403, "needsAuthentication")
    part.take("GET /v1/front", center.ask("GET", "/v1/front?surface=wall", token=token), 400, "badParameter")
    both = {"name": "both", "scopes": ["surface:lock", "admin"]}
    part.take("POST /v1/tokens", center.ask("POST", "/v1/tokens", both, token=token), 400, "badParameter")
    part.end(table, "a lock view is told what it may show")
