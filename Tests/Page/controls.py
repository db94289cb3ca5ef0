# SPDX-License-Identifier: Apache-2.0
"""Controls of a scene in frames as UIKit gives them: nothing is cut off, and nothing is larger than its frame."""

from visit import row, signed_in

# Draws nodes below a view of their own, each in a frame; returns the elements inside of them.
PREPARE = """async () => {
  const folder = document.querySelector("script").src.replace(/[^/]*$/, "");
  const { Tree } = await import(`${folder}scene-tree.js`);
  const { lettered } = await import(`${folder}scene-place.js`);
  await lettered;
  window.draw = (nodes) => {
    const [box, strip] = [document.createElement("div"), document.createElement("div")];
    box.className = strip.className = "stage";
    document.body.replaceChildren(box, strip);
    const tree = new Tree({ box, strip, happened() {}, isDead: false });
    tree.take({ set: [{ id: 1, k: "view", up: 0, f: [0, 0, 400, 800] },
      ...nodes.map((node, index) => ({ id: index + 2, up: 1, ...node }))] }, true);
    return nodes.map((_, index) => tree.parts.get(index + 2).element);
  };
  window.size = (element) => { const { width, height } = element.getBoundingClientRect(); return [width, height]; };
}"""
SMALL = {"size": 15}
# What UIKit's buttons of 15 points ask for: a title of 74.6 points, rounded up, and a symbol of 22 before it.
TITLE = "Launch app"


def run(table, browser, center, options):
    table.heading("controls", "of a scene, in the frames that a worker measured")
    with signed_in(browser, center) as (_, page):
        page.evaluate(PREPARE)
        width = page.evaluate("""([text, font]) => {
            const [{ firstChild }] = window.draw([{ k: "text", text, font, f: [0, 0, 400, 19] }]);
            const range = document.createRange();
            range.selectNodeContents(firstChild);
            return Math.ceil(range.getBoundingClientRect().width);
        }""", [TITLE, SMALL])

        with row(table, "a title is in one line, whole, and alone or beside a picture") as seen:
            buttons = [{"k": "button", "title": TITLE, "font": SMALL, "f": [0, 0, width, 31]},
                       {"k": "button", "title": TITLE, "font": SMALL, "symbol": "star", "f": [0, 40, width + 18, 31]},
                       {"k": "button", "title": TITLE, "font": SMALL, "symbol": "star", "f": [0, 80, width + 40, 31]},
                       {"k": "button", "title": TITLE + " for good", "font": SMALL, "f": [0, 120, width, 31]}]
            found = page.evaluate("""(nodes) => window.draw(nodes).map((element) => {
                const title = element.querySelector("bdi");
                const picture = element.querySelector("svg")?.getBoundingClientRect();
                const { left, height } = title.getBoundingClientRect();
                const gap = picture === undefined ? 0 : left - picture.right;
                return [title.scrollWidth > title.clientWidth, height, gap];
            })""", buttons)
            seen.append(f"{width} points")
            # Beside a picture there is a gap if there is room for one; a title without room ends with dots.
            assert [cut for cut, _, _ in found] == [False, False, False, True], found
            assert [height for _, height, _ in found] == [19] * 4, found
            assert found[1][2] < 1 and found[2][2] == 0.35 * 15, found
        with row(table, "a title in a column has as many lines as it needs"):
            found = page.evaluate("""(nodes) => {
                const column = window.draw(nodes)[0];
                const title = column.querySelector("bdi");
                return [title.getBoundingClientRect().height, title.scrollWidth > title.clientWidth];
            }""", [{"k": "column", "f": [0, 0, 160, 200]},
                   {"k": "button", "up": 2, "title": "A title of several words", "font": SMALL}])
            assert found == [38, False], found
        with row(table, "fields, dates and segments have the height of their frames"):
            nodes = [{"k": kind, "f": [0, 0, 200, height], "value": 0 if kind == "date" else "", **more}
                     for height in (22, 30, 34, 60)
                     for kind, more in (("field", {}), ("field", {"plain": True}), ("field", {"secure": True}),
                                        ("editor", {}), ("date", {}))]
            nodes += [{"k": "segments", "f": [0, 0, 200, height], "titles": ["One", "Two"]} for height in (24, 28, 32)]
            found = page.evaluate("""(nodes) => window.draw(nodes).map((element) =>
                window.size(element.querySelector(".date, .field > *, .segments")))""", nodes)
            assert found == [node["f"][2:] for node in nodes], found
        with row(table, "a plain field has no border, and its text begins where UIKit's does"):
            found = page.evaluate("""(nodes) => window.draw(nodes).map((element) => {
                const { borderTopWidth, paddingLeft, paddingTop, backgroundColor } = getComputedStyle(
                  element.querySelector("input, textarea"));
                return [borderTopWidth, paddingLeft, paddingTop, backgroundColor === "rgba(0, 0, 0, 0)"];
            })""", [{"k": kind, "f": [0, 0, 200, 60], "value": "", **more}
                    for more in ({}, {"plain": True}) for kind in ("field", "editor")])
            assert found == [["1px", "6px", "0px", False], ["1px", "4px", "7px", False],
                             ["0px", "0px", "0px", True], ["0px", "5px", "8px", True]], found
        with row(table, "a spinner has one of two sizes"):
            # One that turns is as wide as its corners.
            page.emulate_media(reduced_motion="reduce")
            found = page.evaluate("""(nodes) => window.draw(nodes).map((element) => window.size(
                element.querySelector(".spinner")).map(Math.round))""", [
                    {"k": "spinner", "running": True, "f": [0, 0, side, side]} for side in (20, 37, 200)])
            assert found == [[20, 20], [37, 37], [20, 20]], found
