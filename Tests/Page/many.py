# SPDX-License-Identifier: Apache-2.0
"""A list of ten thousand rows: what the page has of it, how it scrolls, and what becomes of it while it changes."""

import concurrent.futures
import os
import re
import time

from badges import until
from center import APPS, CATEGORY, Center
from notices import hide
from playwright.sync_api import expect
from rows import TITLES, TOPICS, Caller, all_stacks, allow, in_parallel, listed, walk
from surfaces import banner
from visit import row, signed_in

# What an owner has at most, of as many apps as that takes.
COUNT = 10_000
ELEMENTS = 1500
HEAP = 40 << 20
STORM_SECONDS = 6
# What comes while the page is in the background: so many a second, for so many seconds; and the share of a core, in
# per cent of thread time, that the page may take for it. One that draws takes 27; the goal is 1, on an idle machine.
RATE, HIDDEN_SECONDS, SHARE = 100, 20, 5

# Scrolls the window so far at each frame, and returns the times of the frames in milliseconds.
SCROLL = """([step, frames]) => new Promise((done) => {
    const times = [];
    let last = performance.now();
    const next = (now) => {
        times.push(now - last);
        last = now;
        scrollBy(0, step);
        if (times.length > frames) done(times.slice(1));
        else requestAnimationFrame(next);
    };
    requestAnimationFrame(next);
})"""


def fill(center):
    """Brings the owner as many stacks as the store keeps."""
    allow(center, categories=[CATEGORY])
    in_parallel(center, range(COUNT), lambda caller, number:
                caller.add(TOPICS[number % 10], f"Row {number}", category="message"))


def same(center, page, seen):
    """Walks through all rows, which are those of the centre then, and counted."""
    found, expected = walk(page), listed(center)
    if found != expected:
        # What is too much of the store goes in steps, perhaps behind the look at a row.
        found, expected = walk(page), listed(center)
    first = next((pair for pair in zip(found, expected) if pair[0] != pair[1]), (found[-1], expected[-1]))
    assert found == expected, f"{len(set(expected) ^ set(found))} of {len(expected)} differ, {first[0]} for {first[1]}"
    expect(page.locator("[role=feed] > article").last).to_have_attribute("aria-setsize", str(len(expected)))
    seen.append(f"{len(found)} rows")


def to_end(page):
    """Jumps to the end of the list until there is no more."""
    last = page.locator("[role=feed] > article").last

    def is_end():
        page.evaluate("document.querySelector('[role=feed]').lastElementChild.scrollIntoView({ block: 'end' })")
        return last.get_attribute("aria-setsize") not in (None, "-1")
    until(page, "the end of the list is not reached", is_end, patience=120)
    return last


def figures(page, client):
    elements = page.evaluate("document.querySelectorAll('*').length")
    client.send("HeapProfiler.collectGarbage")
    metrics = {metric["name"]: metric["value"] for metric in client.send("Performance.getMetrics")["metrics"]}
    return elements, metrics["JSHeapUsedSize"]


def frames(times):
    times = sorted(times)
    return f"frames p50 {times[len(times) // 2]:.0f} ms, p99 {times[len(times) * 99 // 100]:.0f} ms"


def load():
    return f"load {os.getloadavg()[0]:.1f}"


def run(table, browser, _, options):
    center = Center(options.programs)
    try:
        with row(table, "ten thousand rows are in the list") as seen:
            start = time.monotonic()
            fill(center)
            titles = listed(center)
            assert titles == [f"Row {number}" for number in reversed(range(COUNT))] or len(set(titles)) == COUNT
            seen.append(f"{COUNT / (time.monotonic() - start):.0f} a second")
        with signed_in(browser, center, viewport={"width": 390, "height": 700}) as (visit, page):
            client = visit.context.new_cdp_session(page)
            client.send("Performance.enable", {"timeDomain": "threadTicks"})
            check_long(table, center, page, client)
            check_storm(table, center, page, client)
            check_hidden(table, center, page, client)
            check_changes(table, center, visit, page)
            with row(table, "no script failed with a long list"):
                assert not visit.complaints, visit.complaints[0]
    finally:
        center.close()


def check_long(table, center, page, client):
    with row(table, "the page has those that are near") as seen:
        elements, heap = figures(page, client)
        paint = page.evaluate("performance.getEntriesByName('first-contentful-paint')[0]?.startTime")
        seen.append(f"{elements} elements, {heap / 2**20:.1f} MB, first paint {paint:.0f} ms, {load()}")
        assert elements <= ELEMENTS, "too many elements"
        first = page.locator("[role=feed] > article").first
        assert first.get_attribute("aria-posinset") == "1" and first.get_attribute("aria-setsize") == "-1"
    with row(table, "it scrolls by 300 px a frame") as seen:
        seen.append(frames(page.evaluate(SCROLL, [300, 400])))
        seen.append(f"{page.evaluate('scrollY')} px, {load()}")
        assert page.evaluate(TITLES), "nothing is in sight"
    with row(table, "the end of the list is reached, and told") as seen:
        last = to_end(page)
        assert last.get_attribute("aria-posinset") == last.get_attribute("aria-setsize") == str(COUNT)
        elements, heap = figures(page, client)
        seen.append(f"{elements} elements, {heap / 2**20:.1f} MB")
        assert elements <= ELEMENTS, "too many elements"
        assert heap <= HEAP, "too much memory"
    with row(table, "no row is left out") as seen:
        same(center, page, seen)
        elements, _ = figures(page, client)
        seen.append(f"{elements} elements")
        assert elements <= ELEMENTS, "too many elements"
    with row(table, "a row with the focus stays while others come and go") as seen:
        page.evaluate("scrollTo(0, 0)")
        title = page.evaluate("""() => {
            const row = [...document.querySelectorAll(".notification")][5];
            row.focus();
            return row.querySelector("h2").textContent;
        }""")
        for _ in range(20):
            page.mouse.wheel(0, 2000)
            page.wait_for_timeout(30)
        expect(page.locator(".notification:focus h2")).to_have_text(title)
        seen.append(f"{page.evaluate('scrollY')} px away")
        page.keyboard.press("ArrowDown")
        expect(page.locator(".notification:focus h2")).not_to_have_text(title)
        page.keyboard.press("Escape")


def check_storm(table, center, page, client):
    numbers = range(COUNT, COUNT + 1000 * STORM_SECONDS)
    with row(table, f"{len(numbers)} come at once, and none is lost") as seen:
        page.evaluate("scrollTo(0, 0)")
        _, before = figures(page, client)
        page.bring_to_front()
        with concurrent.futures.ThreadPoolExecutor(1) as pool:
            start = time.monotonic()
            storm = pool.submit(in_parallel, center, numbers, lambda caller, number:
                                caller.add(TOPICS[number % 10], f"Row {number}", category="message"))
            times = []
            while not storm.done():
                times += page.evaluate(SCROLL, [0, 30])
            storm.result()
        rate = len(numbers) / (time.monotonic() - start)
        expected = listed(center)
        until(page, "the newest is not on top", lambda: page.evaluate(TITLES)[:1] == expected[:1])
        elements, heap = figures(page, client)
        seen.append(f"{rate:.0f} a second, {frames(times)}, {load()}; {elements} elements, "
                    f"{before / 2**20:.1f} -> {heap / 2**20:.1f} MB")
        assert heap <= HEAP, "too much memory"
    with row(table, "of many banners there is one, which counts"):
        expect(banner(page, "new notifications")).to_have_count(1)
        expect(page.locator(".banner")).to_have_count(1)
        banner(page, "new notifications").get_by_role("button", name="Put away").click()
        expect(page.locator(".banner")).to_have_count(0)
    with row(table, "all rows are those of the centre behind it") as seen:
        same(center, page, seen)


def paced(center, titles):
    """Adds rows at their rate; as many as were due when it is late."""
    caller, start = Caller(center), time.monotonic()
    for index, title in enumerate(titles):
        time.sleep(max(0, start + index / RATE - time.monotonic()))
        caller.add(TOPICS[index % 10], title)
    caller.connection.close()


def check_hidden(table, center, page, client):
    with row(table, f"in the background it takes less than {SHARE} % of a core at {RATE} a second") as seen:
        def spent():
            metrics = {metric["name"]: metric["value"] for metric in client.send("Performance.getMetrics")["metrics"]}
            return metrics["TaskDuration"]
        page.evaluate("scrollTo(0, 0)")
        page.wait_for_timeout(1000)
        hide(page)
        page.wait_for_timeout(2000)
        with concurrent.futures.ThreadPoolExecutor(1) as pool:
            before, start = spent(), time.monotonic()
            coming = pool.submit(paced, center, [f"Behind {number}" for number in range(RATE * HIDDEN_SECONDS)])
            while not coming.done():
                page.wait_for_timeout(1000)
            coming.result()
            share = (spent() - before) / (time.monotonic() - start) * 100
        seen.append(f"{share:.1f} %, {RATE * HIDDEN_SECONDS / (time.monotonic() - start):.0f} a second")
        expect(page).to_have_title(re.compile(r"^\(\d+\) "))
        hide(page, is_hidden=False)
        expected = listed(center)
        until(page, "the newest is not on top", lambda: page.evaluate(TITLES)[:1] == expected[:1])
        assert share < SHARE, seen[0]
    with row(table, "all rows are those of the centre in front again") as seen:
        same(center, page, seen)


def check_changes(table, center, visit, page):
    owner = center.owner
    with row(table, "what comes above is counted, and moves nothing"):
        caller = Caller(center)
        page.evaluate("scrollTo(0, 3000)")
        page.wait_for_timeout(500)
        place = page.locator("[role=feed] > article").nth(20)
        before = place.bounding_box()["y"]
        title = place.locator("h2").inner_text()
        for number in range(3):
            caller.add(TOPICS[0], f"Above {number}")
        expect(page.get_by_role("button", name="3 new")).to_be_visible()
        page.wait_for_timeout(500)
        after = page.locator("article", has=page.get_by_text(title, exact=True)).bounding_box()["y"]
        assert abs(after - before) < 2, f"{before} -> {after}"
        page.get_by_role("button", name="3 new").click()
        expect(page.locator(".notification:focus")).to_contain_text("Above 2")
        expect(page.locator(".pill")).to_be_hidden()
        caller.connection.close()
    with row(table, "what is removed elsewhere goes far down in the list as well") as seen:
        page.evaluate("scrollTo(0, document.body.scrollHeight / 2)")
        page.wait_for_timeout(500)
        owner.ask("DELETE", f"/v1/notifications?app={TOPICS[3]}")
        expect(page.locator("article .app", has_text="many3")).to_have_count(0)
        same(center, page, seen)
    with row(table, "an app is chosen whose rows are far down"):
        caller = Caller(center)
        caller.add(APPS[0], "The only one")
        in_parallel(center, range(20_000, 20_300), lambda caller, number: caller.add(TOPICS[1], f"Row {number}"))
        page.reload()
        page.get_by_role("combobox", name="Show", exact=True).select_option(APPS[0])
        expect(page.locator("article", has_text="The only one")).to_be_visible()
        expect(page.locator("[role=feed] > article")).to_have_count(1)
        expect(page.locator(".filter .count")).to_have_text(f"1 of {len(listed(center))} shown")
        page.get_by_role("combobox", name="Show", exact=True).select_option("")
    with row(table, "settings and history are a press away, and nothing is loaded for that") as seen:
        page.evaluate("scrollTo(0, 0)")
        for name, part in (("Settings", ".settings"), ("History", ".history")):
            page.get_by_role("button", name=name, exact=True).click()
            expect(page.locator(part + " > summary")).to_be_focused()
            expect(page.locator(part + " > summary")).to_be_in_viewport()
        page.wait_for_timeout(1000)
        expect(page.locator(".history > summary")).to_be_in_viewport()
        page.evaluate("scrollTo(0, 0)")
        seen.append(f"{page.evaluate('document.body.scrollHeight')} px")
    with row(table, "a link leads to a row that is far down"):
        found = owner.ask("GET", f"/v1/notifications?app={TOPICS[5]}&limit=200").object["items"][-1]
        stack = next(stack for stack in all_stacks(center) if stack["leading"]["id"] == found["id"])
        page.goto("about:blank")
        page.goto(f"http://{center.authority}/#id={found['id']}&stack={stack['id']}")
        expect(page.locator(".notification.found")).to_be_focused()
        expect(page.locator(".notification.found h2")).to_have_text(found["payload"]["aps"]["alert"]["title"])
        expect(page.locator(".notification.found")).to_be_in_viewport()
    with row(table, "an open stack shows more of its members on demand") as seen:
        for number in range(120):
            caller.add(APPS[1], f"Member {number}", **{"thread-id": "members"})
        page.evaluate("scrollTo(0, 0)")
        stack = page.locator("article", has_text="Member 119")
        stack.get_by_role("button", name="Show all").click()
        for count in (50, 100, 120):
            expect(stack.locator(".notification")).to_have_count(count)
            seen.append(str(count))
            if count < 120:
                stack.get_by_role("button", name="Show older").click()
                expect(stack.locator(".notification:focus")).to_contain_text(f"Member {119 - count}")
        expect(stack.get_by_role("button", name="Show older")).to_be_hidden()
        caller.connection.close()
