# SPDX-License-Identifier: Apache-2.0
"""What a hostile view tries with the page, each beside a harmless twin that shows that the page draws the same well."""

import host
from attacks import ADDRESSES, MARKUP, RUN, SPY, STYLE
from badges import until
from center import APPS
from playwright.sync_api import expect
from surfaces import comes, tell
from view import settled
from visit import Visit, link, row

HOST = "evil.example"
TEXTS = [*MARKUP, *STYLE, *ADDRESSES, f"url(//{HOST}/x)", f"url('http://{HOST}/x')", f"\"); background: url(//{HOST}/x",
         f"//{HOST}/x.png", f"http://{HOST}/x.svg#a", f"red; background: url(//{HOST}/x)", "var(--x)", "1px; x: y"]
KINDS = ("view", "text", "image", "button", "slider", "switch", "stepper", "segments", "progress", "spinner", "field",
         "editor", "date", "media", "scroll", "row", "column")
# Every member of a node of any kind but id, kind and parent: PROTOCOL.md, "Scenes".
MEMBERS = (
    "f", "a", "bg", "gradient", "radius", "clip", "border", "shadow", "t", "hidden", "grow", "tap", "hold", "label",
    "text", "runs", "font", "color", "align", "wrap", "middle", "src", "fit", "symbol", "tint", "title", "disabled",
    "value", "min", "max", "step", "on", "wraps", "titles", "running", "placeholder", "keyboard", "secure", "plain",
    "mode", "playing", "jump", "at", "muted", "volume", "loop", "controls", "content", "gap", "align", "pad")
# Objects and lists of a node, with a hostile text in the place of each value.
NESTED = {
    "gradient": lambda text: {"from": text, "to": [text, text], "angle": text},
    "border": lambda text: {"width": text, "color": text},
    "runs": lambda text: [{"text": text, "bg": text, "color": text}],
    "shadow": lambda text: {"x": text, "y": text, "blur": text, "color": [text, 1]},
    "font": lambda text: {"size": text, "weight": text, "italic": text}, "titles": lambda text: [text, {"a": text}],
    "f": lambda text: [text] * 4, "t": lambda text: [text] * 6, "content": lambda text: [text, text],
}
# The same members as a harmless view says them.
HARMLESS = {"f": [10, 20, 120, 40], "a": 0.5, "bg": 0x336699ff, "radius": 9,
            "border": {"width": 2, "color": 0xff0000ff}, "shadow": {"x": 1, "y": 2, "blur": 3, "color": 255},
            "t": [1, 0, 0, 1, 5, 6], "label": "A name"}

PREPARE = """async () => {
  const folder = document.querySelector("script").src.replace(/[^/]*$/, "");
  const { Tree } = await import(`${folder}scene-tree.js`);
  const { styled } = await import(`${folder}scene-place.js`);
  await styled;
  window.told = [];
  // Draws nodes in a box and a strip of their own; `files` has the numbers of pictures that there are.
  window.draw = (nodes, files = []) => {
    const [box, strip] = [document.createElement("div"), document.createElement("div")];
    box.className = strip.className = "stage";
    document.body.replaceChildren(box, strip);
    const tree = new Tree({ box, strip, happened: (event) => window.told.push(event), isDead: false });
    tree.take({ set: [{ id: 1, k: "view", up: 0, f: [0, 0, 400, 800] }, ...nodes] }, true);
    tree.takeFiles("7", files);
    window.tree = tree;
  };
  // What stands in the attributes of all elements and their styles that came from a worker's text.
  const careful = ["style", "src", "srcset", "href", "xlink:href", "poster", "action", "formaction", "data", "ping"];
  window.leaks = (texts) => [...document.body.querySelectorAll("*")].flatMap((element) =>
    [...element.attributes].filter(({ name, value }) => name.startsWith("on") || (careful.includes(name)
      && (value.includes("evil") || value.includes("attacked") || texts.some((text) => value.includes(text)))))
      .map(({ name, value }) => `${element.localName} ${name}=${value.slice(0, 60)}`));
  // Elements of kinds that no scene is made of.
  const known = new Set(["div", "span", "bdi", "button", "input", "textarea", "label", "img", "video", "progress",
    "output", "svg", "path", "circle", "rect", "line", "polyline", "polygon", "ellipse", "g", "i"]);
  window.foreign = () => [...document.body.querySelectorAll("*")].map(({ localName }) => localName)
    .filter((name) => !known.has(name));
}"""


def hostile_nodes(text):
    """A node of each kind with a text in each member, alone and inside of what the member is, below one view."""
    nodes, number = [], 2
    for kind in KINDS:
        for wrong in (lambda name: NESTED.get(name, str)(text), lambda name: text):
            node = {name: wrong(name) for name in MEMBERS}
            # A text that a scene may say, so that it is drawn, in every member that takes one.
            if kind == "text" and number % 4 == 0:
                del node["runs"]
            nodes.append({"id": number, "k": kind, "up": 1, **node})
            number += 1
    nodes += [{"id": text, "k": "view", "up": 1}, {"id": number, "k": text, "up": 1}, text, None, [text],
              {"id": number, "k": "view", "up": text}, {"id": number, "k": "constructor", "up": 1},
              {"id": number, "k": "__proto__", "up": 1}]
    return nodes


def texts_in_scenes(table, page):
    """Feeds the page's own tree, as if a host had let through what it refuses."""
    page.evaluate(PREPARE)
    with row(table, "no text of a scene becomes a style, an address, markup or a script") as seen:
        for text in TEXTS:
            page.evaluate("(nodes) => window.draw(nodes, [1, 2])", hostile_nodes(text))
            leaks = page.evaluate("(texts) => window.leaks(texts)", [text] if len(text) > 8 else [])
            assert not leaks, f"{text!r}: {leaks[0]}"
            foreign = page.evaluate("window.foreign()")
            assert not foreign, f"{text!r} brings {set(foreign)}"
            assert page.evaluate("window.attacked") is None, f"{text!r} ran"
        seen.append(f"{len(TEXTS)} texts in {len(KINDS) * len(set(MEMBERS))} members")
    with row(table, "their harmless twins are drawn: texts as texts, numbers as styles, a file by its number"):
        page.evaluate("(nodes) => window.draw(nodes, [5])", [
            {"id": 2, "k": "text", "up": 1, "text": MARKUP[0], **HARMLESS}, {"id": 3, "k": "image", "up": 1, "src": 5},
            {"id": 4, "k": "image", "up": 1, "src": 6, "symbol": "star"},
            {"id": 5, "k": "button", "up": 1, "title": MARKUP[2]}])
        found = page.evaluate("""() => {
            const at = (id) => window.tree.parts.get(id).element;
            const { left, top, width, opacity, backgroundColor, borderRadius, outlineWidth, boxShadow, transform } =
              getComputedStyle(at(2));
            // A picture hangs in the page once it has loaded; its address is the page's own.
            return [at(2).textContent, left, top, width, opacity, backgroundColor, borderRadius, outlineWidth,
              boxShadow, transform, window.tree.addressOf(5), window.tree.addressOf(6) ?? null,
              at(5).querySelector("bdi").textContent];
        }""")
        assert found == [MARKUP[0], "10px", "20px", "120px", "0.5", "rgb(51, 102, 153)", "9px", "2px",
                         "rgb(0, 0, 0) 1px 2px 3px 0px", "matrix(1, 0, 0, 1, 5, 6)", "/v1/views/7/files/5", None,
                         MARKUP[2]], found
    with row(table, "numbers without end or sense draw nothing that is none") as seen:
        numbers = [1e308, -1e308, 2**53, -0.0, 4294967296, 0.1 + 2**31, True, None, {}, []]
        for number in numbers:
            node = {name: NESTED.get(name, lambda value: value)(number) for name in MEMBERS}
            page.evaluate("(nodes) => window.draw(nodes)", [{"id": place, "k": kind, "up": 1, **node}
                                                            for place, kind in enumerate(KINDS, 2)])
            wrong = page.evaluate("""() => [...document.querySelectorAll("[style]")].map(({ style }) => style.cssText)
                .filter((text) => /NaN|Infinity|undefined|null|object/.test(text))""")
            assert not wrong, f"{number}: {wrong[0]}"
        seen.append(f"{len(numbers)} in each member")


BAD = {"bg": 0xff0000ff, "border": {"width": 4096, "color": 0xff0000ff}, "tap": True, "label": "Red",
       "shadow": {"x": 0, "y": 0, "blur": 4096, "color": 0xff0000ff}}
QUIET = [{"id": 98, "k": "view", "up": 0}, {"id": 99, "k": "text", "up": 98, "text": "Quiet", "f": [10, 10, 100, 21]}]
BEYOND = [{"id": 100, "k": "view", "up": 0, "f": [0, 0, 360, 216]},
          {"id": 101, "k": "view", "up": 100, "f": [-500, -500, 5500, 5500], **BAD},
          {"id": 102, "k": "view", "up": 100, "f": [0, 0, 50, 50], "t": [1000, 0, 0, 1000, -4000, -4000], **BAD},
          {"id": 103, "k": "scroll", "up": 100, "f": [-300, 0, 2000, 2000], "content": [9000, 9000], **BAD},
          {"id": 104, "k": "text", "up": 100, "f": [-900, -900, 3000, 3000], "font": {"size": 512, "weight": 900},
           "text": "Allow notifications from Bank\n" * 90},
          {"id": 105, "k": "segments", "up": 100, "f": [300, -40, 4000, 900], "titles": ["Allow"] * 16},
          {"id": 106, "k": "row", "up": 0, "strip": True, "gap": 4096, "pad": 4096},
          {"id": 107, "k": "view", "up": 106, "f": [0, 0, 9000, 9000], **BAD}]
FIELDS = [{"id": 200, "k": "view", "up": 0},
          {"id": 201, "k": "field", "up": 200, "f": [10, 10, 300, 34], "secure": True, "placeholder": "Password"},
          {"id": 202, "k": "field", "up": 200, "f": [10, 60, 300, 34], "placeholder": "Town"}]


def around(page, frame):
    """Pictures of what is beside the box and above it."""
    place = frame.bounding_box()
    left, top, width = place["x"], place["y"], place["width"]
    return [page.screenshot(clip=clip, animations="disabled") for clip in (
        {"x": left - 24, "y": top, "width": 20, "height": 60},
        {"x": left + width + 4, "y": top, "width": 20, "height": 60},
        {"x": left, "y": top - 14, "width": width, "height": 10})]


def outside(table, page, center, views):
    """Draws beyond the box in each way that a scene has."""
    card = page.locator("article", has_text="Outside")
    frame = card.locator(".frame").first
    before, focused = [], None

    def draw(*nodes, **more):
        views.link.send(host.packet(host.VIEW_SCENE, {"set": list(nodes), **more}, max(views.views)))

    with row(table, "a node inside of the box is found there, and changes nothing around it"):
        tell(center, "Outside", category="photo", **{"thread-id": "Outside"})
        comes(page, "Outside")
        card.locator(".notification").first.focus()
        page.keyboard.press("i")
        expect(card.get_by_role("slider", name="Opacity")).to_be_visible()
        expect(page.locator(".banner")).to_have_count(0)
        focused = page.evaluate("document.activeElement.className")
        # The height stays the same from here on: what stands around a box depends on it.
        draw(size=[360, 216])
        frame.scroll_into_view_if_needed()
        settled(page, frame)
        before = around(page, frame)
        draw(*QUIET, gone=[1])
        expect(frame.get_by_text("Quiet")).to_be_visible()
        found = page.evaluate(PROBE)
        assert found["inside"] > 0 and found["outside"] == 0, found
        assert around(page, frame) == before
    with row(table, "frames, transforms, shadows and strips beyond the box are drawn in it alone") as seen:
        draw(*BEYOND, gone=[98])
        expect(card.get_by_role("button", name="Red").first).to_be_attached()
        settled(page, frame)
        found = page.evaluate(PROBE)
        seen.append(f"{found['points']} points, {found['inside']} of them in the box")
        assert found["outside"] == 0 and found["inside"] > 100, found
        assert around(page, frame) == before, "something is drawn around the box"
    with row(table, "who it is, is said outside of the box by the page, and nothing takes the focus"):
        assert frame.get_attribute("aria-label") == f"Shown by {APPS[1]}", frame.get_attribute("aria-label")
        expect(card.locator(".view-foot")).to_contain_text(f"Shown by {APPS[1]}")
        assert not page.evaluate("document.querySelector('.view-foot').closest('.frame')")
        assert page.evaluate("document.activeElement.className") == focused
    with row(table, "a field for a password is dead and says so, and its twin for a town is written in"):
        draw(*FIELDS, gone=[100, 106])
        expect(card.get_by_text("cannot ask for passwords")).to_be_visible()
        expect(card.locator(".frame input")).to_have_count(1)
        heard, example = [], views.example
        example.View.heard = lambda view, number, body: heard.append(body)
        card.get_by_role("textbox", name="Town").fill("Madrid")
        until(page, "the text does not come to the view", lambda: any(
            (body.get("node"), body.get("value")) == (202, "Madrid") for body in heard))
        assert not [body for body in heard if body.get("node") == 201], heard


# Whose element is at points of the whole window: of a scene inside of the box's rectangle, or outside of it.
PROBE = """() => {
  const frames = [...document.querySelectorAll(".frame")].map((frame) => frame.getBoundingClientRect());
  const found = { points: 0, inside: 0, outside: 0 };
  for (let x = 2; x < innerWidth; x += 7) for (let y = 2; y < innerHeight; y += 7) {
    found.points += 1;
    const element = document.elementFromPoint(x, y);
    if (!element?.closest(".stage .node")) continue;
    const isInside = frames.some(({ left, right, top, bottom }) => x >= left && x <= right && y >= top && y <= bottom);
    found[isInside ? "inside" : "outside"] += 1;
  }
  return found;
}"""


def run(table, browser, center, options):
    table.heading("hostile", "views that try to be more than a view, each with a harmless twin")
    requested = []
    visit = Visit(browser, center, viewport={"width": 1000, "height": 900})
    visit.context.add_init_script(SPY)
    visit.context.on("request", lambda request: requested.append(request.url))
    try:
        page = visit.tab(link(center))
        expect(page.locator("article").first).to_be_visible()
        with host.viewing(center, APPS[1]) as views:
            outside(table, page, center, views)
        other = visit.tab()
        expect(other.locator("article").first).to_be_visible()
        texts_in_scenes(table, other)
        with row(table, "no request left the centre, and no rule of the page was broken") as seen:
            other.wait_for_timeout(500)
            seen.append(f"{len(requested)} requests")
            for each in visit.context.pages:
                # A browser says so where boxes need one more of its rounds; no rule is broken by that.
                broken = [fault for fault in each.evaluate("window.broken") if not fault.startswith("ResizeObserver")]
                assert not broken, f"{len(broken)} faults, {broken[0]}"
            strangers = [url for url in requested if not url.startswith(f"http://{center.authority}/")]
            assert not strangers, strangers[0]
            assert not visit.complaints, visit.complaints[0]
        with row(table, "one that did break a rule would have been seen here"):
            other.evaluate(f"() => {{ new Image().src = 'http://{HOST}/x.png'; }}")
            other.wait_for_timeout(200)
            assert "img-src" in other.evaluate("window.broken"), other.evaluate("window.broken")
            assert other.evaluate(RUN) == 1 and other.evaluate("window.attacked") == 1
    finally:
        visit.close()
