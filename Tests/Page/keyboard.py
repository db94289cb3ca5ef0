# SPDX-License-Identifier: Apache-2.0
"""The whole of the list by keys alone, with a focus that is never lost."""

from banners import PIECES, answers
from center import APPS
from playwright.sync_api import expect
from surfaces import banner, comes, tell
from visit import row, signed_in


def has_focus(page):
    assert page.evaluate("document.activeElement !== document.body"), "nothing has the focus"


def run(table, browser, center, options):
    with signed_in(browser, center) as (visit, page):
        keys, focused = page.keyboard, page.locator(".notification:focus")

        def add(title):
            tell(center, title, category="message", **{"thread-id": title})
            comes(page, title)

        def at(title):
            """Goes to the row of a title, which is the first one or a later one."""
            keys.press("Escape")
            for key in ["k"] * 40 + ["j"] * 40:
                if focused.count() and title in focused.inner_text():
                    return
                keys.press(key)
            raise AssertionError(f"no key leads to {title}")

        with row(table, "Tab reaches one row, and arrows all others") as seen:
            for _ in range(20):
                keys.press("Tab")
                if focused.count():
                    break
            first = focused.inner_text()
            keys.press("ArrowDown")
            second = focused.inner_text()
            keys.press("ArrowUp")
            assert focused.inner_text() == first != second, second
            expect(page.locator(".notification[tabindex='0']")).to_have_count(1)
            rows = page.locator("[role=feed] > article")
            seen.append(f"{rows.count()} in the feed")
            assert rows.first.get_attribute("aria-posinset") == "1"
            assert rows.first.get_attribute("aria-setsize") == str(rows.count())
        with row(table, "a stack is opened and closed by arrows"):
            for number in range(3):
                tell(center, f"Keys {number}", **{"thread-id": "keys"})
            comes(page, "Keys 2")
            page.wait_for_timeout(300)
            at("Keys 2")
            stack = page.locator("article", has_text="Keys 2")
            keys.press("ArrowRight")
            expect(stack.locator(".notification")).to_have_count(3)
            keys.press("ArrowDown")
            expect(focused).to_contain_text("Keys 1")
            keys.press("ArrowLeft")
            expect(stack.locator(".notification")).to_have_count(1)
            has_focus(page)
        with row(table, "r replies"):
            add("Reply by keys")
            at("Reply by keys")
            keys.press("r")
            expect(page.locator("article").get_by_role("textbox")).to_be_focused()
            keys.insert_text(PIECES)
            keys.press("Enter")
            expect(page.locator("article", has_text="Reply by keys")).to_have_count(0)
            answers(center, APPS[1], PIECES)
            has_focus(page)
        with row(table, "a digit is an action, and Enter the default one"):
            for title, key in (("Second action", "2"), ("Default action", "Enter")):
                add(title)
                at(title)
                keys.press(key)
                expect(page.locator("article", has_text=title)).to_have_count(0)
                has_focus(page)
        with row(table, "Delete dismisses, and u takes it back"):
            add("Delete me")
            at("Delete me")
            keys.press("Delete")
            expect(page.get_by_role("button", name="Undo", exact=True)).to_be_focused()
            keys.press("u")
            expect(focused).to_contain_text("Delete me")
            keys.press("Delete")
            expect(page.locator("article", has_text="Delete me")).to_have_count(0)
            has_focus(page)
        with row(table, "Shift and Delete clear a stack"):
            at("Keys 2")
            keys.press("Shift+Delete")
            expect(page.locator("article", has_text="Keys 2")).to_have_count(0)
            has_focus(page)
        with row(table, "b leads to the newest banner, and Escape puts it away"):
            add("Banner by keys")
            keys.press("b")
            expect(banner(page, "Banner by keys")).to_be_focused()
            keys.press("Escape")
            expect(banner(page, "Banner by keys")).to_have_count(0)
            has_focus(page)
        with row(table, "keys are explained, and letters switched off"):
            keys.press("?")
            help_text = page.locator(".help")
            expect(help_text).to_contain_text("next row")
            help_text.get_by_label("Letters and digits are keys").press("Space")
            keys.press("Escape")
            expect(help_text).to_be_hidden()
            at_first = focused.inner_text() if focused.count() else ""
            keys.press("j")
            keys.press("?")
            assert (focused.inner_text() if focused.count() else "") == at_first, "a letter is a key"
            expect(help_text).to_be_hidden()
            keys.press("ArrowDown")
            expect(focused).to_have_count(1)
        with row(table, "no script failed that takes keys"):
            assert not visit.complaints, visit.complaints[0]
