# SPDX-License-Identifier: Apache-2.0
"""A browser that is signed in, and the rows of what is done with it."""

import contextlib

from playwright.sync_api import Error, expect

BROWSERS = ("/usr/bin/chromium", "/usr/bin/chromium-browser", "/usr/bin/google-chrome")
# The longest time in which a page shows what has happened, in milliseconds.
PATIENCE = 15000
expect.set_options(timeout=PATIENCE)


def link(center):
    """The address that signs a browser in, once."""
    return center.owner.ask("POST", "/v1/codes").object["link"]


class Visit:
    """One browser of one person: its tabs, and every complaint that a tab has made."""

    def __init__(self, browser, center, **options):
        self.center = center
        self.complaints = []
        # The requests for a stream of events, of all tabs.
        self.streams = []
        self.context = browser.new_context(**{"locale": "en-US", **options})
        self.context.set_default_timeout(PATIENCE)
        # What the browser has said of itself as a surface, and the centre has taken.
        self.said = []
        self.context.on("response", self.note)
        self.context.on("request", lambda request: self.streams.append(request) if "/v1/events" in request.url else None)

    def tab(self, address=None):
        page = self.context.new_page()
        page.on("console", lambda message: self.hear(message.type, message.text))
        page.on("pageerror", lambda error: self.hear("error", str(error)))
        page.goto(address or f"{self.center.scheme}://{self.center.authority}/")
        return page

    def note(self, response):
        if "/v1/surfaces/" in response.url and response.status == 204:
            self.said.append(response.request.post_data_json)

    def hear(self, kind, text):
        # A refusal is an answer of the centre, which the page shows; the browser's note of it is no complaint.
        if kind == "error" and "Failed to load resource" not in text:
            self.complaints.append(text)

    def close(self):
        self.context.close()


@contextlib.contextmanager
def signed_in(browser, center, **options):
    """A visit with one tab that is signed in."""
    visit = Visit(browser, center, **options)
    try:
        page = visit.tab(link(center))
        expect(page.locator("article").first).to_be_visible()
        yield visit, page
    finally:
        visit.close()


@contextlib.contextmanager
def row(table, what):
    """One row of the table: it holds unless the body fails; the body may say what it has seen."""
    seen = []
    try:
        yield seen
    except (AssertionError, Error, LookupError, ValueError) as error:
        lines = [line.strip() for line in str(error).splitlines() if line.strip()]
        table.row(what, " ".join(seen), [" ".join(lines[:4])[:300] or type(error).__name__])
    else:
        table.row(what, " ".join(seen))
