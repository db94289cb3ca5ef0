# SPDX-License-Identifier: Apache-2.0
"""A view's box beside what its app says of it, its buttons, its film, and a page or a centre that goes meanwhile."""

import base64
import contextlib

import host
from badges import until
from center import APPS, Center, tone
from playwright.sync_api import expect
from shown import Shown
from surfaces import comes, tell
from visit import row, signed_in

TRAITS = {"categories": ["photo"], "initialSizeRatio": 0.6, "hidesDefaultContent": False, "overridesTitle": False,
          "takesInteraction": True}
ROOT = {"id": 100, "k": "view", "up": 0}
WORDS = {"id": 101, "k": "text", "up": 100, "text": "From the view", "f": [10, 10, 200, 21]}
SOUND = 2
FILM = 3
GREEN = (0, 160, 80)
# A film of one colour that the browser makes itself: its type and its bytes in Base64.
RECORD = """async (color) => {
  const canvas = document.createElement("canvas");
  [canvas.width, canvas.height] = [96, 64];
  const pen = canvas.getContext("2d");
  const draw = () => { pen.fillStyle = `rgb(${color})`; pen.fillRect(0, 0, 96, 64); };
  draw();
  const recorder = new MediaRecorder(canvas.captureStream(25), { mimeType: "video/mp4;codecs=vp9" });
  const parts = [];
  recorder.ondataavailable = ({ data }) => parts.push(data);
  const ended = new Promise((resolve) => { recorder.onstop = resolve; });
  recorder.start();
  for (let frame = 0; frame < 30; frame += 1) {
    await new Promise(requestAnimationFrame);
    draw();
  }
  recorder.stop();
  await ended;
  const bytes = new Uint8Array(await new Blob(parts).arrayBuffer());
  return btoa(String.fromCharCode(...bytes));
}"""
# The colour in the middle of what a film shows.
MIDDLE = """(video) => {
  const pen = document.createElement("canvas").getContext("2d");
  pen.drawImage(video, 0, 0);
  return [...pen.getImageData(video.videoWidth / 2, video.videoHeight / 2, 1, 1).data].slice(0, 3);
}"""


def say(views, **traits):
    """Has the host say other things of its extension."""
    host.tell_apps(views.link, {APPS[1]: (APPS[1], {"content": TRAITS | traits})})


def sizes(table, center, views, page):
    with row(table, "the first height is the ratio's, then the view's own, and a taller one scrolls") as seen:
        held, example = [], views.example
        opened = example.View.opened
        example.View.opened = lambda view, number, body: held.append((view, number, body))
        tell(center, "Sizes", category="photo", **{"thread-id": "Sizes"})
        comes(page, "Sizes")
        card = page.locator("article", has_text="Sizes")
        card.locator(".notification").first.focus()
        page.keyboard.press("i")
        frame = card.locator(".frame").first
        until(page, "no view is opened", lambda: held)
        expect(frame).to_have_attribute("aria-busy", "true")
        width = frame.bounding_box()["width"]
        heights = [frame.bounding_box()["height"] / width]
        example.View.opened = opened
        view, number, body = held[0]
        opened(view, number, body)
        expect(card.get_by_role("slider", name="Opacity")).to_be_visible()
        for wanted in (300, 120, 3000):
            views.link.send(host.packet(host.VIEW_SCENE, {"size": [width, wanted]}, max(views.views)))
            expect(frame).to_have_css("height", f"{min(wanted, 800)}px")
            heights.append(frame.bounding_box()["height"])
        expect(frame).to_have_class("frame tall")
        seen.append(str(heights))
        assert heights == [0.6, 300, 120, 800], heights


def contents(table, center, views, page):
    for hides in (True, False):
        words = "hidden" if hides else "shown"
        with row(table, f"the notification's own texts are {words} beside the view, as its app says"):
            say(views, hidesDefaultContent=hides)
            shown = Shown(center, page, views, f"Hides {hides}")
            expect(shown.card.locator("h2").first).to_have_css("position", "absolute" if hides else "static")
            page.keyboard.press("Escape")
            # Without the view they are there as before.
            expect(shown.card.locator("h2").first).to_have_css("position", "static")
    with row(table, "without interaction the controls are dead, and a click in the box is the default action"):
        say(views, takesInteraction=False)
        shown = Shown(center, page, views, "Dead")
        expect(shown.card.get_by_role("slider", name="Opacity")).to_be_disabled()
        place = shown.card.get_by_role("slider", name="Opacity").bounding_box()
        page.mouse.click(place["x"] + 40, place["y"] + 10)
        until(page, "the view hears of no response", lambda: shown.responses)
        assert shown.responses == ["com.apple.UNNotificationDefaultActionIdentifier"], shown.responses
        assert not [body for body in shown.heard if body.get("event") not in (None, "measured")], shown.heard
        shown.card.get_by_role("button", name="Close").click()
    say(views)


def updated(table, center, views, page):
    with row(table, "an update of the notification is heard by the same view, whose box and nodes stay as they are"):
        shown = Shown(center, page, views, "Updated")
        opened = len(shown.places)
        shown.card.locator(".frame").first.evaluate("""(frame) => {
            window.kept = [frame, ...frame.querySelectorAll(".node")];
            window.heights = new Set();
            const look = () => {
              if (window.heights === undefined) return;
              window.heights.add(frame.isConnected ? frame.offsetHeight : -1);
              requestAnimationFrame(look);
            };
            look();
        }""")
        alert = {"title": "Updated", "body": "At two"}
        tell(center, "Updated", category="photo", alert=alert, **{"thread-id": "Updated"})
        expect(shown.card.get_by_text("At two")).to_be_visible()
        until(page, "the view does not hear of it", lambda: any("notification" in body for body in shown.heard))
        stayed, heights = page.evaluate("""() => {
            const { heights, kept } = window;
            window.heights = undefined;
            return [kept.every(({ isConnected }) => isConnected)
                && kept[0].querySelectorAll(".node").length + 1 === kept.length, [...heights]];
        }""")
        assert stayed, "elements of the box are others"
        assert len(heights) == 1, heights
        assert len(shown.places) == opened, "another view was opened"
        page.keyboard.press("Escape")


def buttons(table, center, views, page):
    def action(name):
        return {"identifier": name.lower(), "title": name, "options": []}

    with row(table, "buttons that the view replaces follow, a new one reaches the view, and an old one is refused"):
        shown = Shown(center, page, views, "Buttons")
        shown.draw([ROOT, WORDS], actions=[action("Like")])
        like, share = (shown.card.get_by_role("button", name=name, exact=True) for name in ("Like", "Share"))
        expect(like).to_be_visible()
        shown.draw([{**ROOT, "id": 200}], actions=[action("Share")])
        expect(share).to_be_visible()
        expect(like).to_have_count(0)
        share.click()
        until(page, "the view hears of no response", lambda: shown.responses)
        assert shown.responses == ["share"], shown.responses
        expect(share).to_be_visible()
        number = shown.number_of(center)
        old = center.owner.ask("POST", f"/v1/notifications/{number}/responses", {"action": "like"})
        assert (old.status, old.reason) == (422, "unknownAction"), (old.status, old.body)


def media(table, center, views, page):
    with row(table, "the button over the box plays a sound to its end, and the view hears of it in order") as seen:
        shown = Shown(center, page, views, "Sound")
        number = max(views.views)
        node = {"id": 102, "k": "media", "up": 100, "src": SOUND, "f": [0, 0, 300, 200], "playing": False}
        host.send_file(views.link, host.packet(
            host.VIEW_FILE, {"file": SOUND, "type": "com.microsoft.waveform-audio"}, number), tone())
        button = {"type": "overlay", "f": [100, 60, 44, 44]}
        shown.draw([ROOT, node], mediaButton=button, size=[360, 216])
        play = shown.card.locator(".frame .media-button")
        expect(play).to_have_attribute("aria-label", "Play")
        frame, place = shown.card.locator(".frame").first.bounding_box(), play.bounding_box()
        assert [place["x"] - frame["x"], place["y"] - frame["y"], place["width"], place["height"]] == [100, 60, 44, 44]
        until(page, "the film is not ready", lambda: shown.told(102, "ready"))
        play.click()
        until(page, "the view is not asked to play", lambda: {"media": "play"}.items() <= shown.heard[-1].items())
        views.link.send(host.packet(host.VIEW_SCENE, {
            "set": [{**node, "playing": True}], "calls": [{"call": "mediaStarted"}]}, number))
        expect(play).to_have_attribute("aria-label", "Pause")
        until(page, "it does not end", lambda: shown.told(102, "ended"))
        views.link.send(host.packet(host.VIEW_SCENE, {"set": [node], "calls": [{"call": "mediaPaused"}]}, number))
        expect(play).to_have_attribute("aria-label", "Play")
        order = [body.get("media") or body.get("event") for body in shown.heard]
        order = [word for word in order if word in ("ready", "play", "pause", "playing", "paused", "ended", "failed")]
        seen.append(", ".join(order))
        assert order == ["ready", "play", "ended"], order
        assert shown.told(102, "ready") == [0.1], shown.told(102, "ready")


def recorded(page):
    """The bytes of a film, made in a tab without the rules of the centre's page."""
    other = page.context.browser.new_page()
    try:
        other.goto("about:blank")
        return base64.b64decode(other.evaluate(RECORD, ",".join(map(str, GREEN))))
    finally:
        other.close()


def film(table, center, views, page):
    with row(table, "a film is painted in its own colours, and plays to its end") as seen:
        shown = Shown(center, page, views, "Film")
        number = max(views.views)
        node = {"id": 103, "k": "media", "up": 100, "src": FILM, "f": [0, 0, 300, 200], "playing": False}
        bytes_of_film = recorded(page)
        host.send_file(views.link, host.packet(
            host.VIEW_FILE, {"file": FILM, "type": "public.mpeg-4"}, number), bytes_of_film)
        shown.draw([ROOT, node], size=[360, 216])
        until(page, "the film is not ready", lambda: shown.told(103, "ready"))
        video = shown.card.locator(".frame video")
        assert video.evaluate("(video) => [video.videoWidth, video.videoHeight]") == [96, 64]
        views.link.send(host.packet(host.VIEW_SCENE, {"set": [{**node, "playing": True}]}, number))
        until(page, "it does not end", lambda: shown.told(103, "ended"))
        expect(video).to_be_visible()
        # The codec rounds colours.
        pixel = video.evaluate(MIDDLE)
        seen.append(f"{len(bytes_of_film)} bytes, {shown.told(103, 'ready')[0]} s, {pixel}")
        assert all(abs(a - b) <= 12 for a, b in zip(pixel, GREEN)), pixel


def is_whole(card):
    expect(card.get_by_role("slider", name="Opacity")).to_be_visible()
    expect(card.locator(".frame .node")).to_have_count(8)


def lost(table, center, views, page):
    with row(table, "a page that is loaded anew closes its view, and opens a whole one"):
        shown = Shown(center, page, views, "Anew")
        page.reload()
        until(page, "the view is not closed", lambda: not views.views)
        expect(shown.card).to_be_visible()
        expect(shown.card.locator(".view")).to_have_count(0)
        shown.card.locator(".notification").first.focus()
        page.keyboard.press("i")
        is_whole(shown.card)
        page.keyboard.press("Escape")
    with row(table, "a stream that is lost comes back with the whole scene, and nothing of the old one stays"):
        half = {"set": [{"id": 1, "k": "column", "up": 0}, {"id": 77, "k": "text", "up": 1, "text": "Half of one"}]}
        text = f"retry: 700\nevent: whole\ndata: {host.json.dumps(half)}\n\n"
        page.route("**/v1/views/*/events", lambda route: route.fulfill(content_type="text/event-stream", body=text)
                   if route.request.method == "GET" else route.continue_(), times=1)
        tell(center, "Lost", category="photo", **{"thread-id": "Lost"})
        comes(page, "Lost")
        card = page.locator("article", has_text="Lost")
        card.locator(".notification").first.focus()
        page.keyboard.press("i")
        expect(card.locator(".frame").get_by_text("Half of one")).to_be_visible()
        is_whole(card)
        expect(card.locator(".frame").get_by_text("Half of one")).to_have_count(0)
        page.keyboard.press("Escape")


def restarted(table, center, page):
    with row(table, "a centre that is killed and comes back has the view closed, and never half of it"):
        with contextlib.suppress(OSError), host.viewing(center, APPS[1]) as views:
            shown = Shown(center, page, views, "Restarted")
            center.kill()
        center.revive()
        expect(shown.card.locator(".frame .node")).to_have_count(0)
        expect(page.locator(".remark")).to_have_text("")
        expect(shown.card).to_be_visible()
    with row(table, "and once the host is back it opens again, whole"):
        with host.viewing(center, APPS[1]):
            if shown.card.locator(".details").is_visible():
                shown.card.get_by_role("button", name="Close").click()
            shown.card.locator(".notification").first.focus()
            page.keyboard.press("i")
            is_whole(shown.card)


def run(table, browser, _, options):
    center = Center(options.programs)
    try:
        center.owner.seed()
        with signed_in(browser, center, viewport={"width": 1000, "height": 1100}) as (visit, page):
            table.heading("boxes", "of views: their sizes, contents, buttons and films, and what is lost meanwhile")
            with host.viewing(center, APPS[1]) as views:
                for part in (sizes, contents, updated, buttons, media, film, lost):
                    part(table, center, views, page)
            restarted(table, center, page)
            with row(table, "no script failed meanwhile"):
                assert not visit.complaints, visit.complaints[0]
    finally:
        center.close()
