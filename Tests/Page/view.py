# SPDX-License-Identifier: Apache-2.0
"""The view of a content extension in the details of its notification: how it is opened, worked and left."""

import time

import host
from center import APPS
from playwright.sync_api import expect
from surfaces import comes, tell
from visit import row, signed_in

MARKUP = "<img src=x onerror=alert(1)>"
# Notes when a slider is moved, and the time until the picture's opacity of that value is on the screen.
WATCH = """
() => {
  const sent = new Map();
  window.painted = [];
  const slider = document.querySelector(".frame input[type=range]");
  const picture = document.querySelector(".frame [data-kind=image]");
  const key = (value) => Number(value).toFixed(6);
  slider.addEventListener("input", () => sent.set(key(slider.value), performance.now()), { capture: true });
  new MutationObserver(() => {
    const began = sent.get(key(picture.style.opacity));
    sent.delete(key(picture.style.opacity));
    if (began === undefined) return;
    requestAnimationFrame(() => {
      const behind = new MessageChannel();
      behind.port1.onmessage = () => window.painted.push(performance.now() - began);
      behind.port2.postMessage(undefined);
    });
  }).observe(picture, { attributes: true, attributeFilter: ["style"] });
}
"""


def is_closing(request):
    return request.method == "DELETE" and "/v1/views/" in request.url


def settled(page, element):
    """The place of an element once it rests: a box has its height when its scene has been laid out."""
    place = None
    while place != (place := element.bounding_box()):
        page.wait_for_timeout(150)
    return place


def opacity(slider):
    """The value of a slider as a browser writes an opacity."""
    return f"{float(slider.input_value()):.6g}"


def run(table, browser, center, options):
    # Examples/python-view shows notifications of this category of the app.
    with host.viewing(center, APPS[1]) as views, signed_in(browser, center) as (visit, page):
        keys = page.keyboard

        def opening(page, title):
            """The row of a new notification, whose details are open."""
            tell(center, title, category="photo", **{"thread-id": title})
            comes(page, title)
            card = page.locator(".notification", has=page.locator("h2", has_text=title))
            card.focus()
            page.keyboard.press("i")
            return card

        def opened(title):
            """The row of a new notification, whose details are open and show its view."""
            card = opening(page, title)
            expect(card.get_by_role("slider", name="Opacity")).to_be_visible()
            return card

        with row(table, "a scene waits for the fonts of its texts, and does without those that fail"):
            with signed_in(browser, center) as (_, other):
                held = []
                other.route("**/text-*.woff2", lambda route: held.append(route))
                with other.expect_request("**/text-600.woff2"), other.expect_response("**/v1/views"):
                    card = opening(other, "Without fonts")
                other.wait_for_timeout(500)
                expect(card.locator(".frame").first).to_have_attribute("aria-busy", "true")
                for route in held:
                    route.abort()
                expect(card.get_by_role("slider", name="Opacity")).to_be_visible()
                with other.expect_request(is_closing):
                    card.locator(".details").press("Escape")
        with row(table, "the details have the view of the app, under its name"):
            card = opened("A photo")
            box = card.get_by_role("group", name="Shown by").first
            expect(box).not_to_have_attribute("aria-busy", "true")
            expect(box.get_by_role("img", name="Picture")).to_be_visible()
            expect(card.locator(".details dl")).to_be_visible()
        with row(table, "a slider under the pointer moves the picture, and jumps nowhere") as seen:
            slider = card.get_by_role("slider")
            # The banner of the notification may lie in front of the view, and takes the pointer then.
            expect(page.locator(".banner")).to_have_count(0)
            place = settled(page, slider)
            middle = place["y"] + place["height"] / 2
            page.mouse.move(place["x"] + place["width"] - 14, middle)
            page.mouse.down()
            values = []
            for step in range(1, 30):
                page.mouse.move(place["x"] + place["width"] - 14 - 8 * step, middle)
                values.append(float(slider.input_value()))
            page.mouse.up()
            assert values == sorted(values, reverse=True), values
            picture = card.locator("[data-kind=image]")
            expect(picture).to_have_css("opacity", opacity(slider))
            seen.append(slider.input_value()[:5])
        with row(table, "60 values a second go to the view and come back as a picture") as seen:
            page.evaluate(WATCH)
            place = settled(page, slider)
            middle = place["y"] + place["height"] / 2
            page.mouse.move(place["x"] + place["width"] / 2, middle)
            page.mouse.down()
            began = time.monotonic()
            for step in range(300):
                page.mouse.move(place["x"] + 14 + (step * 37) % (place["width"] - 28), middle)
                page.wait_for_timeout(max(0, (began + step / 60 - time.monotonic()) * 1000))
            page.mouse.up()
            expect(picture).to_have_css("opacity", opacity(slider))
            times = sorted(page.evaluate("window.painted"))
            assert len(times) > 10, f"{len(times)} of 300 were painted"
            seen.append(f"{len(times)} painted, p50 {times[len(times) // 2]:.0f} ms, "
                        f"p99 {times[len(times) * 99 // 100]:.0f} ms")
        with row(table, "a value that the view does not take over gives way to the scene's"):
            example = views.example
            heard, before = example.View.heard, slider.input_value()
            example.View.heard = lambda view, number, body: example.send(
                view.host, example.VIEW_SCENE, number, {"ack": body["seq"]})
            slider.press("ArrowLeft")
            expect(slider).to_have_value(before)
            example.View.heard = heard
        with row(table, "keys work it, and Escape leads out of it"):
            before = opacity(slider)
            slider.press("ArrowRight")
            expect(picture).not_to_have_css("opacity", before)
            expect(picture).to_have_css("opacity", opacity(slider))
            keys.press("Escape")
            expect(card.locator(".details")).to_be_focused()
        with row(table, "details that are closed close the view"):
            with page.expect_request(is_closing):
                keys.press("Escape")
            expect(card.locator(".details")).to_be_hidden()
        with row(table, "a view that is dismissed goes, and the details stay"):
            card = opened("Another photo")
            card.locator(".frame").get_by_role("button", name="Dismiss").press("Enter")
            expect(card.locator(".view, .view-end")).to_have_count(0)
            expect(card.locator(".details")).to_be_focused()
        with row(table, "one that fails says so"):
            card = opened("A third photo")
            views.end("crashed")
            expect(card.get_by_role("status")).to_contain_text("The app’s view has failed.")
        with row(table, "a newer version of its notification does not open it, and the button does"):
            alert = {"title": "A third photo", "body": "At two"}
            tell(center, "A third photo", category="photo", alert=alert, **{"thread-id": "A third photo"})
            expect(card.get_by_text("At two")).to_be_visible()
            expect(card.get_by_role("status")).to_contain_text("The app’s view has failed.")
            assert not views.views, views.views
            card.get_by_role("button", name="Show the view again").click()
            expect(card.get_by_role("slider")).to_be_visible()
        with row(table, "its default action answers the notification"):
            card.get_by_role("button", name="Launch app").click()
            expect(page.locator("article", has_text="A third photo")).to_have_count(0)
        with row(table, "a newer version of its notification opens one again that has ended with its host"):
            title = "A fourth photo"
            card = opened(title)
            views.end("gone")
            expect(card.get_by_role("status")).to_contain_text("is not there any more")
            tell(center, title, category="photo", alert={"title": title, "body": "At three"}, **{"thread-id": title})
            expect(card.get_by_text("At three")).to_be_visible()
            expect(card.get_by_role("slider")).to_be_visible()
        with row(table, "a text of a view becomes no markup"):
            card = opened(MARKUP)
            expect(card.locator(".frame").get_by_text(MARKUP)).to_be_visible()
            expect(card.locator('.frame img:not([src^="/v1/views/"])')).to_have_count(0)
        with row(table, "no script failed that shows views"):
            assert not visit.complaints, visit.complaints[0]
