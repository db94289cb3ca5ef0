# SPDX-License-Identifier: Apache-2.0
"""A stack as a whole, and answers that are long or that two tabs give at once."""

import json
import time

from center import APPS
from playwright.sync_api import expect
from surfaces import comes, tell
from visit import PATIENCE, row, signed_in

SUMMARIES = {
    "en-US": "5 more notifications from Alice and Me",
    "es-ES": "5 notificaciones más de Alice y Me",
    "pt-BR": "Mais 5 notificações de Alice e Me",
}
# 16 KiB in UTF-8, with emoji and text that is written from the right.
LONG = ("\U0001f44b\U0001f3fd \u05e9\u05dc\u05d5\u05dd, ok\n" * 1000).encode()[:16384].decode(errors="ignore")


def pile(center, count):
    """Notifications of one thread, by turns of Alice and of Me."""
    for number in range(count):
        name = ("Alice", "Me")[number % 2]
        tell(center, f"Turn {number}", alert={"title": f"Turn {number}", "body": "At one", "summary-arg": name},
             **{"thread-id": "turns"})


def text_of(center, identifier):
    """The text with which a person answered a request."""
    head, response, connection = center.stream(
        f"/v1/app/{APPS[1]}/events", center.owner.token([f"app:{APPS[1]}"]))
    try:
        assert head.status == 200, head.status
        while line := response.readline().decode():
            if line.startswith("data:") and f'"identifier":"{identifier}"' in line:
                return json.loads(line.removeprefix("data:"))["text"]
    finally:
        connection.close()
    raise AssertionError("the stream ended")


def run(table, browser, center, options):
    pile(center, 6)
    for locale, summary in SUMMARIES.items():
        with signed_in(browser, center, locale=locale) as (_, page):
            with row(table, f"six of one thread are one stack, {locale[:2]}"):
                stack = page.locator("article", has_text="Turn 5")
                expect(stack.locator(".notification")).to_have_count(1)
                expect(stack.locator("footer span")).to_have_text(summary)
    with signed_in(browser, center) as (visit, page):
        stack = page.locator("article", has_text="Turn")
        with row(table, "it is expanded and collapsed"):
            stack.get_by_role("button", name="Show all").click()
            expect(stack.locator(".notification")).to_have_count(6)
            stack.get_by_role("button", name="Show less").click()
            expect(stack.locator(".notification")).to_have_count(1)
        with row(table, "what comes between press and release stays"):
            stack.get_by_role("button", name="Clear").hover()
            page.mouse.down()
            tell(center, "Turn 6", **{"thread-id": "turns"})
            comes(page, "Turn 6")
            page.mouse.up()
            expect(stack.locator("footer")).to_have_count(0)
            expect(stack).to_contain_text("Turn 6")
        with row(table, "a reply of 16 KiB arrives byte for byte") as seen:
            tell(center, "Long", category="message", **{"thread-id": "long"})
            card = page.locator("article", has_text="Long")
            card.get_by_role("button", name="Reply").click()
            card.get_by_role("textbox").fill(LONG)
            card.get_by_role("textbox").press("Enter")
            expect(card).to_have_count(0)
            seen.append(f"{len(LONG.encode())} bytes")
            assert text_of(center, "Long") == LONG, "it is another text"
        with row(table, "of two tabs that answer at once one has answered"):
            other = visit.tab()
            tell(center, "Both", category="message", **{"thread-id": "both"})
            waiting, statuses = [], []
            visit.context.route("**/responses", lambda route: waiting.append(route))
            visit.context.on("response", lambda response: statuses.append(response.status)
                             if response.url.endswith("/responses") else None)
            for tab in (page, other):
                tab.locator("article", has_text="Both").get_by_role("button", name="Done").click()
            end = time.monotonic() + PATIENCE / 1000
            while len(waiting) < 2 and time.monotonic() < end:
                page.wait_for_timeout(50)
            for route in waiting:
                route.continue_()
            for tab in (page, other):
                expect(tab.locator("article", has_text="Both")).to_have_count(0)
            while len(statuses) < 2 and time.monotonic() < end:
                page.wait_for_timeout(50)
            assert sorted(statuses) == [201, 409], statuses
            texts = [tab.locator(".remark").inner_text() for tab in (page, other)]
            assert sorted(texts) == ["", "Answered on another device."], texts
            visit.context.unroute("**/responses")
        with row(table, "no script failed that answers"):
            assert not visit.complaints, visit.complaints[0]
