# SPDX-License-Identifier: Apache-2.0
"""The lock view: what it shows to whoever stands in front of it, and what it does not even have."""

import contextlib
import re

from center import APPS
from looks import picture
from playwright.sync_api import expect
from surfaces import tell
from visit import Visit, row, signed_in

try:
    from axe_playwright_python.sync_playwright import Axe
except ImportError:
    Axe = None

VAULT, NAME = "com.example.vault", "Canary of the lock"
CATEGORY = {"identifier": "vault", "options": [], "actions": [
    {"identifier": "pay", "title": "Pay", "options": ["authenticationRequired"]},
    {"identifier": "snooze", "title": "Snooze", "options": []}]}
# Questions whose answers have texts of notifications.
TELLING = re.compile(r"/v1/(front|stacks|notifications|events|history)")


def link(center):
    """The address that makes a browser a lock view, once."""
    return center.owner.ask("POST", "/v1/codes", {"surface": "lock"}).object["link"]


@contextlib.contextmanager
def lock_view(browser, center, **options):
    visit = Visit(browser, center, **options)
    try:
        page = visit.tab(link(center))
        expect(page.locator(".clock time")).not_to_be_empty()
        # The list is there, and the stream is open.
        expect(page.locator(".below a")).to_be_hidden()
        yield visit, page
    finally:
        visit.close()


def keep(center, identifier, previews, **aps):
    """A notification of the app whose previews are set so."""
    owner = center.owner
    owner.ask("PATCH", f"/v1/apps/{VAULT}/settings", {"previews": previews})
    owner.call(VAULT, "add", request={"identifier": identifier, "payload": {"aps": {"category": "vault", **aps}}})


def heap(visit, page):
    """Returns the heap of a tab as text."""
    session, pieces = visit.context.new_cdp_session(page), []
    session.on("HeapProfiler.addHeapSnapshotChunk", lambda event: pieces.append(event["chunk"]))
    session.send("HeapProfiler.takeHeapSnapshot")
    session.detach()
    return "".join(pieces)


def fetch(page, method, path, body=None):
    """The status, the reason and the text of an answer to a question that the page itself does not ask."""
    return page.evaluate("""async ([method, path, body]) => {
        const headers = body === null ? {} : { "content-type": "application/json" };
        const answer = await fetch(path, { method, headers, body: body === null ? undefined : JSON.stringify(body) });
        const text = await answer.text();
        return [answer.status, text === "" ? undefined : JSON.parse(text).reason, text];
    }""", [method, path, body])


def article(page, text):
    return page.locator(".rows article", has_text=text)


def run(table, browser, center, options):
    owner = center.owner
    owner.call(VAULT, "setCategories", categories=[CATEGORY])
    owner.ask("POST", f"/v1/apps/{VAULT}/authorization", {"decision": "allow"})
    tell(center, "Before the lock", **{"thread-id": "lock"})
    with lock_view(browser, center) as (visit, page):
        with row(table, "a link of its own makes a browser a lock view, with a clock and nothing of the past") as seen:
            assert page.url.endswith("/lock"), page.url
            seen.append(page.locator(".clock").inner_text().replace("\n", ", "))
            assert page.locator(".rows article").count() == 0, "it shows what was there before"
        with row(table, "what comes is there, and of a stack what is new"):
            tell(center, "At the lock", **{"thread-id": "lock"})
            expect(article(page, "At the lock")).to_be_visible()
            expect(article(page, "At the lock").locator("footer")).to_have_count(0)
            tell(center, "Again at the lock", **{"thread-id": "lock"})
            expect(article(page, "Again at the lock").locator("footer")).to_have_text("1 more")
        with row(table, "hidden previews are nowhere: not on the page, not in an answer, not in memory") as seen:
            answers = []
            visit.context.on("response", lambda answer: answers.append(answer) if "/v1/" in answer.url else None)
            for number in range(100):
                text = f"{NAME} {number}"
                keep(center, text, ("whenAuthenticated", "never")[number // 50], **{
                    "alert": {"title": text, "subtitle": text, "body": text, "summary-arg": text}, "thread-id": text})
            expect(page.locator(".rows article", has_text="Notification")).to_have_count(100)
            # Streams have no end; what they told is in memory.
            bodies = "".join(each.text() for each in answers if "/events" not in each.url)
            memory = heap(visit, page)
            seen.append(f"{len(answers)} answers, {len(bodies)} bytes, {len(memory) >> 20} MiB of memory")
            assert len(bodies) > 10000 and "Snooze" in memory, "nothing was looked at"
            places = {"page": page.content(), "answers": bodies, "memory": memory}
            assert not (found := [name for name, text in places.items() if NAME in text]), f"in {found}"
        with row(table, "an action that asks for authentication is refused, by the page and by the centre"):
            card = page.locator(".rows article").first
            card.get_by_role("button", name="Pay").click()
            expect(page.locator(".note")).to_have_text("Unlock first. This action is not for a lock view.")
            number = owner.items("/v1/notifications?limit=1")[0]["id"]
            answer = fetch(page, "POST", f"/v1/notifications/{number}/responses", {"action": "pay"})
            assert answer[:2] == [403, "needsAuthentication"], answer
        with row(table, "another one is taken, and a row is dismissed unless it is taken back"):
            rows = page.locator(".rows article")
            rows.first.get_by_role("button", name="Snooze").click()
            expect(rows).to_have_count(100)
            rows.first.get_by_role("button", name="Dismiss").click()
            rows.first.get_by_role("button", name="Undo").click()
            expect(rows.first.get_by_role("button", name="Snooze")).to_be_visible()
            rows.first.get_by_role("button", name="Dismiss").click()
            expect(rows).to_have_count(99)
        with row(table, "what is removed elsewhere goes"):
            owner.ask("DELETE", f"/v1/notifications?app={VAULT}")
            expect(page.locator(".rows article")).to_have_count(1)
        with row(table, "its session hides by itself, and has no other page"):
            keep(center, NAME, "never", alert={"title": NAME, "body": NAME})
            status, _, text = fetch(page, "GET", "/v1/front?limit=200")
            assert status == 200 and NAME not in text and "hidden" in text, text[:200]
            assert fetch(page, "PATCH", "/v1/owner", {"language": "pt"})[:2] == [403, "scope"]
            other = visit.tab()
            other.wait_for_url("**/lock")
            other.close()
        with row(table, "no script of it failed, and no rule of the page was broken"):
            assert not visit.complaints, visit.complaints[0]
    with signed_in(browser, center) as (visit, page):
        with row(table, "a person's own browser asks for no more than a lock view is told") as seen:
            asked = []
            other = visit.tab(f"{center.scheme}://{center.authority}/lock")
            other.on("request", lambda request: asked.append(request.url) if TELLING.search(request.url) else None)
            other.reload()
            expect(other.locator(".below a")).to_be_visible()
            keep(center, NAME + " behind", "whenAuthenticated", alert={"title": NAME, "body": NAME})
            # The list in the other tab is told all of it, and this one is told nothing by it.
            expect(page.locator("article", has_text=NAME).first).to_be_visible()
            expect(other.locator(".rows article")).to_have_count(1)
            seen.append(f"{len(asked)} questions")
            assert len(asked) >= 3 and all("surface=lock" in each for each in asked), asked
            assert NAME not in heap(visit, other), "it is in memory"
        owner.ask("DELETE", f"/v1/notifications?app={VAULT}")
    with signed_in(browser, center) as (visit, page):
        with row(table, "a browser that becomes a lock view is one in all its tabs"):
            visit.tab(link(center))
            page.wait_for_url("**/lock")
            expect(page.locator(".clock time")).not_to_be_empty()
            assert page.locator("article").count() == 0, "it shows what was there before"
    with lock_view(browser, center) as (visit, page):
        with row(table, "words that are hidden meanwhile go from a row in which a text is being written"):
            owner.ask("PATCH", f"/v1/apps/{APPS[1]}/settings", {"previews": "always"})
            tell(center, NAME, category="message", **{"thread-id": "open field"})
            card = article(page, NAME)
            card.get_by_role("button", name="Reply").click()
            card.get_by_role("textbox").fill("On my way")
            owner.ask("PATCH", f"/v1/apps/{APPS[1]}/settings", {"previews": "never"})
            expect(page.locator(".rows article", has_text="Notification")).to_be_visible()
            # What was said to whoever cannot see it goes after three seconds.
            expect(page.locator("[aria-live=polite]")).to_be_empty()
            found = page.content().find(NAME)
            assert found < 0, page.content()[found - 150:found + 30]
            expect(page.get_by_role("textbox")).to_have_value("On my way")
            owner.ask("PATCH", f"/v1/apps/{APPS[1]}/settings", {"previews": "always"})
    looks(table, browser, center, options)


def looks(table, browser, center, options):
    for width, locale, title in ((320, "es-ES", "Vista de bloqueo"), (390, "pt-BR", "Tela de bloqueio"),
                                 (1280, "en-US", "Lock view")):
        view = {"viewport": {"width": width, "height": 700}, "locale": locale, "bypass_csp": True}
        with lock_view(browser, center, **view) as (visit, page):
            with row(table, f"nothing that axe finds, and nothing wider than the screen, {width}, {locale}") as seen:
                expect(page).to_have_title(title)
                keep(center, f"Door {width}", "never", alert={"title": "Door", "body": "Somebody is at the door"})
                tell(center, f"Lunch at {width}", category="message", **{"thread-id": f"lunch {width}"})
                tell(center, f"Dinner at {width}", category="message", **{"thread-id": f"lunch {width}"})
                expect(page.locator(".rows footer")).to_be_visible()
                expect(page.locator(".rows article")).to_have_count(2)
                picture(page, options, f"lock-{width}")
                results = Axe().run(page).response
                faults = [f"{fault['id']}: {fault['nodes'][0]['html'][:80]}" for fault in results["violations"]]
                found = page.locator("html").evaluate("element => element.scrollWidth")
                seen.append(f"{len(results['passes'])} rules, {found} points")
                assert not faults and found <= width, (faults, found)
    # What the next part finds is as it was.
    owner = center.owner
    owner.ask("PATCH", f"/v1/apps/{VAULT}/settings", {"previews": "always"})
    owner.ask("DELETE", f"/v1/notifications?app={VAULT}")
