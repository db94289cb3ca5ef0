# SPDX-License-Identifier: Apache-2.0
"""The settings that apps have themselves: an app offers them, a person goes there, and is told why not."""

import host
from playwright.sync_api import expect
from surfaces import into_sight
from visit import row, signed_in

# An app that is a page of its own, and one that nothing starts.
WEB, LOCAL = "com.example.web", "com.example.local"
ADDRESS = "https://settings.example.org/"
SENTENCES = {
    "en-US": ("Settings in the app", "Settings in apps", "This app is not running"),
    "es-ES": ("Ajustes en la app", "Ajustes en las apps", "Esta app no se está ejecutando"),
    "pt-BR": ("Ajustes no app", "Ajustes nos apps", "Este app não está em execução"),
}


def introduce(center):
    """Two apps that have settings of their own, each with a notification."""
    for topic, more in ((LOCAL, {}), (WEB, {"url": ADDRESS})):
        center.owner.ask("POST", f"/v1/apps/{topic}/authorization", {"decision": "allow"})
        host.introduce(center, topic, topic.rsplit(".", 1)[1].capitalize(), authorization="granted", **more)
        center.owner.call(topic, "authorize", options=["alert", "providesAppNotificationSettings"])
        alert = {"title": f"Of {topic}", "body": "At one"}
        center.owner.call(topic, "add", request={"identifier": "one", "payload": {"aps": {"alert": alert}}})


def open_menu(page, topic):
    card = into_sight(page, f"Of {topic}")
    card.locator(".menu summary").click()
    return card.locator(".menu button", has_text="Settings in the app")


def run(table, browser, center, options):
    with signed_in(browser, center) as (visit, page):
        with row(table, "an app without settings of its own offers none"):
            expect(page.locator("details.apps")).to_be_hidden()
            expect(page.locator(".menu button", has_text="Settings in the app")).to_have_count(0)
        with row(table, "an app that has some is offered as they come, without a reload"):
            introduce(center)
            expect(page.locator("details.apps")).to_be_visible()
            expect(page.locator(".menu button", has_text="Settings in the app")).to_have_count(2)
        with row(table, "one that is a page is opened, from its entry and from a notification") as seen:
            visit.context.route(ADDRESS + "**", lambda route: route.fulfill(body="there", content_type="text/plain"))
            page.locator("details.apps summary").click()
            for press in (
                lambda: page.get_by_role("button", name="Settings in the app: Web").click(),
                lambda: open_menu(page, WEB).click(),
            ):
                with visit.context.expect_page() as opened:
                    press()
                opened.value.wait_for_url(ADDRESS + "**")
                seen.append(opened.value.url)
                assert opened.value.evaluate("opener") is None, "it could reach the page"
                opened.value.close()
        with row(table, "the menu is opened and closed by keys"):
            menu = into_sight(page, f"Of {LOCAL}").locator(".menu")
            menu.locator("summary").focus()
            page.keyboard.press("Enter")
            expect(menu.locator("button")).to_have_count(2)
            for button in menu.locator("button").all():
                page.keyboard.press("Tab")
                expect(button).to_be_focused()
            page.keyboard.press("Escape")
            expect(menu.locator("button").first).to_be_hidden()
            expect(menu.locator("summary")).to_be_focused()
        with row(table, "no script failed that opens settings"):
            assert not visit.complaints, visit.complaints[0]
    for locale, (action, title, sentence) in SENTENCES.items():
        with signed_in(browser, center, locale=locale) as (_, page):
            with row(table, f"an app that nothing starts is explained, {locale[:2]}"):
                expect(page.locator("details.apps summary")).to_have_text(title)
                page.locator("details.apps summary").click()
                page.get_by_role("button", name=f"{action}: {LOCAL}").click()
                expect(page.locator(".remark")).to_contain_text(sentence)
