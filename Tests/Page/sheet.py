# SPDX-License-Identifier: Apache-2.0
"""A sheet of pictures of the page for people to look at; scripts/contact-sheet starts it.

Views in both schemes, three widths and three languages, and two pictures for the documents.
"""

import argparse
import base64
import contextlib
import os
import sys

sys.dont_write_bytecode = True
TESTS = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
sys.path.insert(0, os.path.join(TESTS, "API"))

import host  # noqa: E402
from center import Center, fail  # noqa: E402
from playwright.sync_api import expect, sync_playwright  # noqa: E402

import lock  # noqa: E402
from surfaces import says  # noqa: E402
from visit import BROWSERS, Visit, link  # noqa: E402

# Schemes, widths in points and languages of a view.
LOOKS = (("light", 1280, "en-US"), ("dark", 390, "es-ES"), ("light", 320, "pt-BR"))
ICONS = {
    "chat": ("#1b74e8", '<path d="M26 34h76v48H62L40 100V82H26z" fill="#fff"/>'),
    "calendar": ("#d23b2e", '<path d="M28 40h72v60H28z" fill="#fff"/><path d="M28 28h72v12H28z" fill="#ffd6d2"/>'),
    "photos": ("#6a3fd0", '<circle cx="64" cy="64" r="30" fill="none" stroke="#fff" stroke-width="12"/>'),
    "backup": ("#1f8a53", '<path d="M64 26v52M40 58l24 24 24-24M34 98h60" fill="none" stroke="#fff" stroke-width="11"/>'),
}
LANDSCAPE = """<rect width="640" height="360" fill="#8fc7f2"/><circle cx="500" cy="90" r="46" fill="#ffe08a"/>
<path d="M0 260L150 120 300 260z" fill="#5d7fa8"/><path d="M180 280L360 90 560 280z" fill="#486a92"/>
<path d="M0 240q160-50 320 10t320 0v110H0z" fill="#4d8f57"/>"""
REPLY = {"identifier": "reply", "title": "Reply", "options": [], "text": {"button": "Send", "placeholder": "Message"}}
MESSAGE = {"identifier": "message", "options": ["customDismissAction"], "actions": [
    REPLY, {"identifier": "mute", "title": "Mute", "options": []}]}
EVENT = {"identifier": "event", "options": [], "actions": [
    {"identifier": "join", "title": "Join", "options": ["foreground"]},
    {"identifier": "decline", "title": "Decline", "options": ["destructive"]}]}


def drawing(browser, markup, width, height):
    """A picture of some shapes, as a PNG."""
    page = browser.new_page(viewport={"width": width, "height": height})
    page.set_content(f'<style>*{{margin:0}}</style><svg xmlns="http://www.w3.org/2000/svg" width="{width}" '
                     f'height="{height}">{markup}</svg>')
    image = page.screenshot(omit_background=True)
    page.close()
    return image


def app(name):
    return f"com.example.{name}"


def fill(browser, center):
    """Four apps with what a person has on a morning, and one that asks."""
    owner, apps = center.owner, {}
    for name, (colour, shape) in ICONS.items():
        icon = drawing(browser, f'<rect width="128" height="128" rx="28" fill="{colour}"/>{shape}', 128, 128)
        owner.call(app(name), "setCategories", categories=[MESSAGE, EVENT])
        owner.ask("POST", f"/v1/apps/{app(name)}/authorization", {"decision": "allow"})
        owner.ask("PATCH", f"/v1/apps/{app(name)}/settings", {"previews": "always"})
        apps[app(name)] = (name.capitalize(), [(None, icon)], {})
    host.introduce_all(center, apps)
    add(center, "backup", "backup", title="Backup finished", body="21 GB in 14 minutes; nothing was skipped.")
    sent = owner.ask("POST", f"/v1/app/{app('photos')}/attachments", drawing(browser, LANDSCAPE, 640, 360),
                     {"content-type": "image/png"}).object["upload"]
    add(center, "photos", "photo", [{"identifier": "photo", "type": "public.png", "upload": sent}], category="message",
        title="Alice shared a photo", body="The view from the hut")
    for number, text in enumerate(("Are you up?", "Yes!", "Coffee at the corner?", "Sure", "And lunch?", "At one?")):
        name = ("Alice", "Me")[number % 2]
        add(center, "chat", f"chat-{number}", category="message", thread="alice", title="Alice", body=text, who=name)
    add(center, "calendar", "event", category="event", level="time-sensitive", title="Stand-up",
        body="In ten minutes, room 2", subtitle="Every weekday")


def add(center, name, identifier, attachments=(), *, category="", level="active", thread="", who="", **alert):
    aps = {"alert": alert | {"summary-arg": who}, "category": category, "thread-id": thread, "interruption-level": level}
    center.owner.call(app(name), "add", request={
        "identifier": identifier, "payload": {"aps": aps}, "attachments": list(attachments)})


# Views: each brings a page that shows the list to what is looked at.

def show_list(visit, page):
    pass


def show_stack(visit, page):
    page.locator("article.stack footer button").first.click()
    expect(page.locator("article", has_text="Are you up?")).to_be_visible()


def show_reply(visit, page):
    page.keyboard.press("j")
    page.keyboard.press("j")
    page.keyboard.press("r")
    page.locator("textarea").fill("At one is fine \U0001f44d")


def show_banner(visit, page):
    says(visit, page, banners=True)
    add(visit.center, "chat", "fresh", category="message", thread="bob", level="time-sensitive", title="Bob",
        body="The train is late, I will be there at nine.", who="Bob")
    expect(page.locator(".banner")).to_be_visible()


def show_settings(visit, page):
    page.locator("details.settings > summary").click()
    page.locator(".app-settings summary").first.click()


def show_keys(visit, page):
    page.keyboard.press("?")
    expect(page.locator(".help")).to_be_visible()


def show_details(visit, page):
    page.keyboard.press("j")
    page.keyboard.press("j")
    page.keyboard.press("i")
    expect(page.locator(".details:not([hidden])")).to_be_visible()


def show_history(visit, page):
    for item in visit.center.owner.items("/v1/notifications?app=" + app("backup")):
        visit.center.owner.ask("DELETE", f"/v1/notifications/{item['id']}")
    page.locator("details.history > summary").click()
    expect(page.locator("details.history")).to_contain_text("Backup finished")


def show_search(visit, page):
    page.get_by_role("searchbox").fill("al")
    expect(page.locator(".results .notification").first).to_be_visible()


def show_lock(visit, page):
    add(visit.center, "chat", "door", category="message", thread="bob", title="Bob", body="I am at the door", who="Bob")
    expect(page.locator(".rows article")).to_have_count(1)


VIEWS = {"list": show_list, "stack": show_stack, "reply": show_reply, "banner": show_banner, "search": show_search,
         "settings": show_settings, "keys": show_keys, "details": show_details, "history": show_history, "lock": show_lock}


@contextlib.contextmanager
def page_of(browser, center, view, scheme, width, locale):
    visit = Visit(browser, center, color_scheme=scheme, locale=locale, viewport={"width": width, "height": 800})
    try:
        page = visit.tab(lock.link(center) if view == "lock" else link(center))
        if view == "lock":
            # What is not there yet counts as hidden.
            expect(page.locator(".clock time")).not_to_be_empty()
            expect(page.locator(".below a")).to_be_hidden()
        else:
            expect(page.locator("article", has_text="Stand-up").first).to_be_visible()
            if page.locator(".offer").is_visible():
                page.locator(".offer button").last.click()
        VIEWS[view](visit, page)
        # Pictures of the page are there once they are decoded.
        page.wait_for_load_state("networkidle")
        yield page
    finally:
        visit.close()


def sheet(browser, pictures, path):
    """One picture with all of them, each above its name."""
    figures = "".join(
        f'<figure><img src="data:image/png;base64,{base64.b64encode(image).decode()}"><figcaption>{name}</figcaption>'
        "</figure>" for name, image in pictures.items())
    page = browser.new_page(viewport={"width": 2400, "height": 1200})
    page.set_content("<style>body{font:16px sans-serif;background:#999;display:grid;gap:16px;align-items:start;"
                     "grid-template-columns:repeat(6,1fr)}figure{margin:0}img{width:100%}</style>" + figures)
    page.screenshot(path=path, full_page=True)
    page.close()


def main():
    parser = argparse.ArgumentParser(prog="contact-sheet", usage="scripts/contact-sheet [option…] FOLDER")
    parser.add_argument("folder", metavar="FOLDER")
    parser.add_argument("--programs", default=os.path.join(os.path.dirname(TESTS), ".build", "debug"))
    options = parser.parse_args()
    path = next((path for path in BROWSERS if os.access(path, os.X_OK)), None)
    if path is None:
        fail("no Chromium", "scripts/setup page installs it")
    os.makedirs(options.folder, exist_ok=True)
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=path, args=["--no-sandbox"])
        pictures = {}
        for view in VIEWS:
            with contextlib.closing(Center(options.programs)) as center:
                fill(browser, center)
                for look in LOOKS:
                    with page_of(browser, center, view, *look) as page:
                        pictures[" ".join([view, *map(str, look)])] = page.screenshot(full_page=True)
                if view == "list":
                    for scheme in ("light", "dark"):
                        with page_of(browser, center, view, scheme, 720, "en-US") as page:
                            page.screenshot(path=os.path.join(options.folder, f"page-{scheme}.png"))
        for name, image in pictures.items():
            with open(os.path.join(options.folder, name.replace(" ", "-") + ".png"), "wb") as file:
                file.write(image)
        sheet(browser, pictures, os.path.join(options.folder, "sheet.png"))
        browser.close()
    print(f"{len(pictures)} pictures of the page, and all on one sheet: {os.path.join(options.folder, 'sheet.png')}")


if __name__ == "__main__":
    main()
