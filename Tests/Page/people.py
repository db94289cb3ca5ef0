# SPDX-License-Identifier: Apache-2.0
"""What a person does on the page: signs in, reads, answers, dismisses, decides, signs out."""

import threading
import time

import host
from center import APPS, png, tone
from playwright.sync_api import expect
from visit import PATIENCE, Visit, link, row, signed_in


def articles(page, text):
    return page.locator("article", has_text=text)


def hear(page):
    """Has the page note in `window.played` what it plays: the address of a sound, or "tone"."""
    page.evaluate("""() => {
        window.played = [];
        const play = Audio.prototype.play;
        HTMLMediaElement.prototype.play = function () { window.played.push(this.src); return play.call(this); };
        const start = OscillatorNode.prototype.start;
        OscillatorNode.prototype.start = function (...given) {
            window.played.push("tone");
            return start.apply(this, given);
        };
    }""")


def first_played(page):
    """What the page played first; asked again and again, because the page lets nobody compile a condition."""
    end = time.monotonic() + PATIENCE / 1000
    while not page.evaluate("window.played.length"):
        assert time.monotonic() < end, "nothing was played"
        page.wait_for_timeout(50)
    return page.evaluate("window.played[0]")


def run(table, browser, center, options):
    owner = center.owner
    with row(table, "a link signs a browser in, once"):
        address = link(center)
        visit = Visit(browser, center)
        page = visit.tab(address)
        expect(page.locator("article").first).to_be_visible()
        assert "#" not in page.url, page.url
        other = Visit(browser, center)
        expect(other.tab(address).get_by_role("alert")).to_contain_text("This link was used")
        other.close()
        visit.close()
    with signed_in(browser, center) as (visit, page):
        with row(table, "stacks with their summaries, and all of a stack"):
            stack = page.locator("article.stack").first
            expect(stack.locator("footer span")).to_contain_text("1 more notification from Alice")
            stack.get_by_role("button", name="Show all").click()
            expect(page.locator("article:has(.notification:nth-child(2))").first).to_be_visible()
        with row(table, "what comes is there without a reload"):
            owner.call(APPS[2], "add", request={
                "identifier": "live", "payload": {"aps": {"alert": {"title": "Live <b>&amp;</b>", "body": "\u202eab"}}}})
            card = articles(page, "Live <b>&amp;</b>")
            expect(card).to_be_visible()
            expect(card.locator("h2 b")).to_have_count(0)
        with row(table, "a reply reaches its app, and its notification goes"):
            owner.call(APPS[0], "add", request={"identifier": "ask", "payload": {
                "aps": {"alert": {"title": "Reply to me"}, "thread-id": "reply", "category": "message"}}})
            card = articles(page, "Reply to me")
            card.get_by_role("button", name="Reply").click()
            card.get_by_role("textbox").fill("At one \U0001f44b")
            card.get_by_role("textbox").press("Enter")
            expect(card).to_have_count(0)
            token = owner.token([f"app:{APPS[0]}"])
            head, response, connection = center.stream(f"/v1/app/{APPS[0]}/events", token)
            lines = (response.readline().decode() for _ in range(200))
            assert head.status == 200 and any("At one \U0001f44b" in line for line in lines), "no response"
            connection.close()
        with row(table, "a notification is dismissed"):
            card = articles(page, "Live <b>")
            card.get_by_role("button", name="Dismiss").click()
            expect(card).to_have_count(0)
        with row(table, "a picture is shown, and a file that is none is said"):
            picture = page.locator("article img:not(.icon)").first
            expect(picture).to_be_visible()
            expect(picture).to_have_js_property("naturalWidth", 1)
        with row(table, "a page of HTML that is called a picture is not taken") as seen:
            answer = owner.attach(APPS[0], body=b"<html><script>alert(1)</script></html>")
            seen.append(f"{answer.status} {answer.reason}")
            assert answer.status == 422, answer.body
        with row(table, "an app has its picture beside its name, without a reload"):
            host.introduce(center, APPS[0], "Chat", [(None, png()), ("Ding 1.wav", tone()), ("broken.mp3", b"ID3")])
            icon = page.locator(f"[title='{APPS[0]}'] img.icon").first
            expect(icon).to_have_js_property("naturalWidth", 1)
            expect(page.locator(f"[title='{APPS[0]}']").first).to_have_text("Chat")
            expect(page.locator(f"[title='{APPS[1]}']").first).to_be_visible()
            expect(page.locator(f"[title='{APPS[1]}'] img.icon")).to_have_count(0)
        with row(table, "its sound is played, and one that cannot be is the page's own") as seen:
            hear(page)
            for name, what in (("Ding 1.wav", "/sounds/Ding%201.wav"), ("broken.mp3", "tone"), ("default", "tone")):
                page.evaluate("window.played = []")
                owner.call(APPS[0], "add", request={"identifier": name, "payload": {
                    "aps": {"alert": {"title": name}, "thread-id": "sounds", "sound": name}}})
                played = first_played(page)
                seen.append(played.rsplit("/", 1)[-1])
                assert played.endswith(what), played
                # One a second.
                page.wait_for_timeout(1200)
        with row(table, "a tab in which nobody has done anything says that it is quiet"):
            # What drives this browser counts as a person's doing.
            visit.context.add_init_script(
                "Object.defineProperty(navigator, 'userActivation', { value: { hasBeenActive: false } })")
            other = visit.tab()
            expect(other.locator("article").first).to_be_visible()
            owner.call(APPS[0], "add", request={"identifier": "quiet", "payload": {
                "aps": {"alert": {"title": "Quiet"}, "thread-id": "sounds", "sound": "default"}}})
            note = other.get_by_text("Sound is off until you click.")
            expect(note).to_be_visible()
            other.locator("h1").click()
            expect(note).to_be_hidden()
            other.close()
        with row(table, "an app asks, and shows nothing before a person allows it, but for its sounds") as seen:
            expect(page.locator("article.question")).to_have_count(0)
            asking = "com.example.asks"
            asked = threading.Thread(target=owner.call, args=(asking, "authorize"),
                                     kwargs={"options": ["alert", "sound", "badge"]})
            asked.start()
            question = page.locator("article.question", has_text=asking)
            expect(question.get_by_role("checkbox")).to_have_count(3)
            refused = owner.call(asking, "add", request={"identifier": "early", "payload": {"aps": {"alert": "Early"}}})
            seen.append(f"{refused.status} {refused.reason}")
            assert refused.reason == "notAllowed", refused.body
            question.get_by_label("Sounds").focus()
            page.keyboard.press("Escape")
            page.reload()
            question.get_by_label("Sounds").uncheck()
            question.get_by_role("button", name="Allow", exact=True).click()
            expect(question).to_have_count(0)
            asked.join(PATIENCE / 1000)
            assert not asked.is_alive(), "the app hears nothing"
            told = owner.call(asking, "settings").object
            seen.append(f"sound {told['settings']['sound']}")
            assert [told["settings"][part] for part in ("sound", "alert", "badge")] == [
                "disabled", "enabled", "enabled"], told
        with row(table, "an app on trial is kept, and another one turned off, below its first row") as seen:
            for trial in ("com.example.trial", "com.example.error"):
                owner.call(trial, "authorize", options=["alert", "provisional"])
                for number in range(2):
                    owner.call(trial, "add", request={"identifier": f"{trial} {number}", "payload": {
                        "aps": {"alert": {"title": f"On trial {number}"}, "thread-id": str(number)}}})
                expect(articles(page, trial)).to_have_count(2)
                asking = page.locator(".trial", has_text=f"Keep receiving notifications from “{trial}”?")
                expect(asking).to_have_count(1)
                expect(articles(page, trial).first.locator(".trial")).to_be_visible()
                asking.get_by_role("button", name="Keep" if trial.endswith("trial") else "Turn off").click()
                expect(asking).to_be_hidden()
            expect(articles(page, "com.example.error")).to_have_count(0)
            states = {app["app"]: app["status"] for app in owner.ask("GET", "/v1/apps").object["apps"]}
            seen.append(f"{states['com.example.trial']}, {states['com.example.error']}")
            assert seen == ["authorized, denied"], seen
        with row(table, "who signs out sees nothing more"):
            page.get_by_role("button", name="Sign out").click()
            expect(page.get_by_role("alert")).to_be_visible()
            expect(page.locator("article")).to_have_count(0)
            page.reload()
            expect(page.locator("article")).to_have_count(0)
        with row(table, "no script failed, and no rule of the page was broken") as seen:
            seen.append(f"{len(visit.complaints)} complaints")
            assert not visit.complaints, visit.complaints[0]
