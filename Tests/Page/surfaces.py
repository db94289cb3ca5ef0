# SPDX-License-Identifier: Apache-2.0
"""Who interrupts: several browsers and programs of one owner, of which one shows the banner and one plays the sound."""

import contextlib
import json
import os
import re
import time

from center import APPS
from people import first_played, hear
from playwright.sync_api import Error, expect
from visit import PATIENCE, row, signed_in

CASES = os.path.join(os.path.dirname(os.path.abspath(__file__)), "interruptions.json")
STATE = {"visible": True, "focused": True, "banners": True, "sound": True}


class Surface:
    """A program that reads the events at the owner's socket as a surface, and says how it is."""

    def __init__(self, center, kind):
        self.name, self.stream = center.owner.surface(kind)
        assert center.owner.ask("PUT", f"/v1/surfaces/{self.name}", STATE).status == 204

    def close(self):
        self.stream.close()


def tell(center, title, **aps):
    payload = {"aps": {"alert": {"title": title, "body": "At one"}, "thread-id": "surfaces", "sound": "default", **aps}}
    center.owner.call(APPS[1], "add", request={"identifier": title, "payload": payload})


def banner(page, title):
    return page.locator(".banner", has_text=title)


def comes(page, title):
    """Waits for the row of a notification, by which its banner is there as well, or never."""
    expect(page.locator("article", has_text=title)).to_be_visible()


def into_sight(page, text):
    """The row of a text, as whoever looks for it finds it: rows are made near what is in sight alone."""
    row = page.locator("article", has_text=text)
    page.evaluate("scrollTo(0, 0)")
    page.wait_for_timeout(200)
    for _ in range(60):
        if row.count():
            row.first.scroll_into_view_if_needed()
            return row
        page.mouse.wheel(0, 600)
        page.wait_for_timeout(100)
    raise AssertionError(f"no row of {text!r} down to {page.evaluate('scrollY')}")


def says(visit, page, **state):
    """Waits until the centre knows this of the browser."""
    end = time.monotonic() + PATIENCE / 1000
    while not visit.said or not state.items() <= visit.said[-1].items():
        assert time.monotonic() < end, f"it says {visit.said[-1:]} in place of {state}"
        page.wait_for_timeout(50)
    # The centre tells all surfaces of it.
    page.wait_for_timeout(200)


def listen(page):
    """Has the page note in `window.spoken` what is said to whoever cannot see it, and when."""
    page.evaluate("""() => {
        window.spoken = [];
        for (const region of document.querySelectorAll("[aria-live]")) {
            new MutationObserver(() => {
                if (region.textContent !== "") window.spoken.push([performance.now(), region.textContent]);
            }).observe(region, { childList: true });
        }
    }""")


def heard_of(page, count):
    """What was said until so many notifications were spoken of: each by itself, or as a number of them."""
    end = time.monotonic() + PATIENCE / 1000
    while True:
        texts = page.evaluate("window.spoken")
        numbers = [re.match(r"(\d+) new (notifications$|from )", text) for _, text in texts]
        if sum(int(number[1]) if number else 1 for number in numbers) >= count:
            return texts
        assert time.monotonic() < end, f"of {count} was said {texts}"
        page.wait_for_timeout(100)


def run(table, browser, center, options):
    with signed_in(browser, center) as (_, page):
        with row(table, "the page's rule is the program's") as seen:
            with open(CASES, encoding="utf-8") as file:
                cases = json.load(file)["cases"]
            found = page.evaluate("""async (cases) => {
                const { winners } = await import(document.querySelector("script").src.replace("page.js", "surfaces.js"));
                return cases.map(({ surfaces, critical }) => winners(surfaces, critical));
            }""", cases)
            seen.append(f"{len(cases)} cases")
            for case, winners in zip(cases, found, strict=True):
                assert winners == {key: case[key] for key in ("banners", "sounds")}, f"{case['name']}: {winners}"
    with signed_in(browser, center) as (visit, page):
        with row(table, "what comes has a banner, which a person puts away, and stays a row"):
            says(visit, page, visible=True, focused=True, banners=True)
            tell(center, "Banner one")
            expect(banner(page, "Banner one")).to_be_visible()
            page.keyboard.press("Tab")
            banner(page, "Banner one").get_by_role("button", name="Put away").focus()
            page.keyboard.press("Escape")
            expect(banner(page, "Banner one")).to_have_count(0)
            comes(page, "Banner one")
        with row(table, "a banner is answered, and goes when its notification does"):
            tell(center, "Banner two")
            banner(page, "Banner two").get_by_role("button", name="Open").click()
            expect(banner(page, "Banner two")).to_have_count(0)
            expect(page.locator("article", has_text="Banner two")).to_have_count(0)
            tell(center, "Banner three", **{"interruption-level": "time-sensitive"})
            expect(banner(page, "Banner three")).to_be_visible()
            newest = center.owner.items("/v1/notifications?limit=1")[0]["id"]
            center.owner.ask("DELETE", f"/v1/notifications/{newest}")
            expect(banner(page, "Banner three")).to_have_count(0)
        with row(table, "three banners at a time, and one text in three seconds is said of them") as seen:
            listen(page)
            for number in range(5):
                tell(center, f"Many {number}")
            comes(page, "Many 4")
            expect(page.locator(".banner")).to_have_count(3)
            expect(page.locator(".banner").first).to_contain_text("Many 4")
            texts = heard_of(page, 5)
            seen.append("; ".join(text for _, text in texts))
            gaps = [later - former for (former, _), (later, _) in zip(texts, texts[1:])]
            assert all(gap >= 2900 for gap in gaps), f"{gaps} ms between texts"
        with row(table, "a banner goes by itself, and not while a person is at it"):
            page.mouse.move(0, 0)
            tell(center, "At it")
            banner(page, "At it").get_by_role("button", name="Open").focus()
            page.wait_for_timeout(7000)
            expect(banner(page, "At it")).to_be_visible()
            page.locator("h1").focus()
            expect(page.locator(".banner")).to_have_count(0)
        with row(table, "another tab of the browser shows nothing of its own") as seen:
            other = visit.tab()
            expect(other.locator("article").first).to_be_visible()
            tell(center, "Two tabs")
            for tab in (page, other):
                comes(tab, "Two tabs")
            counts = [banner(tab, "Two tabs").count() for tab in (page, other)]
            seen.append(f"{counts}")
            assert sorted(counts) == [0, 1], counts
            other.close()
        with row(table, "a program with the focus shows it, and the page is silent until it goes") as seen:
            page.locator("h1").click()
            says(visit, page, sound=True)
            hear(page)
            with contextlib.closing(Surface(center, "desktop")):
                page.evaluate("Object.defineProperty(document, 'hasFocus', { value: () => false })")
                page.evaluate("dispatchEvent(new Event('blur'))")
                says(visit, page, focused=False)
                tell(center, "For the desktop")
                comes(page, "For the desktop")
                page.wait_for_timeout(300)
                assert banner(page, "For the desktop").count() == 0, "the page shows it as well"
                assert page.evaluate("window.played.length") == 0, "the page plays it as well"
            page.wait_for_timeout(300)
            tell(center, "For the page")
            expect(banner(page, "For the page")).to_be_visible()
            seen.append(first_played(page))
        with row(table, "no script failed that shows banners"):
            assert not visit.complaints, visit.complaints[0]
    with signed_in(browser, center) as (visit, page):
        with row(table, "the tab that reads is closed, and another one shows and plays") as seen:
            other = visit.tab()
            expect(other.locator("article").first).to_be_visible()
            says(visit, page, focused=True)
            visit.said.clear()
            page.close()
            other.locator("h1").click()
            says(visit, other, visible=True, focused=True, sound=True)
            hear(other)
            tell(center, "Another tab")
            expect(banner(other, "Another tab")).to_be_visible()
            seen.append(first_played(other))
        with row(table, "a tab that crashes takes its focus with it"):
            last = visit.tab()
            expect(last.locator("article").first).to_be_visible()
            other.evaluate("Object.defineProperty(document, 'hasFocus', { value: () => false })")
            other.evaluate("dispatchEvent(new Event('blur'))")
            says(visit, other, focused=True)
            with contextlib.suppress(Error):
                last.goto("chrome://crash")
            says(visit, other, focused=False, visible=True)
    with signed_in(browser, center) as (first, one), signed_in(browser, center) as (second, two):
        with row(table, "of two browsers one shows and plays, and the other one when it goes"):
            for visit, page in ((first, one), (second, two)):
                page.locator("h1").click()
                says(visit, page, focused=True, sound=True)
                hear(page)
            tell(center, "Two browsers")
            comes(two, "Two browsers")
            expect(banner(one, "Two browsers")).to_be_visible()
            assert first_played(one) == "tone"
            assert banner(two, "Two browsers").count() == 0, "both show it"
            assert two.evaluate("window.played.length") == 0, "both play it"
            first.close()
            # The centre tells the other that it is alone.
            two.wait_for_timeout(1000)
            tell(center, "One browser")
            expect(banner(two, "One browser")).to_be_visible()
            assert first_played(two) == "tone"
    for hours in (-5, 5):
        with signed_in(browser, center) as (visit, page):
            with row(table, f"the clock of a browser that is {hours:+} h off is not asked"):
                wrong = f"Date.now = () => right() + {hours} * 3600000;"
                visit.context.add_init_script(f"{{ const right = Date.now; {wrong} }}")
                visit.said.clear()
                page.reload()
                expect(page.locator("article").first).to_be_visible()
                hear(page)
                page.locator("h1").click()
                says(visit, page, focused=True, sound=True)
                tell(center, f"Clock {hours}")
                expect(banner(page, f"Clock {hours}")).to_be_visible()
                assert first_played(page) == "tone"
                fresh = page.evaluate("""async () => {
                    const { isFresh, now } = await import(document.querySelector("script").src.replace("page.js", "clock.js"));
                    const at = (distance) => new Date(now() + distance).toISOString();
                    return [isFresh({ date: at(0), present: { until: at(500) } }),
                        isFresh({ date: at(0), present: { until: at(-500) } }),
                        isFresh({ date: at(-29000), present: {} }), isFresh({ date: at(-31000), present: {} })];
                }""")
                assert fresh == [True, False, True, False], fresh
