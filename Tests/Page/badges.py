# SPDX-License-Identifier: Apache-2.0
"""What tells of the page while nobody looks at it: title, icon, and the badge of the app; and when it is seen."""

import time

from center import APPS
from notices import hide
from playwright.sync_api import expect
from surfaces import comes, says, tell
from visit import PATIENCE, row, signed_in

# Notes what the page has the browser show beside its icon.
NOTE = """
    window.badges = [];
    navigator.setAppBadge = async (count) => { window.badges.push(count); };
    navigator.clearAppBadge = async () => { window.badges.push(0); };
"""


def until(page, what, body, patience=PATIENCE / 1000):
    end = time.monotonic() + patience
    while not (found := body()):
        assert time.monotonic() < end, what
        page.wait_for_timeout(50)
    return found


def run(table, browser, center, options):
    owner = center.owner

    def front():
        return owner.ask("GET", "/v1/front?limit=1").object

    with signed_in(browser, center) as (visit, page):
        visit.context.add_init_script(NOTE)
        page.reload()
        icon = page.locator("link[rel=icon]")
        with row(table, "the badge of the page is the sum of the apps' badges, at once") as seen:
            for count in (7, 0):
                owner.call(APPS[0], "badge", count=count)
                total = front()["badge"]
                until(page, f"it is not {total}", lambda: page.evaluate("window.badges.at(-1)") == total)
                seen.append(f"{total}")
        with row(table, "who looks at the newest has seen it, and title and icon say so"):
            tell(center, "Seen")
            comes(page, "Seen")
            until(page, "it is not seen", lambda: front()["unseen"] == 0)
            expect(page).to_have_title("Notifications")
            expect(icon).to_have_attribute("href", "/icon.svg")
        with row(table, "in the background nothing is seen, and title and icon count") as seen:
            hide(page)
            says(visit, page, visible=False)
            for number in range(3):
                tell(center, f"Unseen {number}")
            expect(page).to_have_title("(3) Notifications")
            expect(icon).to_have_attribute("href", "/unseen.svg")
            page.wait_for_timeout(1500)
            assert front()["unseen"] == 3, front()["unseen"]
            seen.append(page.title())
        with row(table, "both icons are pictures of the centre's own"):
            sizes = page.evaluate("""async () => Promise.all(["/icon.svg", "/unseen.svg"].map(async (src) => {
                const image = new Image();
                image.src = src;
                await image.decode();
                return image.naturalWidth;
            }))""")
            assert min(sizes) > 0, sizes
        with row(table, "seen in one tab is seen in all"):
            hide(page, is_hidden=False)
            until(page, "it is not seen", lambda: front()["unseen"] == 0)
            other = visit.tab()
            for tab in (page, other):
                expect(tab).to_have_title("Notifications")
            other.close()
        with row(table, "what is out of sight is not seen until it is scrolled to"):
            page.set_viewport_size({"width": 390, "height": 300})
            page.evaluate("""() => {
                document.querySelector("main").style.paddingBlockStart = "1000px";
                scrollTo(0, 0);
            }""")
            tell(center, "Below")
            expect(page).to_have_title("(1) Notifications")
            page.wait_for_timeout(1500)
            assert front()["unseen"] == 1, front()["unseen"]
            page.evaluate("document.querySelector('article').scrollIntoView()")
            until(page, "it is not seen", lambda: front()["unseen"] == 0)
        with row(table, "no script failed that counts"):
            assert not visit.complaints, visit.complaints[0]
