# SPDX-License-Identifier: Apache-2.0
"""The history: what was dismissed or answered, how it comes back, and how it goes for good."""

from badges import until
from center import APPS
from keyboard import has_focus
from playwright.sync_api import expect
from surfaces import comes, tell
from visit import PATIENCE, row, signed_in

SENTENCES = {
    "es-ES": ("Historial", "Restaurar", "Descartada."),
    "pt-BR": ("Histórico", "Restaurar", "Dispensada."),
}
HOSTILE = "<img src=x onerror=alert(1)> \u202eolleh"


def run(table, browser, center, options):
    owner = center.owner

    def past():
        return owner.items("/v1/history?limit=200")

    def end(title, *, answer=None):
        """Brings a notification about and ends it at once, as another surface would; returns its id."""
        tell(center, title, category="message", **{"thread-id": title})
        number = owner.items("/v1/notifications?limit=1")[0]["id"]
        if answer:
            owner.ask("POST", f"/v1/notifications/{number}/responses", {"action": answer})
        else:
            owner.ask("DELETE", f"/v1/notifications/{number}")
        return number

    owner.ask("DELETE", "/v1/history")
    with signed_in(browser, center) as (visit, page):
        asked = []
        visit.context.on("request", lambda request: asked.append(request.url) if "/v1/history" in request.url else None)
        section, keys = page.locator("details.history"), page.keyboard

        def of(title):
            return section.locator(".past", has_text=title)

        def returns(title):
            """Waits for the row of what was restored: the first of a list that may be too long for it to be in sight."""
            page.evaluate("scrollTo(0, 0)")
            comes(page, title)

        with row(table, "the history is closed at first, and asks for nothing"):
            end("Past one")
            page.wait_for_timeout(500)
            assert not asked, asked
            expect(section.locator(".past")).to_have_count(0)
        with row(table, "opened, it has what was dismissed and answered, and how"):
            end("Past two", answer="done")
            section.locator("summary").focus()
            keys.press("Enter")
            expect(of("Past one")).to_contain_text("Dismissed.")
            expect(of("Past two")).to_contain_text("Answered.")
            expect(of("Past two").locator(".app")).to_have_text(APPS[1])
            expect(section.locator(".past").first).to_contain_text("Past two")
            expect(section.locator("time")).to_have_count(2)
        with row(table, "what ends while it is open is there at once, and its text is text"):
            end(HOSTILE)
            expect(section.locator(".past").first.locator("h2")).to_have_text(HOSTILE)
            expect(section.locator("h2 img")).to_have_count(0)
        with row(table, "its files are shown"):
            owner.attach(APPS[0])
            owner.ask("DELETE", f"/v1/notifications/{owner.items('/v1/notifications?limit=1')[0]['id']}")
            expect(of("Photo").locator("img:not(.icon)")).to_have_js_property("naturalWidth", 1)
        with row(table, "one is restored, and the focus goes to the next"):
            of("Photo").get_by_role("button", name="Restore").focus()
            keys.press("Enter")
            expect(of("Photo")).to_have_count(0)
            returns("Photo")
            expect(section.locator(".past").first).to_be_focused()
        with row(table, "one that was restored elsewhere goes"):
            number = end("Elsewhere")
            expect(of("Elsewhere")).to_have_count(1)
            page.wait_for_timeout(500)
            owner.ask("POST", f"/v1/history/{number}/restore", {})
            returns("Elsewhere")
            expect(of("Elsewhere")).to_have_count(0)
        with row(table, "one that was deleted for good elsewhere goes"):
            number = end("Deleted")
            expect(of("Deleted")).to_have_count(1)
            page.wait_for_timeout(500)
            owner.ask("DELETE", f"/v1/history/{number}")
            expect(of("Deleted")).to_have_count(0)
        with row(table, "one of which there is a newer version stays, with the reason"):
            end("Newer")
            tell(center, "Newer", **{"thread-id": "Newer"})
            of("Newer").get_by_role("button", name="Restore").click()
            expect(page.locator(".remark")).to_have_text("A newer version of it is in the list.")
            expect(of("Newer")).to_have_count(1)
        with row(table, "one that is not there any more goes, and that is said"):
            number = end("Nowhere")

            def overtake(route):
                """Another surface deletes it between the press and its effect."""
                owner.ask("DELETE", f"/v1/history/{number}")
                route.continue_()

            visit.context.route("**/restore", overtake)
            of("Nowhere").get_by_role("button", name="Restore").click()
            expect(page.locator(".remark")).to_have_text("This notification is not there any more.")
            expect(of("Nowhere")).to_have_count(0)
            visit.context.unroute("**/restore", overtake)
        with row(table, "what is deleted for good can be taken back for five seconds"):
            number = end("Forever")
            expect(of("Forever")).to_have_count(1)
            undo = section.get_by_role("button", name="Undo", exact=True)
            for is_meant in (False, True):
                of("Forever").get_by_role("button", name="Delete for good").click()
                expect(undo).to_be_focused()
                # What ends meanwhile takes the line with the button away from nobody.
                end(f"Meanwhile {is_meant}")
                expect(of(f"Meanwhile {is_meant}")).to_have_count(1)
                expect(undo).to_be_focused()
                if not is_meant:
                    keys.press("Enter")
                    expect(of("Forever")).to_be_focused()
                    page.wait_for_timeout(6000)
                    assert number in [item["id"] for item in past()], "it is gone"
            assert number in [item["id"] for item in past()], "it is gone at once"
            until(page, "it is there", lambda: number not in [item["id"] for item in past()])
            expect(of("Forever")).to_have_count(0)
            has_focus(page)
        with row(table, "older ones come by pages") as seen:
            for number in range(60):
                tell(center, f"Page {number}", **{"thread-id": "pages"})
            newest = owner.items("/v1/notifications?limit=1")[0]["id"]
            owner.ask("DELETE", f"/v1/notifications?app={APPS[1]}&upTo={newest}")
            expect(of("Page 59")).to_have_count(1)
            expect(section.locator(".past")).to_have_count(50)
            section.get_by_role("button", name="Show older").focus()
            keys.press("Enter")
            expect(section.locator(".past").nth(50)).to_be_focused()
            expect(of("Page 0")).to_have_count(1)
            seen.append(f"{section.locator('.past').count()} rows")
        with row(table, "all of it goes for good once a person has said so twice"):
            section.locator(".past").first.get_by_role("button", name="Delete for good").click()
            section.get_by_role("button", name="Delete all for good").click()
            expect(section.get_by_role("button", name="Keep it")).to_be_focused()
            keys.press("Escape")
            expect(section.get_by_role("button", name="Delete all for good")).to_be_focused()
            assert len(past()) > 50, len(past())
            keys.press("Enter")
            section.get_by_role("button", name="Delete all for good").click()
            expect(section.get_by_text("Nothing was answered or dismissed within a day.")).to_be_visible()
            assert past() == [], len(past())
            expect(section.locator("summary")).to_be_focused()
            # The one that was held is gone already by the time that it is sent.
            page.wait_for_timeout(5500)
            expect(page.locator(".remark")).to_be_empty()
        with row(table, "the last one that is restored leaves the focus to what opens them"):
            end("Only one")
            of("Only one").get_by_role("button", name="Restore").focus()
            keys.press("Enter")
            returns("Only one")
            expect(of("Only one")).to_have_count(0)
            expect(section.locator("summary")).to_be_focused()
        with row(table, "closed, it holds nothing, and who signs out leaves nothing"):
            end("Last one")
            expect(of("Last one")).to_have_count(1)
            section.locator("summary").click()
            expect(section.locator(".past")).to_have_count(0)
            section.locator("summary").click()
            expect(of("Last one")).to_have_count(1, timeout=PATIENCE)
            page.get_by_role("button", name="Sign out").click()
            expect(page.get_by_role("alert")).to_be_visible()
            expect(page.get_by_text("Last one")).to_have_count(0)
        with row(table, "no script failed that shows the history"):
            assert not visit.complaints, visit.complaints[0]
    owner.seed()
    for locale, words in SENTENCES.items():
        with signed_in(browser, center, locale=locale) as (_, page):
            with row(table, f"the history speaks {locale[:2]}"):
                page.locator("details.history summary").click()
                for word in words:
                    expect(page.locator("details.history").get_by_text(word, exact=True).first).to_be_visible()
