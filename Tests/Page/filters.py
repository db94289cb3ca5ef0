# SPDX-License-Identifier: Apache-2.0
"""The filter by app above the list: what it hides, what it leaves alone, and how it is reached and left."""

from badges import until
from center import APPS
from playwright.sync_api import expect
from surfaces import banner, comes, says, tell
from visit import row, signed_in


def shown(page):
    """The apps whose rows are in the list."""
    return set(page.locator("article .app").evaluate_all("all => all.map(element => element.title)"))


def counts(owner, topic):
    """How many notifications an app has in the list, and how many there are."""
    stacks = owner.ask("GET", "/v1/front?limit=200").object["stacks"]
    return sum(s["count"] for s in stacks if s["app"] == topic), sum(s["count"] for s in stacks)


def run(table, browser, center, options):
    owner = center.owner
    with signed_in(browser, center) as (visit, page):
        choice, count = page.get_by_role("combobox", name="Show", exact=True), page.locator(".filter .count")

        def unseen():
            return owner.ask("GET", "/v1/front?limit=1").object["unseen"]

        def says_count():
            few, all_of_them = counts(owner, APPS[0])
            expect(count).to_have_text(f"{few} of {all_of_them} shown")
            return f"{few} of {all_of_them}"

        with row(table, "a filter hides what is of other apps, and counts") as seen:
            assert {APPS[0], APPS[1]} <= shown(page), shown(page)
            expect(count).to_be_empty()
            until(page, "something is not seen", lambda: unseen() == 0)
            choice.select_option(APPS[0])
            seen.append(says_count())
            assert shown(page) == {APPS[0]}, shown(page)
            rows = page.locator("[role=feed] > article")
            assert rows.first.get_attribute("aria-setsize") == str(rows.count())
        with row(table, "what comes of another app is counted, and has its banner alone") as seen:
            says(visit, page, visible=True, focused=True, banners=True)
            tell(center, "Of another app")
            expect(banner(page, "Of another app")).to_be_visible()
            seen.append(says_count())
            expect(page.locator("article", has_text="Of another app")).to_have_count(0)
        with row(table, "what it hides is not seen, nor what would have it seen as well"):
            owner.add(APPS[0], "filtered")
            expect(page.locator("article", has_text=f"Lunch {owner.sent}?")).to_be_visible()
            says_count()
            page.wait_for_timeout(2000)
            assert unseen() == 2, unseen()
            expect(page).to_have_title("(2) Notifications")
        with row(table, "a reload keeps it, and another tab has none"):
            page.reload()
            says_count()
            assert shown(page) == {APPS[0]}, shown(page)
            other = visit.tab()
            comes(other, "Of another app")
            other.close()
        with row(table, "a notice leads to a row that it hides"):
            stack = next(s for s in owner.ask("GET", "/v1/front?limit=200").object["stacks"] if s["app"] == APPS[1])
            page.goto("about:blank")
            page.goto(f"http://{center.authority}/#id={stack['leading']['id']}&stack={stack['id']}")
            expect(page.locator(".notification.found", has_text="Of another app")).to_be_focused()
            expect(choice).to_have_value("")
        with row(table, "/ leads to it, and Escape shows all again"):
            page.keyboard.press("/")
            expect(choice).to_be_focused()
            choice.select_option(APPS[0])
            expect(page.locator("article", has_text="Of another app")).to_have_count(0)
            page.keyboard.press("Escape")
            expect(page.locator(".notification:focus")).to_contain_text("Of another app")
            expect(choice).to_have_value("")
            expect(count).to_be_empty()
            until(page, "all is shown, and something is not seen", lambda: unseen() == 0)
        with row(table, "a row that is being answered is there again behind it"):
            tell(center, "Written behind", category="message", **{"thread-id": "behind"})
            card = page.locator("article", has_text="Written behind")
            card.get_by_role("button", name="Reply").click()
            card.get_by_role("textbox").fill("At one")
            choice.select_option(APPS[0])
            expect(card).to_have_count(0)
            choice.select_option("")
            expect(card.get_by_role("textbox")).to_have_value("At one")
            card.get_by_role("textbox").press("Escape")
        with row(table, "one app alone needs none") as seen:
            apps = [app["app"] for app in owner.ask("GET", "/v1/apps").object["apps"] if app["stored"] > 0]
            choice.select_option(APPS[0])
            for app in apps:
                if app != APPS[0]:
                    owner.ask("DELETE", f"/v1/notifications?app={app}")
            expect(choice).to_be_hidden()
            seen.append(f"{len(apps)} apps before")
            owner.seed()
            expect(choice).to_be_visible()
            choice.select_option("")
        with row(table, "no script failed that filters"):
            assert not visit.complaints, visit.complaints[0]
    for locale, name in (("es-ES", "Todas las apps"), ("pt-BR", "Todos os apps")):
        with signed_in(browser, center, locale=locale) as (_, page):
            with row(table, f"the filter speaks {locale[:2]}"):
                expect(page.locator(".filter option").first).to_have_text(name)
