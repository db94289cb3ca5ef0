# SPDX-License-Identifier: Apache-2.0
"""Scenes for whoever uses a keyboard, a screen reader, a dark page or a language from right to left."""

import host
from access import Axe
from badges import until
from center import APPS
from playwright.sync_api import expect
from surfaces import comes, tell
from visit import Visit, link, row, signed_in

BLACK_ON_WHITE = {"bg": [0xffffffff, 0x000000ff]}
LETTERS = [0x202020ff, 0xf0f0f0ff]
# Scenes by what they show: the nodes below a view that fills the box, whose number is 1. Ids count from there.
SCENES = {
    "a text": [{"k": "text", "text": "Lunch?", "f": [16, 16, 200, 21]}],
    "a text of runs": [{"k": "text", "f": [16, 16, 300, 42], "runs": [
        {"text": "Alice ", "font": {"size": 20, "weight": 600}},
        {"text": "is there", "color": LETTERS, "underline": True}]}],
    "a text in Arabic": [{"k": "text", "text": "مرحبا بكم في المدينة", "wrap": True, "f": [16, 16, 300, 42]}],
    "a text that takes clicks": [{"k": "text", "text": "More", "tap": True, "f": [16, 16, 200, 44]}],
    "a symbol with a name": [{"k": "image", "symbol": "heart.fill", "label": "Liked", "f": [16, 16, 44, 44]}],
    "a symbol for the eye alone": [{"k": "image", "symbol": "star", "f": [16, 16, 44, 44]}],
    "a picture that is not there yet": [{"k": "image", "src": 9, "label": "Photo", "f": [16, 16, 200, 120]}],
    "buttons": [{"k": "button", "title": "Launch", "f": [16, 16, 100, 44]},
                {"k": "button", "title": "", "symbol": "heart", "label": "Like", "f": [130, 16, 44, 44]},
                {"k": "button", "title": "Later", "disabled": True, "f": [190, 16, 100, 44]}],
    "sliders": [{"k": "slider", "value": 0.3, "label": "Volume", "f": [16, 16, 300, 31]},
                {"k": "slider", "value": 5, "min": 0, "max": 10, "step": 1, "disabled": True, "f": [16, 60, 300, 31]}],
    "switches": [{"k": "switch", "on": True, "label": "Loud", "f": [16, 16, 51, 31]},
                 {"k": "switch", "on": False, "disabled": True, "f": [80, 16, 51, 31]}],
    "a stepper": [{"k": "stepper", "value": 2, "min": 0, "max": 5, "label": "Guests", "f": [16, 16, 94, 32]}],
    "segments": [{"k": "segments", "titles": ["One", "Two", ""], "value": 1, "label": "Table", "f": [16, 16, 300, 32]}],
    "progress": [{"k": "progress", "value": 0.4, "label": "Loaded", "f": [16, 16, 300, 4]},
                 {"k": "spinner", "running": True, "f": [16, 40, 37, 37]}],
    "fields": [{"k": "field", "value": "", "placeholder": "Town", "f": [16, 16, 300, 34]},
               {"k": "field", "value": "a@b.c", "keyboard": "email", "label": "Address", "f": [16, 60, 300, 34]},
               {"k": "editor", "value": "two\nlines", "label": "Words", "f": [16, 104, 300, 60]}],
    "a field for a password": [{"k": "field", "secure": True, "placeholder": "Password", "f": [16, 16, 320, 34]}],
    "dates": [{"k": "date", "value": 1700000000000, "mode": "date", "label": "Day", "f": [16, 16, 200, 34]},
              {"k": "date", "value": 1700000000000, "f": [16, 60, 300, 34]}],
    "a film that is not there yet": [{"k": "media", "label": "Film", "f": [16, 16, 300, 160]}],
    "a part that scrolls": [{"k": "scroll", "content": [300, 900], "f": [16, 16, 300, 150]},
                            {"k": "text", "up": 2, "text": "Far\n" * 30, "f": [0, 0, 200, 630]}],
    "a row in a column": [{"k": "column", "gap": 8, "pad": 16, "f": [0, 0, 360, 200], "label": "Guests"},
                          {"k": "row", "up": 2, "gap": 8}, {"k": "button", "up": 3, "title": "Yes"},
                          {"k": "button", "up": 3, "title": "No"}, {"k": "text", "up": 2, "text": "At one?"}],
    "a view of its own colours, which takes clicks": [
        {"k": "view", "tap": True, "label": "Card", "radius": 12, "f": [16, 16, 300, 120], **BLACK_ON_WHITE},
        {"k": "text", "up": 2, "text": "At the lake", "color": LETTERS, "f": [12, 12, 200, 21]}],
}
# In the order of the tree, which is that of the keyboard; what each is told by keys comes back as events.
CONTROLS = [{"id": 11, "k": "slider", "up": 10, "value": 0.5, "step": 0.25, "label": "Volume"},
            {"id": 12, "k": "switch", "up": 10, "on": False, "label": "Loud"},
            {"id": 13, "k": "stepper", "up": 10, "value": 2, "min": 0, "max": 5, "label": "Guests"},
            {"id": 14, "k": "segments", "up": 10, "titles": ["One", "Two"], "value": 0, "label": "Table"},
            {"id": 15, "k": "button", "up": 10, "title": "Launch"},
            {"id": 16, "k": "view", "up": 10, "tap": True, "label": "Card", "f": [0, 0, 100, 44]}]


class Shown:
    """The view of one notification in a tab, whose scenes the test draws and whose events it hears."""

    def __init__(self, center, page, views, title):
        self.page, self.views, self.title, self.places, self.heard = page, views, title, [], []
        opened = views.example.View.opened

        def open_view(view, number, body):
            self.places.append(body["environment"])
            opened(view, number, body)

        views.example.View.opened = open_view
        views.example.View.heard = lambda view, number, body: self.hear(view, number, body)
        tell(center, title, category="photo", **{"thread-id": title})
        comes(page, title)
        self.card = page.locator("article", has_text=title)
        self.card.locator(".notification").first.focus()
        page.keyboard.press("i")
        expect(self.card.get_by_role("slider", name="Opacity")).to_be_visible()
        expect(page.locator(".banner")).to_have_count(0)
        self.root = 1

    def hear(self, view, number, body):
        """Takes an event in; after a response the view stays."""
        self.heard.append(body)
        update = {"ack": body["seq"]}
        if response := body.get("response"):
            update["calls"] = [{"option": "doNotDismiss", "response": response["number"]}]
        self.views.example.send(view.host, self.views.example.VIEW_SCENE, number, update)

    @property
    def responses(self):
        return [body["response"]["action"] for body in self.heard if "response" in body]

    def number_of(self, center):
        """The number of the notification whose view this is, as the centre has it."""
        items = center.owner.items(f"/v1/notifications?app={APPS[1]}")
        return next(item["id"] for item in items if item["payload"]["aps"]["alert"].get("title") == self.title)

    def draw(self, nodes, **more):
        """A whole new scene in the place of the last one: the first node is the root."""
        update = {"set": nodes, "gone": [self.root], **more}
        self.views.link.send(host.packet(host.VIEW_SCENE, update, max(self.views.views)))
        self.root = nodes[0]["id"]

    def told(self, node, event):
        return [body.get("value") for body in self.heard if (body.get("node"), body.get("event")) == (node, event)]


def numbered(nodes, start):
    """The nodes below a view that fills the box, with ids from a number on."""
    made = [{"id": start, "k": "view", "up": 0}]
    for place, node in enumerate(nodes, 1):
        made.append({**node, "id": start + place, "up": start + node.get("up", 1) - 1})
    return made


def look(table, browser, center):
    assert len(SCENES) == 20
    with row(table, f"nothing that axe finds in {len(SCENES)} scenes, light and dark") as seen, \
            host.viewing(center, APPS[1]) as views, signed_in(browser, center, bypass_csp=True) as (_, page):
        shown, looked = Shown(center, page, views, "For axe"), 0
        for place, (what, nodes) in enumerate(SCENES.items(), 1):
            shown.draw(numbered(nodes, 100 * place), size=[360, 216])
            kinds = sorted({node["k"] for node in nodes} | {"view"})
            until(page, f"{what} is not drawn", lambda: sorted(set(shown.card.locator(".frame .node").evaluate_all(
                "all => all.map(({ dataset }) => dataset.kind)"))) == kinds)
            for scheme in ("light", "dark"):
                page.emulate_media(color_scheme=scheme)
                results = Axe().run(page, context=".view").response
                assert results["passes"], f"{what}: axe has looked at nothing"
                faults = [f"{fault['id']}: {fault['nodes'][0]['html'][:80]}" for fault in results["violations"]]
                assert not faults, f"{what}, {scheme}: {'; '.join(faults)}"
                looked += 1
        seen.append(f"{looked} looks")
        # A fault that axe knows is found in the same place.
        shown.card.locator(".frame button.tap").first.evaluate("element => element.removeAttribute('aria-label')")
        found = [fault["id"] for fault in Axe().run(page, context=".view").response["violations"]]
        assert "button-name" in found, f"axe finds no fault that is there: {found}"


def press(table, center, views, page):
    keys, shown = page.keyboard, None
    with row(table, "Tab goes from control to control in the order of the tree") as seen:
        shown = Shown(center, page, views, "For keys")
        shown.draw([{"id": 10, "k": "column", "up": 0, "gap": 8, "pad": 8, "c": [11, 12, 13, 14, 15, 16]}, *CONTROLS])
        expect(shown.card.get_by_role("slider", name="Volume")).to_be_visible()
        shown.card.locator(".details").focus()
        names = []
        while len(names) < 12 and names[-1:] != ["Card"]:
            keys.press("Tab")
            names.append(page.evaluate("""() => {
                const { activeElement: { ariaLabel, textContent, parentNode } } = document;
                return ariaLabel ?? (textContent || parentNode.textContent); }"""))
        seen.append(", ".join(names))
        assert names[-7:] == ["Volume", "Loud", "Less", "More", "One", "Launch", "Card"], names
    with row(table, "keys alone work slider, switch, stepper, segments, button and what takes clicks"):
        for locator, key in ((shown.card.get_by_role("slider", name="Volume"), "ArrowRight"),
                             (shown.card.get_by_role("switch", name="Loud"), " "),
                             (shown.card.get_by_role("button", name="More"), "Enter"),
                             (shown.card.get_by_role("radio", name="One"), "ArrowRight"),
                             (shown.card.get_by_role("button", name="Launch"), "Enter"),
                             (shown.card.get_by_role("button", name="Card"), "Enter")):
            locator.focus()
            keys.press(key)
        until(page, f"not all was told: {shown.heard}", lambda: shown.told(16, "tap"))
        told = [shown.told(node, event) for node, event in
                ((11, "value"), (12, "value"), (13, "value"), (14, "value"), (15, "tap"))]
        assert told == [[0.75], [True], [3], [1], [None]], told


def mirror(table, browser, center):
    """The same row of buttons, on a page of a language from left to right and on a mirrored one."""
    for direction, wanted in (("ltr", ["leftToRight", True]), ("rtl", ["rightToLeft", False])):
        visit = Visit(browser, center)
        visit.context.add_init_script("addEventListener('DOMContentLoaded', () => {"
                                      f" document.documentElement.dir = '{direction}'; }})")
        try:
            with row(table, f"a row goes with the page's direction, which the view is told: {direction}"), \
                    host.viewing(center, APPS[1]) as views:
                page = visit.tab(link(center))
                shown = Shown(center, page, views, f"For {direction}")
                shown.draw([{"id": 10, "k": "column", "up": 0}, {"id": 11, "k": "row", "up": 10, "gap": 8},
                            {"id": 12, "k": "button", "up": 11, "title": "First"},
                            {"id": 13, "k": "button", "up": 11, "title": "Second"}])
                expect(shown.card.get_by_role("button", name="Second")).to_be_visible()
                first, second = (shown.card.get_by_role("button", name=name).bounding_box()["x"]
                                 for name in ("First", "Second"))
                assert [shown.places[-1]["direction"], first < second] == wanted, (shown.places, first, second)
        finally:
            visit.close()


def run(table, browser, center, options):
    table.heading("shown", "scenes for keys, screen readers, dark pages and other directions")
    if Axe is None:
        table.row("nothing that axe finds", "skipped: scripts/clients --page installs axe-playwright-python")
    else:
        look(table, browser, center)
    with host.viewing(center, APPS[1]) as views, signed_in(browser, center) as (visit, page):
        press(table, center, views, page)
        with row(table, "no script failed that shows scenes"):
            assert not visit.complaints, visit.complaints[0]
    mirror(table, browser, center)
