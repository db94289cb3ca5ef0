# SPDX-License-Identifier: Apache-2.0
"""What the browser shows while the page is in the background, and where a press on it leads."""

import contextlib
import time

from banners import PIECES, answers
from center import APPS
from playwright.sync_api import expect
from surfaces import Surface, banner, says, tell
from visit import PATIENCE, row, signed_in

# What no notice may say while previews are hidden.
CANARY = "Canary of the canal"
# A browser in which nobody was asked yet, and what asks.
UNASKED = """
    window.asked = 0;
    Object.defineProperty(Notification, "permission", { get: () => window.answer ?? "default" });
    Notification.requestPermission = async () => { window.asked += 1; return (window.answer = "granted"); };
"""
# A press as the browser tells its worker; only a person's own press may bring a window to the front.
PRESS = """async (action) => {
    const [notification] = await registration.getNotifications();
    const event = new NotificationEvent("notificationclick", { notification, action });
    const work = [];
    Object.defineProperty(event, "waitUntil", { value: (promise) => work.push(promise) });
    dispatchEvent(event);
    const [{ status, reason }] = await Promise.allSettled(work);
    return status === "fulfilled" ? "done" : reason.name;
}"""


def hide(page, *, is_hidden=True):
    """Has a tab believe that it is in the background, or in front."""
    page.evaluate("""(isHidden) => {
        const set = (name, value) => Object.defineProperty(document, name, { value, configurable: true });
        set("visibilityState", isHidden ? "hidden" : "visible");
        set("hasFocus", () => !isHidden);
        document.dispatchEvent(new Event("visibilitychange"));
    }""", is_hidden)


def shown(page):
    """The browser's notifications of the page."""
    return page.evaluate("""async () => {
        const registration = await navigator.serviceWorker.getRegistration();
        const all = await registration?.getNotifications() ?? [];
        return all.map(({ tag, title, body, silent, requireInteraction, actions, data }) =>
            ({ tag, title, body, silent, requireInteraction, actions: actions.map(({ title }) => title), data }));
    }""")


def until(page, test):
    """Waits until what the browser shows is as it should be, and returns it."""
    end = time.monotonic() + PATIENCE / 1000
    while not test(found := shown(page)):
        assert time.monotonic() < end, f"the browser shows {found}"
        page.wait_for_timeout(100)
    return found


def titled(title):
    return lambda found: len(found) == 1 and title in found[0]["title"]


def press(visit, action=""):
    return visit.context.service_workers[0].evaluate(PRESS, action)


def offers(table, browser, center):
    with signed_in(browser, center) as (visit, page):
        visit.context.add_init_script(UNASKED)
        page.reload()
        with row(table, "the line that offers notices is closed for ever"):
            offer = page.locator(".offer")
            offer.get_by_role("button", name="No, thanks").click()
            expect(offer).to_be_hidden()
            # Whoever closes it stays where they are.
            expect(page.locator("h1")).to_be_focused()
            assert page.evaluate("scrollY") == 0, "the page moved"
            page.reload()
            expect(page.locator("article").first).to_be_visible()
            expect(offer).to_be_hidden()
            assert page.evaluate("window.asked") == 0, "the browser was asked"
        with row(table, "settings of the browser ask it, by a press, and switch it off again"):
            page.locator(".browser summary").click()
            box = page.get_by_label("Notifications while the page is in the background")
            expect(box).not_to_be_checked()
            box.click()
            expect(box).to_be_checked()
            assert page.evaluate("window.asked") == 1
            visit.said.clear()
            hide(page)
            says(visit, page, visible=False, banners=True)
            box.uncheck()
            says(visit, page, visible=False, banners=False)
        with row(table, "sounds are switched off, and no line asks for a press then"):
            box = page.locator(".browser").get_by_label("Sounds")
            box.uncheck()
            says(visit, page, sound=False)
            box.check()
            says(visit, page, sound=True)
        with row(table, "no script but the worker is made of a text"):
            faults = page.evaluate("""() => {
                const names = [];
                for (const body of [
                    () => trustedTypes.createPolicy("centre", {}), () => trustedTypes.createPolicy("other", {}),
                    () => navigator.serviceWorker.register("/sw.js"),
                ]) { try { body(); names.push("done"); } catch (error) { names.push(error.name); } }
                return names;
            }""")
            assert faults[:2] == ["TypeError", "TypeError"], faults


def run(table, browser, center, options):
    offers(table, browser, center)
    owner = center.owner
    with signed_in(browser, center, permissions=["notifications"]) as (visit, page):
        hide(page)
        says(visit, page, visible=False, focused=False, banners=True)
        with row(table, "in the background the browser shows what comes, once a stack") as seen:
            tell(center, "Behind one", category="message")
            first, = until(page, titled("Behind one"))
            assert page.locator(".banner").count() == 0, "the page shows a banner as well"
            tell(center, "Behind two", category="message")
            notice, = until(page, titled("Behind two"))
            assert notice["tag"] == first["tag"] == notice["data"]["stack"], "another stack"
            assert notice["body"] == "At one" and notice["actions"] == ["Reply", "Done"], notice
            seen.append(notice["title"])
        with row(table, "a press brings the page to its row"):
            page.wait_for_timeout(300)
            assert press(visit) in ("done", "InvalidAccessError")
            expect(page.locator(".notification.found", has_text="Behind two")).to_be_focused()
            until(page, lambda found: found == [])
        with row(table, "a press on an action answers it"):
            tell(center, "Behind three", category="message")
            until(page, titled("Behind three"))
            assert press(visit, "done") == "done"
            expect(page.locator("article", has_text="Behind three")).to_have_count(0)
        with row(table, "a press on an action with a text opens its field"):
            tell(center, "Behind four", category="message")
            until(page, titled("Behind four"))
            press(visit, "reply")
            field = page.locator("article", has_text="Behind four").get_by_role("textbox")
            expect(field).to_be_focused()
            field.fill(PIECES)
            field.press("Enter")
            answers(center, APPS[1], PIECES)
        with row(table, "one that is gone meanwhile is said to be"):
            tell(center, "Behind five")
            notice, = until(page, titled("Behind five"))
            # The browser shows it though the centre has it no more, as when the page was closed.
            page.evaluate("""async ({ data, tag }) => {
                const registration = await navigator.serviceWorker.getRegistration();
                await registration.showNotification("Gone", { tag: "gone", data: { ...data, id: "1" } });
            }""", notice)
            owner.ask("DELETE", f"/v1/notifications/{notice['data']['id']}")
            until(page, titled("Gone"))
            press(visit)
            expect(page.locator(".remark")).to_have_text("This notification is not there any more.")
        with row(table, "what is removed or seen elsewhere goes at once"):
            tell(center, "Behind six")
            notice, = until(page, titled("Behind six"))
            owner.ask("DELETE", f"/v1/notifications/{notice['data']['id']}")
            until(page, lambda found: found == [])
            tell(center, "Behind seven")
            notice, = until(page, titled("Behind seven"))
            owner.ask("PUT", "/v1/seen", {"number": notice["data"]["id"]})
            until(page, lambda found: found == [])
        with row(table, "hidden previews show the placeholder alone") as seen:
            for previews in ("whenAuthenticated", "never"):
                owner.ask("PATCH", f"/v1/apps/{APPS[1]}/settings", {"previews": previews})
                tell(center, CANARY, alert={"title": CANARY, "subtitle": CANARY, "body": CANARY})
                notice, = until(page, lambda found: len(found) == 1)
                seen.append(f"{notice['title']}: {notice['body']}")
                assert notice["body"] == "Notification" and CANARY not in str(notice), notice
                owner.ask("DELETE", f"/v1/notifications/{notice['data']['id']}")
                until(page, lambda found: found == [])
            owner.ask("PATCH", f"/v1/apps/{APPS[1]}/settings", {"previews": "always"})
        with row(table, "what matters stays, and rings if the page cannot") as seen:
            tell(center, "Behind nine", **{"interruption-level": "time-sensitive"})
            notice, = until(page, titled("Behind nine"))
            seen.append("silent" if notice["silent"] else "rings")
            assert notice["requireInteraction"], notice
            can_play = visit.said[-1]["sound"]
            assert notice["silent"] == can_play, f"silent {notice['silent']}, the page plays {can_play}"
        with row(table, "a desktop goes before a page in the background, until it ends"):
            with contextlib.closing(Surface(center, "desktop")):
                page.wait_for_timeout(300)
                tell(center, "For the desktop")
                page.wait_for_timeout(2500)
                assert titled("Behind nine")(shown(page)), "the browser shows it as well"
            page.wait_for_timeout(300)
            tell(center, "For the browser")
            until(page, titled("For the browser"))
        with row(table, "a page that comes to the front shows banners itself"):
            hide(page, is_hidden=False)
            says(visit, page, visible=True, focused=True)
            tell(center, "In front")
            expect(banner(page, "In front")).to_be_visible()
            assert not any("In front" in notice["title"] for notice in shown(page)), "the browser shows it as well"
        with row(table, "who signs out leaves no notice"):
            hide(page)
            says(visit, page, visible=False)
            tell(center, "Before the end")
            until(page, titled("Before the end"))
            page.get_by_role("button", name="Sign out").click()
            until(page, lambda found: found == [])
        with row(table, "no script failed that shows notices"):
            assert not visit.complaints, visit.complaints[0]
