# SPDX-License-Identifier: Apache-2.0
"""The looks of the page: for whoever cannot see it, on a narrow screen, in the dark, and in its languages."""

import gzip
import json
import os

from badges import until
from center import APPS, CATEGORY
from own_settings import WEB, introduce
from past import HOSTILE
from playwright.sync_api import expect
from surfaces import banner, into_sight, says, tell
from visit import Visit, link, row, signed_in

try:
    from axe_playwright_python.sync_playwright import Axe
except ImportError:
    Axe = None


def picture(page, options, name):
    if options.pictures:
        page.screenshot(path=os.path.join(options.pictures, name + ".png"), full_page=True)


def unfold(visit, page, name):
    """Brings all of the page about that is not always there: banners, settings, a menu, details, and the history."""
    says(visit, page, banners=True)
    body = "Of the next hours, and of everything that comes with them: " * 6
    tell(visit.center, f"Look {name}", category="message", **{"interruption-level": "time-sensitive", "alert": {
        "title": f"Look {name}", "subtitle": "A subtitle", "body": body}})
    expect(banner(page, f"Look {name}")).to_be_visible()
    owner = visit.center.owner
    for number in range(2):
        tell(visit.center, f"{HOSTILE} {number}", **{"thread-id": "past"})
        owner.ask("DELETE", f"/v1/notifications/{owner.items('/v1/notifications?limit=1')[0]['id']}")
    page.locator("details.history summary").click()
    page.locator(".past").first.get_by_role("button", name="Delete for good").click()
    expect(page.locator(".past").nth(1)).to_be_visible()
    page.get_by_role("button", name="Delete all for good").click()
    # The history is far below, and rows that are far away have no elements.
    page.evaluate("scrollTo(0, 0)")
    looked_at = page.locator(".notification", has_text=f"Look {name}")
    looked_at.focus()
    page.keyboard.press("i")
    expect(looked_at.locator(".details")).to_be_visible()
    expect(page.locator(".filter")).to_be_visible()
    page.locator("details.apps summary").click()
    page.locator("details.browser summary").click()
    page.locator("details.settings > summary").click()
    page.locator(".app-settings summary").first.click()
    page.locator("h1").focus()
    page.keyboard.press("?")
    expect(page.locator(".help")).to_be_visible()
    # A person's menu is closed once the focus is elsewhere.
    into_sight(page, f"Of {WEB}").locator(".menu").evaluate("menu => { menu.open = true; }")


def weigh(center, page):
    """Every file of the page that a browser loads, in bytes, and packed."""
    paths = page.evaluate("""() => ["/", ...performance.getEntriesByType("resource").map(({ name }) =>
        new URL(name).pathname)]""")
    # What a view needs comes with the first one.
    assert not any(path.endswith((".woff2", "/scene.js", "/scene.css")) for path in paths), paths
    packs = [center.ask("GET", path, headers={"accept-encoding": "gzip"})
             for path in sorted(set(paths)) if not path.startswith("/v1/")]
    files = [gzip.decompress(pack.body) if pack.headers.get("content-encoding") == "gzip" else pack.body
             for pack in packs]
    return len(files), sum(map(len, files)), sum(len(pack.body) for pack in packs)


# Notes when the first row is there.
FIRST_ROW = """new MutationObserver((_, observer) => {
    if (document.querySelector("article") === null) return;
    observer.disconnect();
    globalThis.firstRow = performance.now();
}).observe(document, { childList: true, subtree: true });"""


def of_first_row(browser, center):
    """How many requests a browser makes before the first row is there, those of the API among them, and when it is."""
    visit = Visit(browser, center)
    try:
        visit.context.add_init_script(FIRST_ROW)
        page = visit.tab(link(center))
        page.locator("article").first.wait_for()
        return page.evaluate("""() => [1 + performance.getEntriesByType("resource")
            .filter(({ startTime }) => startTime < firstRow).length, firstRow]""")
    finally:
        visit.close()


def of_a_load(page):
    """How many bytes came over the network for the page itself, with the heads of the answers."""
    return page.evaluate("""() => ["navigation", "resource"].flatMap((kind) => performance.getEntriesByType(kind))
        .filter(({ name }) => !new URL(name).pathname.startsWith("/v1/"))
        .reduce((sum, { transferSize }) => sum + transferSize, 0)""")


def renews(table, browser, center):
    """A centre of another program, as an open page meets it: its greeting names other files."""
    visit = Visit(browser, center)
    greeting = {"time": "2026-11-21T03:00:00.123Z"}
    visit.context.route("**/v1/events*", lambda route: route.fulfill(
        content_type="text/event-stream", body=f"retry: 300\nevent: hello\ndata: {json.dumps(greeting)}\n\n"))
    loads = []
    try:
        with row(table, "a page whose centre is another one loads itself anew, once") as seen:
            page = visit.tab(link(center))
            page.on("load", lambda: loads.append(page.url))
            center.owner.call(APPS[1], "setCategories", categories=[CATEGORY])
            tell(center, "Of another program", category="message", **{"thread-id": "program"})
            page.reload()
            loads.clear()
            card = page.locator("article", has_text="Of another program")
            card.get_by_role("button", name="Reply").first.click()
            card.get_by_role("textbox").fill("Being written")
            greeting["assets"] = page.evaluate("document.querySelector('script').src.split('/')[4]")
            page.wait_for_timeout(1000)
            greeting["assets"] = "0123456789abcdef"
            page.wait_for_timeout(1000)
            assert not loads, "it was loaded anew while a text was written"
            # A draft that was put aside is a text as well.
            card.get_by_role("textbox").press("Escape")
            page.wait_for_timeout(6000)
            assert not loads, "it was loaded anew with a draft"
            card.get_by_role("button", name="Reply").first.click()
            card.get_by_role("textbox").fill("")
            card.get_by_role("textbox").press("Escape")
            until(page, "it is not loaded anew", lambda: loads)
            expect(page.locator("article").first).to_be_visible()
            page.wait_for_timeout(2000)
            seen.append(f"{len(loads)} time")
            assert len(loads) == 1, "it is loaded again and again"
    finally:
        visit.close()


def run(table, browser, center, options):
    if not any(app["app"] == WEB for app in center.owner.ask("GET", "/v1/apps").object["apps"]):
        introduce(center)
    with row(table, "the first row is there after a few requests") as seen:
        count, time = of_first_row(browser, center)
        seen.append(f"{count} requests, {time:.0f} ms, load {os.getloadavg()[0]:.1f}")
        assert 2 < count <= 12, seen[0]
    with signed_in(browser, center) as (_, page):
        with row(table, "all of the page is small, without what views need") as seen:
            count, size, packed = weigh(center, page)
            seen.append(f"{count} files, {size} bytes, {packed} packed")
            # The document, its style, its script and its words; icons come when the browser likes.
            assert count >= 4 and size <= 120 << 10 and packed <= 35 << 10, seen[0]
        with row(table, "a second visit brings the document alone") as seen:
            first = of_a_load(page)
            page.reload()
            expect(page.locator("article").first).to_be_visible()
            second = of_a_load(page)
            seen.append(f"{first} -> {second} bytes")
            assert second <= 2048 < first, seen[0]
        with row(table, "each language has the same words") as seen:
            keys = page.evaluate("""async () => {
                const names = (value, path) => typeof value !== "object" ? [`${path}: ${typeof value}`]
                    : Object.entries(value).flatMap(([name, each]) => names(each, `${path}.${name}`));
                const folder = document.querySelector("script").src.replace(/[^/]*$/, "");
                const all = ["en", "es", "pt"].map(async (language) => [language,
                    names((await import(`${folder}words-${language}.js`)).words, "").sort()]);
                return Object.fromEntries(await Promise.all(all));
            }""")
            seen.append(f"{len(keys['en'])} words")
            missing = {language: set(keys["en"]) ^ set(found) for language, found in keys.items()}
            assert len(keys["en"]) > 50 and not any(missing.values()), missing
    renews(table, browser, center)
    for scheme in ("light", "dark"):
        # The rules are read by a script that the page itself would not allow.
        with signed_in(browser, center, color_scheme=scheme, bypass_csp=True) as (visit, page):
            picture(page, options, scheme)
            with row(table, f"nothing that axe finds, {scheme}") as seen:
                unfold(visit, page, scheme)
                picture(page, options, scheme + "-unfolded")
                results = Axe().run(page).response
                seen.append(f"{len(results['passes'])} rules")
                faults = [f"{fault['id']}: {fault['nodes'][0]['html'][:80]}" for fault in results["violations"]]
                assert not faults, "; ".join(faults)
    for scheme in ("light", "dark"):
        narrow = {"viewport": {"width": 320, "height": 640}, "color_scheme": scheme}
        with signed_in(browser, center, **narrow) as (visit, page):
            picture(page, options, f"narrow-{scheme}")
            with row(table, f"nothing is wider than 320 points, {scheme}") as seen:
                unfold(visit, page, f"narrow {scheme}")
                picture(page, options, f"narrow-{scheme}-unfolded")
                width = page.locator("html").evaluate("element => element.scrollWidth")
                seen.append(f"{width}")
                assert width <= 320, width
    for language, title in (("es-ES", "Notificaciones"), ("pt-BR", "Notificações"), ("fr-FR", "Notifications")):
        with row(table, f"the page speaks {language}"):
            context = browser.new_context(locale=language)
            page = context.new_page()
            page.goto(f"http://{center.authority}/")
            expect(page.locator("h1")).to_have_text(title)
            context.close()
    with signed_in(browser, center) as (_, page):
        with row(table, "everything is reached by the keyboard") as seen:
            names = []
            for _ in range(15):
                page.keyboard.press("Tab")
                names.append(page.locator(":focus").inner_text().partition("\n")[0])
            seen.append(", ".join(dict.fromkeys(names)))
            assert {"Sign out", "Open", "Dismiss", "Clear", "Show all"} <= set(names), names
