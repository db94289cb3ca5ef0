# SPDX-License-Identifier: Apache-2.0
"""What is put away can be taken back for five seconds, and then is gone once."""

import contextlib
import time

from center import APPS, png
from playwright.sync_api import expect
from surfaces import comes, tell
from visit import row, signed_in


def dismissals(center, title):
    """How often the app of `tell` hears that a person dismissed its request of this title."""
    head, response, connection = center.stream(
        f"/v1/app/{APPS[1]}/events", center.owner.token([f"app:{APPS[1]}"]))
    count = 0
    try:
        assert head.status == 200, head.status
        connection.sock.settimeout(2)
        end = time.monotonic() + 4
        with contextlib.suppress(TimeoutError):
            while time.monotonic() < end and (line := response.readline().decode()):
                count += line.startswith("data:") and f'"identifier":"{title}"' in line and "DismissAction" in line
    finally:
        connection.close()
    return count


def listed(center, title):
    return any(item.get("identifier") == title for item in center.owner.items("/v1/notifications?limit=50"))


def run(table, browser, center, options):
    with signed_in(browser, center) as (visit, page):
        def card(title):
            return page.locator("article", has_text=title)

        def dismiss(title):
            tell(center, title, category="message", **{"thread-id": title})
            comes(page, title)
            card(title).get_by_role("button", name="Dismiss").click()

        with row(table, "what is taken back was never dismissed"):
            dismiss("Back")
            card("Back").get_by_role("button", name="Undo", exact=True).click()
            expect(card("Back").get_by_role("heading")).to_be_visible()
            page.wait_for_timeout(6000)
            assert listed(center, "Back"), "it is gone"
            assert dismissals(center, "Back") == 0, "its app was told"
        with row(table, "what is not is dismissed after five seconds, once"):
            dismiss("Gone")
            page.wait_for_timeout(3000)
            assert listed(center, "Gone"), "it is gone at once"
            expect(card("Gone")).to_have_count(0)
            assert dismissals(center, "Gone") == 1, dismissals(center, "Gone")
        with row(table, "a tab that is closed meanwhile dismisses it, once"):
            other = visit.tab()
            tell(center, "Closed", category="message", **{"thread-id": "Closed"})
            comes(other, "Closed")
            other.locator("article", has_text="Closed").get_by_role("button", name="Dismiss").click()
            expect(other.get_by_role("button", name="Undo", exact=True)).to_be_visible()
            other.close(run_before_unload=True)
            expect(card("Closed")).to_have_count(0, timeout=4000)
            assert dismissals(center, "Closed") == 1, dismissals(center, "Closed")
        with row(table, "a stack is cleared as it was, and what comes meanwhile stays"):
            for number in range(3):
                tell(center, f"Pile {number}", **{"thread-id": "pile"})
            stack = card("Pile 2")
            expect(stack.locator("footer span")).to_contain_text("2 more")
            stack.get_by_role("button", name="Clear").click()
            expect(stack.get_by_role("button", name="Undo", exact=True)).to_be_visible()
            tell(center, "Pile 3", **{"thread-id": "pile"})
            expect(card("Pile 3").get_by_role("heading", name="Pile 3")).to_be_visible()
            page.wait_for_timeout(6000)
            assert [listed(center, f"Pile {number}") for number in range(4)] == [False, False, False, True]
        with row(table, "a large picture is loaded once a person asks for it") as seen:
            asked = []
            visit.context.on("request", lambda request: asked.append(request.url)
                             if "/attachments/" in request.url else None)
            answer = center.owner.attach(APPS[2], png() + bytes(9_000_000))
            assert answer.status == 200, answer.object
            button = page.get_by_role("button", name="Show the picture")
            expect(button).to_be_visible()
            seen.append(button.inner_text())
            page.wait_for_timeout(500)
            assert not asked, asked
            place = page.locator("article", has=button)
            button.click()
            expect(page.locator("article img:not(.icon)").first).to_have_js_property("naturalWidth", 1)
            assert len(asked) == 1 and place is not None, asked
        with row(table, "no script failed that puts away"):
            assert not visit.complaints, visit.complaints[0]
