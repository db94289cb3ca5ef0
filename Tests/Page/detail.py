# SPDX-License-Identifier: Apache-2.0
"""The details of a notification: how they are opened and left, what they say, and what they outlive."""

import host
from center import APPS
from keyboard import has_focus
from playwright.sync_api import expect
from surfaces import comes, into_sight, tell
from visit import row, signed_in

SENDER = "569e210ce4742c83"
# The seal that the opener says, and the sentence of it.
SEALS = (
    (None, "this text was not sealed"),
    ({"format": "v1", "authenticated": False, "sender": None}, "Nobody has proved to be its sender."),
    ({"format": "v1", "authenticated": True, "sender": SENDER}, f"by a sender whom the app knows: {SENDER}"),
    ({"format": "sealed-box", "authenticated": True, "sender": None}, "by whoever has the app's own key."),
    ({"format": "v1", "authenticated": True, "sender": SENDER, "clear": ["link", "<b>"]}, "not sealed: link, <b>"),
)
FILES = (("photo.jpg", "tooLarge", "for its size"), ("<b>", "notOpened", "could not be opened"),
         ("film", "made up", "could not be kept"))
# What became of a push, and the sentence of it.
COURSES = (
    ({"outcome": "modified"}, "extension has written what is shown."),
    ({"outcome": "modified", "late": True}, "when its time was nearly over."),
    ({"outcome": "opened"}, "no extension that could change it."),
    ({"outcome": "original", "reason": "notMutable"}, "shown as it was sent. (notMutable)"),
    ({"outcome": "original", "reason": "budgetExceeded"}, "took too long; what it was given is shown. (budgetExceeded)"),
    ({"outcome": "original", "reason": "crashed"}, "extension failed; what it was given is shown. (crashed)"),
    ({"outcome": "original", "reason": "unknownKey"}, "could not be opened; what its sender wrote"),
    ({"outcome": "original", "reason": "<b>"}, "(<b>)"),
)
SENTENCES = {
    "es-ES": ("Detalles", "Entrega", "La añadió la propia app; nadie la envió."),
    "pt-BR": ("Detalhes", "Entregue", "O próprio app a adicionou; ninguém a enviou."),
}


def run(table, browser, center, options):
    topic = APPS[2]

    def send(title, seal=None, **more):
        payload = {"aps": {"alert": {"title": title, "body": "At one"}, "thread-id": title}}
        host.deliver(center, topic, payload | ({"encryption": seal} if seal else {}), **more)

    with signed_in(browser, center) as (visit, page):
        keys, focused = page.keyboard, page.locator(".details:focus")

        def card(title):
            return page.locator(".notification", has=page.get_by_text(title, exact=True))

        def menu(title):
            card(title).locator(".menu summary").click()
            card(title).get_by_role("button", name="Details").click()

        with row(table, "i opens the details of a row, and Escape leads back to it"):
            tell(center, "Look closer", category="message", **{"thread-id": "closer"})
            comes(page, "Look closer")
            card("Look closer").focus()
            keys.press("i")
            expect(focused).to_contain_text("The app added it itself; nobody sent it.")
            expect(focused.locator("time")).to_be_visible()
            expect(card("Look closer").get_by_role("button", name="Reply")).to_be_visible()
            keys.press("Escape")
            expect(card("Look closer").locator(".details")).to_be_hidden()
            expect(card("Look closer")).to_be_focused()
        with row(table, "the menu opens them, and has the focus again"):
            menu("Look closer")
            expect(focused).to_have_count(1)
            card("Look closer").get_by_role("button", name="Close").press("Enter")
            expect(card("Look closer").locator(".menu summary")).to_be_focused()
            keys.press("?")
            expect(page.locator(".help")).to_contain_text("details")
            keys.press("Escape")
        with row(table, "an app cannot say that it was sealed") as seen:
            payload = {"aps": {"alert": "Forged"}, "encryption": {"authenticated": True, "sender": SENDER}}
            center.owner.call(topic, "add", request={"identifier": "forged", "payload": payload})
            menu("Forged")
            expect(card("Forged").locator(".details")).to_contain_text("nobody sent it")
            assert SENDER not in card("Forged").locator(".details").inner_text()
        with row(table, "whether it was sealed, and by whom, is said in words") as seen:
            for number, (seal, sentence) in enumerate(SEALS):
                send(f"Seal {number}", seal)
                menu(f"Seal {number}")
                expect(card(f"Seal {number}").locator(".details")).to_contain_text(sentence)
            seen.append(f"{len(SEALS)} kinds")
            expect(card("Seal 4").locator(".details b")).to_have_count(0)
        with row(table, "what became of a push is said in words") as seen:
            for number, (course, sentence) in enumerate(COURSES):
                send(f"Course {number}", **course)
                menu(f"Course {number}")
                expect(card(f"Course {number}").locator(".details")).to_contain_text(sentence)
            expect(page.locator(".details b")).to_have_count(0)
            seen.append(f"{len(COURSES)} kinds")
        with row(table, "files that were refused are told, each with a reason"):
            send("With files", refused=[(name, reason) for name, reason, _ in FILES])
            menu("With files")
            for name, _, sentence in FILES:
                line = card("With files").locator("dd", has_text=name)
                expect(line).to_contain_text(sentence)
            expect(card("With files").locator(".details b")).to_have_count(0)
        with row(table, "a file that is kept is told with its kind and size"):
            center.owner.attach(APPS[0])
            menu("Photo")
            expect(card("Photo").locator("dd", has_text="photo")).to_contain_text("image/png")
            expect(card("Photo").locator("dd", has_text="photo")).to_contain_text("byte")
        with row(table, "they live on through an update of the row"):
            tell(center, "Live on", **{"thread-id": "live"})
            comes(page, "Live on")
            card("Live on").focus()
            keys.press("i")
            tell(center, "Live on", alert={"title": "Live on", "body": "At two"}, **{"thread-id": "live"},
                 **{"interruption-level": "time-sensitive"})
            expect(card("At two").locator(".details")).to_contain_text("Time-sensitive")
            expect(focused).to_have_count(1)
        with row(table, "what comes in front of the row takes them from nobody"):
            tell(center, "In front of it", **{"thread-id": "live"})
            comes(page, "In front of it")
            expect(card("At two").locator(".details")).to_be_visible()
            expect(focused).to_have_count(1)
            has_focus(page)
        with row(table, "they go with a row that is removed elsewhere"):
            number = next(item["id"] for item in center.owner.items("/v1/notifications?limit=9")
                          if item["identifier"] == "Live on")
            center.owner.ask("DELETE", f"/v1/notifications/{number}")
            expect(card("At two")).to_have_count(0)
            has_focus(page)
        with row(table, "of one that is gone already that is said"):
            tell(center, "Just gone", **{"thread-id": "gone"})
            comes(page, "Just gone")
            gone = '{"reason":"gone","message":"It is gone."}'
            visit.context.route("**/v1/notifications/*", lambda route: route.fulfill(
                status=410, body=gone, content_type="application/json"))
            menu("Just gone")
            expect(page.locator(".remark")).to_have_text("This notification is not there any more.")
            visit.context.unroute("**/v1/notifications/*")
            has_focus(page)
        with row(table, "no script failed that shows details"):
            assert not visit.complaints, visit.complaints[0]
    for locale, (name, *words) in SENTENCES.items():
        with signed_in(browser, center, locale=locale) as (_, page):
            with row(table, f"the details speak {locale[:2]}"):
                into_sight(page, "Look closer")
                found = page.locator(".notification", has_text="Look closer")
                found.locator(".menu summary").click()
                found.get_by_role("button", name=name).click()
                for word in words:
                    expect(found.locator(".details").get_by_text(word, exact=True)).to_be_visible()
