# SPDX-License-Identifier: Apache-2.0
"""A centre that is killed, a machine that has slept, and a store that is older than what the page knows."""

import os
import shutil
import time

from badges import until
from center import APPS, Center
from many import load
from notices import hide
from playwright.sync_api import expect
from rows import TITLES, TOPICS, Caller, allow, in_parallel, listed, walk
from surfaces import banner, says
from visit import row, signed_in

ROWS = 300
# What happens while a machine sleeps: half of it comes, and goes again.
EVENTS = 10_000
# What is older has no banner, in seconds.
FRESH = 30


def add_rows(center, numbers):
    in_parallel(center, numbers, lambda caller, number: caller.add(TOPICS[number % 10], f"Row {number}", badge=1))


def come_and_go(center):
    """Rows of which each replaces a former one, or is removed at once, so that the list has no more than it had."""
    def work(caller, number):
        caller.add(APPS[0], f"Slept {number % 50}")
    in_parallel(center, range(EVENTS), work)


def place(page, title):
    """The distance of a row from the top of the window, in pixels; None while it is not there."""
    return page.evaluate("""(title) => {
        const found = [...document.querySelectorAll("[role=feed] h2")].find(({ textContent }) => textContent === title);
        return found?.getBoundingClientRect().top;
    }""", title)


def middle(page):
    """Scrolls into the middle of the list, and returns the title of a row that is in sight then."""
    page.evaluate("scrollTo(0, 6000)")
    page.wait_for_timeout(700)
    return page.evaluate("""() => [...document.querySelectorAll("[role=feed] h2")].find((title) =>
        title.getBoundingClientRect().top > 150).textContent""")


def is_whole(center, page):
    """The page has what the centre has, in its order, and says nothing of a fault."""
    expect(page.locator(".remark")).to_have_text("")
    assert walk(page) == listed(center), "the page has other rows"


def after_a_kill(table, center, visit, page):
    with row(table, "a centre that is killed is said to be away, and nothing moves") as seen:
        title = middle(page)
        before = place(page, title)
        center.kill()
        expect(page.locator(".remark")).to_contain_text("The centre is not reached")
        assert abs(place(page, title) - before) < 2, "the page has moved"
        start = time.monotonic()
        center.revive()
        expect(page.locator(".remark")).to_have_text("")
        seen.append(f"back after {time.monotonic() - start:.1f} s")
        page.wait_for_timeout(1000)
        seen.append(f"{place(page, title) - before:+.0f} px")
        assert abs(place(page, title) - before) < 2, "the page has moved"
        assert page.locator(".banner").count() == 0, "what was there before has a banner"
    with row(table, "and what comes behind it is there, with its banner"):
        says(visit, page, visible=True, focused=True, banners=True)
        Caller(center).add(TOPICS[0], "Behind the kill")
        expect(banner(page, "Behind the kill")).to_be_visible()
        banner(page, "Behind the kill").get_by_role("button", name="Put away").click()
        is_whole(center, page)
    with row(table, "killed five times in a row while rows come, and none is lost") as seen:
        for number in range(5):
            add_rows(center, range(ROWS + number * 20, ROWS + number * 20 + 20))
            center.kill()
            center.revive()
        until(page, "the newest is not there", lambda: page.evaluate("scrollTo(0, 0)") or page.evaluate(TITLES)[:1]
              == listed(center)[:1])
        is_whole(center, page)
        seen.append(f"{len(listed(center))} rows")


def after_a_sleep(table, center, visit, page):
    with row(table, f"{EVENTS} events behind, as after a sleep: the right list, no old banner") as seen:
        page.evaluate("for (const each of document.querySelectorAll('.banner header button')) each.click()")
        title = middle(page)
        visit.context.set_offline(True)
        # The browser keeps a connection that it has; the centre ends it, as it does with whoever reads nothing.
        center.kill()
        center.revive()
        start = time.monotonic()
        come_and_go(center)
        center.owner.ask("DELETE", f"/v1/notifications?app={TOPICS[3]}")
        rate = EVENTS / (time.monotonic() - start)
        page.wait_for_timeout(FRESH * 1000 + 1000)
        before = place(page, title)
        visit.context.set_offline(False)
        start = time.monotonic()
        expect(page.locator(".remark")).to_have_text("")
        until(page, "a removed row is there", lambda: TOPICS[3][-5:] not in page.evaluate(
            "[...document.querySelectorAll('article .app')].map(({ textContent }) => textContent).join()"))
        seen.append(f"{rate:.0f} events a second, told within {time.monotonic() - start:.1f} s, {load()}")
        page.wait_for_timeout(1500)
        assert page.locator(".banner").count() == 0, "what is old has a banner"
        moved = place(page, title)
        if moved is not None and before is not None:
            seen.append(f"{moved - before:+.0f} px")
        is_whole(center, page)


def after_a_restore(table, center, visit, page):
    with row(table, "a store from an older copy: its rows alone, and what comes then") as seen:
        copy = os.path.join(center.place, "copy")
        center.kill()
        shutil.copytree(center.folder, copy, ignore=lambda _, names: [name for name in names if name.endswith(".sock")])
        center.revive()
        add_rows(center, range(9000, 9080))
        until(page, "the newest is not there", lambda: page.evaluate("scrollTo(0, 0)") or page.evaluate(TITLES)[:1]
              == listed(center)[:1])
        center.kill()
        shutil.rmtree(center.folder)
        shutil.move(copy, center.folder)
        center.revive()
        expect(page.locator("article", has_text="Row 9079")).to_have_count(0)
        is_whole(center, page)
        page.evaluate("scrollTo(0, 0)")
        # More than an answer has, between two looks of a page in the background, with numbers that it knows of others.
        hide(page)
        page.wait_for_timeout(1500)
        add_rows(center, range(9500, 9570))
        page.wait_for_timeout(1500)
        hide(page, is_hidden=False)
        until(page, "the newest is not there", lambda: page.evaluate(TITLES)[:1] == listed(center)[:1])
        is_whole(center, page)
        seen.append(f"{len(listed(center))} rows")
    with row(table, "the list of a store from an older copy knows what it does not know"):
        stale = page.evaluate("""async () => {
            const { Board } = await import(document.querySelector("script").src.replace("page.js", "board.js"));
            const board = new Board();
            const stack = (number) => ({ id: `stack ${number}`, count: 1, leading: { id: String(number) } });
            const answer = (last, first, next) => ({ next,
                stacks: Array.from({ length: last - first + 1 }, (_, index) => stack(last - index)) });
            const take = (last, first) => {
                board.take(answer(last, first, String(first)), board.doubts);
                board.take(answer(first - 1, 1, null), board.doubts, BigInt(first));
            };
            take(480, 431);
            board.doubt();
            take(400, 351);
            board.take(answer(470, 421, "421"), board.doubts);
            return board.chunks.filter(({ isStale }) => isStale).map(({ high, low }) => [Number(high), Number(low)]);
        }""")
        assert stale == [[421, 401]], stale


def run(table, browser, _, options):
    center = Center(options.programs)
    try:
        allow(center)
        add_rows(center, range(ROWS))
        with signed_in(browser, center, viewport={"width": 390, "height": 700}) as (visit, page):
            page.locator("h1").click()
            after_a_kill(table, center, visit, page)
            after_a_sleep(table, center, visit, page)
            after_a_restore(table, center, visit, page)
            with row(table, "no script failed while the centre was away"):
                assert not visit.complaints, visit.complaints[0]
    finally:
        center.close()
