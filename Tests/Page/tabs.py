# SPDX-License-Identifier: Apache-2.0
"""Many tabs of one browser, which share one stream of events, and a centre that goes away."""

from center import APPS, Center
from playwright.sync_api import expect
from visit import link, row, signed_in

# More than the connections that a browser gives one site.
COUNT = 11


def tell(center, title):
    center.owner.call(APPS[1], "add", request={"identifier": title, "payload": {"aps": {"alert": {"title": title}}}})


def all_live(table, what, visit, pages):
    """The row of tabs that all show what comes, of which one reads."""
    with row(table, what) as seen:
        for page in pages:
            expect(page.locator("article").first).to_be_visible()
        tell(visit.center, "To all tabs")
        for page in pages:
            expect(page.locator("article", has_text="To all tabs")).to_be_visible()
        seen.append(f"{len(visit.streams)} stream")
        assert len(visit.streams) == 1, "more than one tab reads"


def run_tls(table, browser, programs):
    """The same tabs at a centre with TLS, whose certificate the browser takes though nobody vouches for it."""
    center = Center(programs, has_tls=True)
    try:
        center.owner.seed()
        with signed_in(browser, center, ignore_https_errors=True) as (visit, first):
            pages = [first] + [visit.tab() for _ in range(COUNT - 1)]
            all_live(table, f"{COUNT} tabs are live over TLS", visit, pages)
            with row(table, "the cookie is the host's alone, and goes over TLS alone") as seen:
                cookie, = visit.context.cookies()
                seen.append(cookie["name"])
                flags = [cookie[flag] for flag in ("name", "secure", "httpOnly", "sameSite", "path")]
                assert flags == ["__Host-nestbox", True, True, "Strict", "/"], f"it is {flags}"
                assert cookie["domain"] == center.name, "it goes to other hosts"
            with row(table, "no tab over TLS complains"):
                assert not visit.complaints, "; ".join(visit.complaints)
    finally:
        center.close()


def run_restored(table, browser, center):
    """Tabs that begin at once, as a browser's do that was ended: each wants to read, and all are to hear."""
    with signed_in(browser, center) as (visit, first):
        first.goto("about:blank")
        visit.streams.clear()
        pages = [first] + [visit.context.new_page() for _ in range(5)]
        for page in pages:
            page.evaluate("address => { setTimeout(() => location.assign(address)); }",
                          f"{center.scheme}://{center.authority}/")
        for page in pages:
            page.wait_for_url("**/")
        all_live(table, f"{len(pages)} tabs that begin at once are live", visit, pages)


def run(table, browser, center, options):
    run_tls(table, browser, options.programs)
    run_restored(table, browser, center)
    with signed_in(browser, center) as (visit, first):
        pages = [first] + [visit.tab() for _ in range(COUNT - 1)]
        all_live(table, f"{COUNT} tabs are live", visit, pages)
        with row(table, "the tab that reads is closed, and another one reads") as seen:
            pages.pop(0).close()
            tell(center, "After the first")
            for page in pages:
                expect(page.locator("article", has_text="After the first")).to_be_visible()
            seen.append(f"{len(visit.streams)} streams in all")
            assert len(visit.streams) == 2, "not one of them reads"
        with row(table, "one tab dismisses, and all have it gone"):
            card = pages[3].locator("article", has_text="After the first")
            card.get_by_role("button", name="Dismiss").click()
            for page in pages:
                expect(page.locator("article", has_text="After the first")).to_have_count(0)
        with row(table, "a session that is ended elsewhere ends in every tab"):
            for item in center.owner.items("/v1/sessions"):
                center.owner.ask("DELETE", f"/v1/sessions/{item['id']}")
            for page in pages:
                expect(page.get_by_role("alert")).to_be_visible()
                expect(page.locator("article")).to_have_count(0)
        with row(table, "a tab signs in, and the others with it"):
            pages[0].goto(link(center))
            for page in pages:
                expect(page.locator("article").first).to_be_visible()
