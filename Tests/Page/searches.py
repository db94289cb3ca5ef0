# SPDX-License-Identifier: Apache-2.0
"""A text that is sought in the list: what is found, what can be done with it, and how the list comes back."""

from badges import until
from banners import PIECES, answers
from center import APPS
from keyboard import has_focus
from playwright.sync_api import expect
from surfaces import tell
from visit import row, signed_in

WORDS = {"es-ES": ("Buscar", "Nada de la lista tiene este texto."), "pt-BR": ("Buscar", "Nada na lista tem este texto.")}


def run(table, browser, center, options):
    for number in range(60):
        tell(center, f"Sought {number}", **{"thread-id": f"sought-{number % 7}"})
    tell(center, "At the Café", category="message", **{"thread-id": "cafe"})
    with signed_in(browser, center) as (visit, page):
        field = page.get_by_role("searchbox", name="Search")
        found, count = page.locator(".results .notification"), page.locator(".results .note")

        with row(table, "what has a text is found, and the list gives way"):
            field.fill("cafe")
            expect(found).to_have_count(1)
            expect(found).to_contain_text("At the Café")
            expect(count).to_have_text("1 found")
            expect(page.locator("[role=feed]")).to_be_hidden()
        with row(table, "members of stacks are found one by one, and more on demand") as seen:
            field.fill("SOUGHT")
            expect(found).to_have_count(50)
            expect(count).to_have_text("50 or more found")
            page.locator(".results").get_by_role("button", name="Show older").click()
            expect(found).to_have_count(60)
            expect(count).to_have_text("60 found")
            expect(page.locator(".results").get_by_role("button", name="Show older")).to_be_hidden()
            seen.append("50, 60")
            has_focus(page)
        with row(table, "what comes meanwhile is found, and what goes elsewhere goes"):
            tell(center, "Sought at last", **{"thread-id": "late"})
            expect(found.first).to_contain_text("Sought at last")
            number = center.owner.items("/v1/notifications?limit=1")[0]["id"]
            center.owner.ask("DELETE", f"/v1/notifications/{number}")
            expect(found.first).to_contain_text("Sought 59")
        with row(table, "what is found is answered and dismissed"):
            field.fill("At the")
            found.get_by_role("button", name="Reply").click()
            found.get_by_role("textbox").fill(PIECES)
            found.get_by_role("textbox").press("Enter")
            expect(count).to_have_text("Nothing in the list has this text.")
            answers(center, APPS[1], PIECES)
            field.fill("Sought 17")
            found.get_by_role("button", name="Dismiss").click()
            expect(found).to_have_count(0)
            has_focus(page)
        with row(table, "no text becomes markup, and none leaves the field"):
            field.fill("<b>% &text=\"")
            expect(count).to_have_text("Nothing in the list has this text.")
            assert page.locator(".results b").count() == 0
        with row(table, "one app alone is sought in when it is chosen"):
            choice = page.get_by_role("combobox", name="Show", exact=True)
            field.fill("sought")
            expect(found).to_have_count(50)
            choice.select_option(APPS[0])
            expect(count).to_have_text("Nothing in the list has this text.")
            choice.select_option("")
            expect(found).to_have_count(50)
        with row(table, "s leads to it, an arrow to the rows, and Escape to the list"):
            page.locator("h1").focus()
            page.keyboard.press("s")
            expect(field).to_be_focused()
            page.keyboard.press("ArrowDown")
            expect(page.locator(".results .notification:focus")).to_have_count(1)
            page.keyboard.press("s")
            page.keyboard.press("Escape")
            expect(field).to_have_value("")
            expect(page.locator("[role=feed]")).to_be_visible()
            expect(found).to_have_count(0)
            has_focus(page)
        with row(table, "a notice leads out of it to its row"):
            field.fill("sought")
            expect(found).to_have_count(50)
            stack = next(s for s in center.owner.ask("GET", "/v1/front?limit=200").object["stacks"]
                         if s["leading"]["identifier"] == "Sought 58")
            # The same page, as a press on a notice meets it.
            page.evaluate("data => navigator.serviceWorker.dispatchEvent(new MessageEvent('message', { data }))",
                          {"id": stack["leading"]["id"], "stack": stack["id"]})
            expect(page.locator(".notification.found")).to_contain_text("Sought 58")
        with row(table, "nothing of it is left when the session ends"):
            field.fill("sought")
            expect(found).to_have_count(50)
            page.get_by_role("button", name="Sign out").click()
            expect(page.get_by_role("alert")).to_be_visible()
            until(page, "a text is left", lambda: "Sought" not in page.content())
        with row(table, "no script failed that seeks"):
            assert not visit.complaints, visit.complaints[0]
    for locale, (name, nothing) in WORDS.items():
        with signed_in(browser, center, locale=locale) as (_, page):
            with row(table, f"the search speaks {locale[:2]}"):
                page.get_by_role("searchbox", name=name).fill("nothing has this")
                expect(page.locator(".results .note")).to_have_text(nothing)
