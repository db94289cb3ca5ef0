# SPDX-License-Identifier: Apache-2.0
"""Banners that are answered where they are, and what is said of them to whoever cannot see them."""

import time

from center import APPS
from playwright.sync_api import expect
from surfaces import banner, comes, heard_of, listen, says, tell
from visit import row, signed_in

PIECES = "Half of it \U0001f44b\u05e9"


def answers(center, topic, text):
    """Waits until the app hears of a text that a person wrote."""
    token = center.owner.token([f"app:{topic}"])
    head, response, connection = center.stream(f"/v1/app/{topic}/events", token)
    try:
        assert head.status == 200, head.status
        for _ in range(400):
            line = response.readline().decode()
            assert line, "the stream ended"
            if text in line:
                return
    finally:
        connection.close()
    raise AssertionError("no response")


def run(table, browser, center, options):
    with signed_in(browser, center) as (visit, page):
        says(visit, page, visible=True, focused=True, banners=True)
        with row(table, "a banner is replied to, and stays while it is") as seen:
            tell(center, "Reply here", category="message")
            card = banner(page, "Reply here")
            card.get_by_role("button", name="Reply").click()
            expect(card.get_by_role("textbox")).to_be_focused()
            card.get_by_role("textbox").fill(PIECES)
            page.locator("h1").focus()
            page.wait_for_timeout(7000)
            expect(card.get_by_role("textbox")).to_have_value(PIECES)
            card.get_by_role("textbox").press("Enter")
            expect(card).to_have_count(0)
            expect(page.locator("article", has_text="Reply here")).to_have_count(0)
            answers(center, APPS[1], PIECES)
            seen.append(f"{len(PIECES)} characters")
        with row(table, "an update takes no text away, of a banner and of a row"):
            tell(center, "Update", category="message")
            for place in (banner(page, "Update"), page.locator("article", has_text="Update")):
                place.get_by_role("button", name="Reply").click()
                place.get_by_role("textbox").fill(PIECES)
            field = banner(page, "Update").get_by_role("textbox")
            field.focus()
            tell(center, "Update", category="message", alert={"title": "Update", "body": "At two"})
            expect(banner(page, "At two").get_by_role("textbox")).to_be_focused()
            for place in (banner(page, "At two"), page.locator("article", has_text="At two")):
                expect(place.get_by_role("textbox")).to_have_value(PIECES)
        with row(table, "Escape leaves the field first, then the banner"):
            field = banner(page, "Update").get_by_role("textbox")
            field.press("Escape")
            expect(field).to_have_count(0)
            expect(banner(page, "Update").get_by_role("button", name="Open")).to_be_focused()
            page.keyboard.press("Escape")
            expect(banner(page, "Update")).to_have_count(0)
            row_of = page.locator("article", has_text="Update")
            row_of.get_by_role("textbox").press("Escape")
            row_of.get_by_role("button", name="Reply").click()
            expect(row_of.get_by_role("textbox")).to_have_value(PIECES)
            row_of.get_by_role("textbox").press("Escape")
        with row(table, "an action that cannot be undone says so, and is answered in the banner"):
            tell(center, "Do it", category="message")
            banner(page, "Do it").get_by_role("button", name="Done (cannot be undone)").click()
            expect(banner(page, "Do it")).to_have_count(0)
            expect(page.locator("article", has_text="Do it")).to_have_count(0)
        with row(table, "a press on the text is the default answer"):
            tell(center, "Press me")
            banner(page, "Press me").locator("h2").click()
            expect(banner(page, "Press me")).to_have_count(0)
            expect(page.locator("article", has_text="Press me")).to_have_count(0)
        with row(table, "a banner has the first picture, small"):
            center.owner.attach(APPS[0])
            expect(page.locator(".banner img.thumbnail")).to_have_js_property("naturalWidth", 1)
            page.locator(".banner").get_by_role("button", name="Put away").click()
        with row(table, "of five the one that is written at stays, and one that is critical") as seen:
            tell(center, "Written at", category="message")
            banner(page, "Written at").get_by_role("button", name="Reply").click()
            for number in range(4):
                tell(center, f"Crowd {number}")
            expect(banner(page, "Crowd 3")).to_be_visible()
            titles = page.locator(".banner h2").all_inner_texts()
            seen.append(", ".join(titles))
            assert titles == ["Crowd 3", "Crowd 2", "Written at"], titles
            page.keyboard.press("Escape")
            page.keyboard.press("Escape")
        with row(table, "what is urgent is said in a region of its own"):
            page.wait_for_timeout(3100)
            tell(center, "Urgent", **{"interruption-level": "time-sensitive"})
            expect(page.locator("[aria-live=assertive]")).to_contain_text("Urgent")
            expect(page.locator("[aria-live=polite]")).to_be_empty()
            expect(page.locator("[aria-live], [role=status], [role=alert], [role=log]")).to_have_count(2)
            banner(page, "Urgent").get_by_role("button", name="Put away").click()
        with row(table, "of 300 that come in a crowd one text in three seconds is said") as seen:
            page.wait_for_timeout(3100)
            listen(page)
            start = time.monotonic()
            for number in range(300):
                tell(center, f"Storm {number % 30}")
            seen.append(f"{300 / (time.monotonic() - start):.0f} a second")
            comes(page, "Storm 29")
            texts = heard_of(page, 300)
            gaps = [later - former for (former, _), (later, _) in zip(texts, texts[1:])]
            seen.append(texts[1][1])
            assert all(gap >= 2900 for gap in gaps), f"{gaps} ms between texts"
            assert page.locator(".banner").count() <= 3
        with row(table, "no script failed that answers in banners"):
            assert not visit.complaints, visit.complaints[0]
