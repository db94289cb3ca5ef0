# SPDX-License-Identifier: Apache-2.0
"""Every view of the page, in every language, scheme, width and size of its list: for axe, for whoever wants less
motion, more contrast or larger letters, and in a mirrored direction."""

import json

from center import APPS, CATEGORY, Center, SocketConnection, png, tone
from playwright.sync_api import expect
from rows import TOPICS, Caller, allow, in_parallel
from visit import Visit, link, row

try:
    from axe_playwright_python.sync_playwright import Axe
except ImportError:
    Axe = None

LANGUAGES = ("en-US", "es-ES", "pt-BR")
SCHEMES = ("light", "dark")
WIDTHS = (320, 390, 1280)
SIZES = (0, 1, 1000)
# A finger's width, in points; a target inside a line of text is as high as its line.
TARGET = 44
SMALL = """(least) => [...document.querySelectorAll("button, select, textarea, summary, input, a")]
    .filter((target) => target.checkVisibility({ visibilityProperty: true })).filter((target) => {
        const box = (target.closest("label") ?? target).getBoundingClientRect();
        return box.width > 0 && (box.height < least - 0.5 || box.width < least - 0.5);
    }).map((target) => target.outerHTML.slice(0, 90))"""
# Whatever moves for longer than a tenth of a second.
MOTIONS = """() => document.getAnimations().map((each) => [each.effect.getComputedTiming().activeDuration,
    each.effect.target.outerHTML.slice(0, 60)]).filter(([duration]) => duration > 100)"""


def fill(center, size):
    """An owner with so many rows, of which the newest has all that a row can have, and an app that asks."""
    allow(center, categories=[CATEGORY])
    caller = Caller(center)
    if size > 0:
        in_parallel(center, range(size - 1), lambda caller, number:
                    caller.add(TOPICS[number % 10], f"Row {number // 3}", category="message"))
        upload = center.owner.ask("POST", f"/v1/app/{APPS[0]}/attachments", png(), {"content-type": "image/png"})
        sound = center.owner.ask("POST", f"/v1/app/{APPS[0]}/attachments", tone(), {"content-type": "audio/wav"})
        alert = {"title": "Lunch? " * 8, "subtitle": "At the usual place", "body": "Or at the other one. " * 20}
        caller.call(APPS[0], "add", request={
            "identifier": "newest", "payload": {"aps": {"alert": alert, "category": "message"}},
            "attachments": [{"identifier": "photo", "type": "public.png", "upload": upload.object["upload"]},
                            {"identifier": "sound", "type": "com.microsoft.waveform-audio",
                             "upload": sound.object["upload"]}]})
    caller.connection.close()
    # The app waits for its answer as long as this connection is open.
    asking = SocketConnection(center.owner.path)
    body = json.dumps({"call": "authorize", "options": ["alert", "sound", "badge"]}).encode()
    asking.request("POST", "/v1/app/com.example.asks/calls", body, {"content-type": "application/json"})
    return asking


def unfold(page, size):
    """Opens all that opens."""
    for place in range(2):
        page.locator(".ways button").nth(place).click()
    page.locator("details.browser summary").click()
    page.locator(".app-settings summary").first.click()
    if size > 0:
        page.evaluate("scrollTo(0, 0)")
        # Rows that are far from sight have no elements.
        expect(page.locator("[role=feed] > article").first).to_have_attribute("aria-posinset", "1")
        card = page.locator(".notification").first
        card.focus()
        page.keyboard.press("i")
        expect(card.locator(".details")).to_be_visible()
        card.locator(".actions button").nth(1).click()
        expect(card.locator("textarea")).to_be_visible()
    page.locator("h1").focus()
    page.keyboard.press("?")
    expect(page.locator(".help")).to_be_visible()


def arrive(page):
    expect(page.locator("article.question")).to_be_visible()


def faults(page):
    results = Axe().run(page).response
    assert len(results["passes"]) > 5, "axe has looked at nothing"
    return [f"{fault['id']}: {fault['nodes'][0]['html'][:80]}" for fault in results["violations"]]


def views(visit, size):
    """Each view by its name, with its tab."""
    page = visit.tab(link(visit.center))
    arrive(page)
    yield "centre", page
    unfold(page, size)
    yield "unfolded", page
    if size > 0:
        page.keyboard.press("Escape")
        page.get_by_role("searchbox").fill("Lunch")
        expect(page.locator(".results .notification").first).to_be_visible()
        yield "search", page
    lock = visit.tab(f"{visit.center.scheme}://{visit.center.authority}/lock")
    expect(lock.locator(".clock time")).to_be_visible()
    yield "lock", lock


def matrix(table, browser, center, size):
    for language in LANGUAGES:
        what = f"nothing that axe finds, nothing too wide: {size} rows, {language}, both schemes, {len(WIDTHS)} widths"
        with row(table, what) as seen:
            looked = 0
            for scheme in SCHEMES:
                for width in WIDTHS:
                    visit = Visit(browser, center, locale=language, color_scheme=scheme, bypass_csp=True,
                                  viewport={"width": width, "height": 800})
                    try:
                        for name, page in views(visit, size):
                            place = f"{name}, {scheme}, {width}"
                            found = faults(page)
                            assert not found, f"{place}: {'; '.join(found)}"
                            wide = page.evaluate("document.documentElement.scrollWidth")
                            assert wide <= width, f"{place}: {wide} wide"
                            looked += 1
                    finally:
                        visit.close()
            seen.append(f"{looked} looks")


def others(table, browser, center):
    """Every view for whoever has told the machine what they need, and on other devices."""
    kinds = {
        "a page enlarged four times": {"viewport": {"width": 320, "height": 200}, "device_scale_factor": 4},
        "forced colours": {"viewport": {"width": 320, "height": 800}, "forced_colors": "active"},
        "less motion": {"viewport": {"width": 390, "height": 800}, "reduced_motion": "reduce"},
        "a finger": {"viewport": {"width": 390, "height": 800}, "has_touch": True, "is_mobile": True},
        "a mirrored direction": {"viewport": {"width": 320, "height": 800}},
    }
    for what, options in kinds.items():
        with row(table, what + ": every view is there and fits") as seen:
            visit = Visit(browser, center, **options)
            try:
                if what == "a mirrored direction":
                    visit.context.add_init_script(
                        "addEventListener('DOMContentLoaded', () => { document.documentElement.dir = 'rtl'; })")
                for name, page in views(visit, 1000):
                    wide = page.evaluate("document.documentElement.scrollWidth")
                    assert wide <= options["viewport"]["width"], f"{name} is {wide} wide"
                    moving = page.evaluate(MOTIONS) if what == "less motion" else []
                    assert not moving, f"{name}: {moving[0]}"
                    small = page.evaluate(SMALL, TARGET) if what == "a finger" else []
                    assert not small, f"{name}: {len(small)} are small, {small[0]}"
                    seen.append(name)
            finally:
                visit.close()


def run(table, browser, _, options):
    for size in SIZES:
        center = Center(options.programs)
        try:
            asking = fill(center, size)
            matrix(table, browser, center, size)
            if size == max(SIZES):
                others(table, browser, center)
            asking.close()
        finally:
            center.close()
