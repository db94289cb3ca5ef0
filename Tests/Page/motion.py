# SPDX-License-Identifier: Apache-2.0
"""Scenes that move: the transitions that a browser has after updates which come in one task."""

from playwright.sync_api import expect
from visit import row, signed_in

# A view with one part, and what each of its nodes moves by: from, to, duration and delay in milliseconds.
PREPARE = """async () => {
  const folder = document.querySelector("script").src.replace(/[^/]*$/, "");
  const { Tree } = await import(`${folder}scene-tree.js`);
  const { styled } = await import(`${folder}scene-place.js`);
  await styled;
  const root = { id: 1, k: "view", up: 0 };
  const part = (id, more) => ({ id, k: "view", up: 1, f: [0, 0, 50, 50], ...more });
  const found = (element) => Object.fromEntries(element.getAnimations().map((animation) => {
    const [first, last] = animation.effect.getKeyframes();
    const { duration, delay, easing } = animation.effect.getTiming();
    const name = animation.transitionProperty;
    return [name, [first[name], last[name], duration, delay, easing]];
  }));
  // Takes updates in one task, a list of [motion, parts] or [undefined, parts], and says how each part moves.
  window.play = (updates) => {
    const [box, strip] = [document.createElement("div"), document.createElement("div")];
    box.className = strip.className = "stage";
    document.body.replaceChildren(box, strip);
    const tree = new Tree({ box, strip, happened() {}, isDead: false });
    tree.take({ set: [root, part(2), part(3, { hidden: true })] }, true);
    void box.offsetWidth;
    for (const [motion, parts] of updates) tree.take({ motion, set: parts.map(([id, more]) => part(id, more)) }, false);
    void box.offsetWidth;
    window.tree = tree;
    return Object.fromEntries([...tree.parts.values()].map(({ node, element }) => [node.id, found(element)])
      .filter(([, moves]) => Object.keys(moves).length > 0));
  };
}"""
SECOND = {"seconds": 1}
EASE = "ease-in-out"


def run(table, browser, center, options):
    table.heading("motion", "updates of a scene that come in one task")
    with signed_in(browser, center) as (_, page):
        page.evaluate(PREPARE)

        def play(*updates):
            return page.evaluate("(updates) => window.play(updates)", list(updates))

        def opacity(id):
            return page.evaluate("(id) => getComputedStyle(window.tree.parts.get(id).element).opacity", id)

        with row(table, "without a motion nothing moves"):
            assert play([None, [[2, {"a": 0}], [4, {}]]]) == {}
        with row(table, "a motion begins with the scene before it"):
            assert play([None, [[2, {"a": 0}]]], [SECOND, [[2, {}]]]) == {"2": {"opacity": ["0", "1", 1000, 0, EASE],
                        "visibility": ["hidden", "visible", 1000, 0, EASE]}}
        with row(table, "two motions each take their own time"):
            assert play([SECOND, [[2, {"a": 0.5}]]],
                        [{"seconds": 2, "delay": 0.5, "curve": "linear"}, [[2, {"a": 0.5, "f": [40, 0, 50, 50]}]]],
                        ) == {"2": {"opacity": ["1", "0.5", 1000, 0, EASE],
                                    "left": ["0px", "40px", 2000, 500, "linear"]}}
        with row(table, "what has no motion is there at once, and stops none"):
            assert play([SECOND, [[2, {"a": 0.5}]]], [None, [[2, {"a": 0.5, "f": [40, 0, 50, 50]}], [4, {}]]]) == {
                "2": {"opacity": ["1", "0.5", 1000, 0, EASE]}}
        with row(table, "a delay alone is kept"):
            assert play([{"seconds": 0, "delay": 5}, [[2, {"a": 0.5}]]]) == {
                "2": {"opacity": ["1", "0.5", 0, 5000, EASE]}}
            assert opacity(2) == "1"
        with row(table, "what appears fades in, once with what hangs below it"):
            fades = ["0", "1", 1000, 0, EASE]
            assert play([SECOND, [[3, {}], [4, {}], [5, {"up": 4}]]]) == {
                "3": {"opacity": fades}, "4": {"opacity": fades}}
            assert play([SECOND, [[4, {"a": 0.5}]]]) == {"4": {"opacity": ["0", "0.5", 1000, 0, EASE]}}
        with row(table, "once a motion is over, nothing moves by itself"):
            play([{"seconds": 0.05}, [[2, {"a": 0.5}]]])
            expect(page.locator(".moving")).to_have_count(0)
        page.emulate_media(reduced_motion="reduce")
        with row(table, "a person who wants less motion sees none, and the delay is kept"):
            assert play([SECOND, [[2, {"a": 0.5}], [4, {}]]]) == {}
            assert play([{"seconds": 1, "delay": 5}, [[2, {"a": 0.5}]]]) == {
                "2": {"opacity": ["1", "0.5", 0, 5000, EASE]}}
