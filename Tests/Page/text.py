# SPDX-License-Identifier: Apache-2.0
"""Texts of scenes as a worker measures them and as the page draws them: widths, lines, heights and baselines.

The program text-probe measures. The page draws with its own modules, style sheet and fonts, as a centre serves them.
"""

import json
import os
import statistics
import subprocess

from center import fail
from phrases import phrases
from visit import row, signed_in

SIZES = (11, 12, 13, 15, 16, 17, 20, 22.5, 28, 34)
WEIGHTS = (400, 600)
FONTS = [{"size": size, "weight": weight} for size in SIZES for weight in WEIGHTS]
# Widths of the rooms in which lines are broken.
ROOMS = (60, 140, 288)
# Pixels that a width may differ by.
NEAR = 0.1
# Bytes that a font may have.
LARGEST = 62_000
MIXED = ({"size": 17, "weight": 400}, {"size": 12, "weight": 600}, {"size": 28, "weight": 400})

# Makes the page ready to draw texts alone, and says what fonts it has then.
PREPARE = """async () => {
  const folder = document.querySelector("script").src.replace(/[^/]*$/, "");
  const { text } = await import(`${folder}scene-drawn.js`);
  const { lettered } = await import(`${folder}scene-place.js`);
  await lettered;
  const stage = document.createElement("div");
  stage.className = "stage";
  document.body.replaceChildren(stage);
  window.draw = (nodes, width) => {
    const drawn = nodes.map((node) => {
      const element = document.createElement("div");
      element.className = "node";
      if (width !== undefined) element.style.width = `${width}px`;
      const inside = text();
      inside.show(node);
      element.append(inside.element);
      return element;
    });
    stage.replaceChildren(...drawn);
    return drawn.map(({ firstChild }) => firstChild);
  };
  return [...document.fonts].map(({ family, weight, status }) => [family, weight, status]);
}"""
# The width of each text in each font.
MEASURE = """([texts, fonts]) => fonts.map((font) =>
  window.draw(texts.map((text) => ({ text, font }))).map((text) => text.getBoundingClientRect().width))"""
# The lines of each text that the page breaks itself, without the spaces at their ends.
BREAK = """([texts, font, room]) => {
  const range = document.createRange();
  return window.draw(texts.map((text) => ({ text, font, wrap: true })), room).map(({ firstChild: node }) => {
    const lines = [];
    let top;
    for (const { segment, index } of new Intl.Segmenter(undefined, { granularity: "grapheme" }).segment(node.data)) {
      range.setStart(node, index);
      range.setEnd(node, index + segment.length);
      const box = range.getClientRects()[0];
      if (segment !== " " && box !== undefined && box.top !== top) {
        top = box.top;
        lines.push("");
      }
      if (lines.length > 0) lines[lines.length - 1] += segment;
    }
    return lines.map((line) => line.trimEnd());
  });
}"""
# The size of each text whose lines are broken already, and the baselines of its first and last line.
DRAW = """(nodes) => {
  const texts = window.draw(nodes);
  const marks = texts.map((text) => [0, 1].map((end) => {
    const mark = document.createElement("i");
    mark.style.cssText = "display: inline-block; width: 0; height: 0";
    if (end === 0) text.prepend(mark);
    else text.append(mark);
    return mark;
  }));
  // Everything is in its place before anything is measured: a browser lays all out anew for each question in between.
  return texts.map((text, index) => {
    const { top, width, height } = text.getBoundingClientRect();
    return [width, height, ...marks[index].map((mark) => mark.getBoundingClientRect().bottom - top)];
  });
}"""
# How far each text is drawn beyond its own room, in whole pixels.
BEYOND = """([texts, font, widths]) => texts.map((text, index) => {
  const [{ scrollWidth, clientWidth }] = window.draw([{ text, font }], Math.ceil(widths[index]));
  return scrollWidth - clientWidth;
})"""
EMOJI = ("😀", "😀😀😀", "👍🏽 ok", "👨‍👩‍👧", "🇪🇸🇧🇷", "❤️", "1️⃣", "a 🎉 b 🚀 c")


def ask(program, questions):
    """What text-probe answers to each question."""
    lines = "".join(json.dumps(question) + "\n" for question in questions)
    answers = subprocess.run([program], input=lines, text=True, check=True, stdout=subprocess.PIPE).stdout
    return [json.loads(line) for line in answers.splitlines()]


def show_fonts(table, page, center):
    """True if the page has its fonts."""
    faces = []
    with row(table, "the page has two fonts, which come with the first scene") as seen:
        assets = page.evaluate("""() => performance.getEntriesByType("resource")
            .map(({ name }) => new URL(name).pathname).filter((path) => path.startsWith("/assets/"))""")
        assert assets and not any(path.endswith((".woff2", "scene.css")) for path in assets), assets
        faces = [face for face in page.evaluate(PREPARE) if face[0] == "Nestbox Text"]
        assert faces, "the centre was built without fonts: scripts/setup makes them before a build"
        assert sorted(faces) == [["Nestbox Text", "100 499", "loaded"], ["Nestbox Text", "500 900", "loaded"]], faces
        folder = os.path.dirname(assets[0])
        for weight in WEIGHTS:
            font = center.ask("GET", f"{folder}/text-{weight}.woff2", headers={"accept-encoding": "gzip"})
            assert font.headers["content-type"] == "font/woff2", font.headers
            assert font.headers["cache-control"] == "public, max-age=31536000, immutable", font.headers
            assert "content-encoding" not in font.headers and len(font.body) <= LARGEST, len(font.body)
            seen.append(str(len(font.body)))
        seen.append("bytes")
    return bool(faces)


def show_widths(table, page, program, texts):
    with row(table, f"{len(texts)} texts in {len(FONTS)} fonts are as wide as measured") as seen:
        measured = [answer["widths"] for answer in ask(program, [{"text": text, "fonts": FONTS} for text in texts])]
        drawn = page.evaluate(MEASURE, [texts, FONTS])
        off = [(abs(measured[text][font] - drawn[font][text]), text, font)
               for font in range(len(FONTS)) for text in range(len(texts))]
        distances = [distance for distance, _, _ in off]
        seen.append(f"at most {max(distances):.3f} px off, median {statistics.median(distances):.4f}")
        farthest, text, font = max(off)
        assert farthest <= NEAR, f"\"{texts[text]}\" in {FONTS[font]}"


def show_lines(table, page, program, texts):
    widest, alike, count = -max(ROOMS), 0, 0
    with row(table, f"their lines fit {len(ROOMS)} rooms, with height and baselines") as seen:
        for room in ROOMS:
            answers = ask(program, [{"text": text, "fonts": FONTS, "width": room} for text in texts])
            for place, font in enumerate(FONTS):
                blocks = [answer["blocks"][place] for answer in answers]
                drawn = page.evaluate(DRAW, [{"text": "\n".join(block["lines"]), "font": font} for block in blocks])
                for text, block, (width, *heights) in zip(texts, blocks, drawn):
                    # A character alone may be wider than its room.
                    if all(len(line) > 1 for line in block["lines"]):
                        widest = max(widest, width - room)
                    said = [block["height"], block["firstBaseline"], block["lastBaseline"]]
                    assert heights == said, f"\"{text}\" in {room} px, {font}: {heights} and not {said}"
                if font["size"] in (13, 17, 34):
                    broken = page.evaluate(BREAK, [texts, font, room])
                    alike += sum(block["lines"] == lines for block, lines in zip(blocks, broken))
                    count += len(blocks)
        seen.append(f"the widest is {widest:+.3f} px beside its room")
        assert widest <= NEAR
    with row(table, "where the page breaks lines itself, it does so at the same places") as seen:
        seen.append(f"{alike} of {count}")
        assert count > 0 and alike >= 0.95 * count


def show_runs(table, page, program, texts):
    """Texts of three parts in fonts of their own, with empty lines."""
    with row(table, f"{len(texts)} texts of three fonts in {len(ROOMS)} rooms, both baselines") as seen:
        thirds = [[text[:len(text) // 3], text[len(text) // 3:len(text) // 2] + "\n\n", text[len(text) // 2:]]
                  for text in texts]
        farthest = 0
        for room in ROOMS:
            answers = ask(program, [{"runs": runs, "fonts": MIXED, "width": room} for runs in thirds])
            # The last part has the font of the whole.
            drawn = page.evaluate(DRAW, [{"font": MIXED[2], "runs": [
                {"text": part["text"], **({"font": MIXED[part["run"]]} if part["run"] < 2 else {})}
                for part in answer["blocks"][0]["parts"]]} for answer in answers])
            for runs, answer, (width, *heights) in zip(thirds, answers, drawn):
                block = answer["blocks"][0]
                said = [block["height"], block["firstBaseline"], block["lastBaseline"]]
                assert heights == said, f"{runs} in {room} px: {heights} and not {said}"
                farthest = max(farthest, width - answer["widths"][0])
        seen.append(f"{farthest:+.3f} px beside what was measured")
        assert farthest <= 2 * NEAR


def show_emoji(table, page, program):
    with row(table, "no emoji is cut off, and each is in colour") as seen:
        # Of the fonts here, that of Debian's fonts-noto-color-emoji has one of this width: others draw it in black.
        assert page.evaluate(MEASURE, [EMOJI[:1], [{"size": 100, "weight": 400}]])[0][0] > 120
        for font in ({"size": 13, "weight": 400}, {"size": 17, "weight": 600}, {"size": 34, "weight": 400}):
            widths = [answer["widths"][0] for answer in ask(program, [
                {"text": text, "fonts": [font]} for text in EMOJI])]
            beyond = page.evaluate(BEYOND, [EMOJI, font, widths])
            seen.append(f"{max(beyond)}")
            assert max(beyond) <= 0, dict(zip(EMOJI, beyond))
        seen.append("px beyond their room")


def run(table, browser, center, options):
    table.heading("text", "measured in a worker, drawn in the page")
    program = os.path.join(options.programs, "text-probe")
    if not os.access(program, os.X_OK):
        fail(f"no text-probe in \"{options.programs}\"", "swift build --product text-probe")
    texts = phrases()
    with signed_in(browser, center) as (_, page):
        if not show_fonts(table, page, center):
            return
        show_widths(table, page, program, texts)
        # The languages take turns of eight texts, so that each of them is among these as often.
        some = texts[::5]
        show_lines(table, page, program, some)
        show_runs(table, page, program, some)
        show_emoji(table, page, program)
