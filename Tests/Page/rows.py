# SPDX-License-Identifier: Apache-2.0
"""Many rows: apps that bring them at once, and what the centre and the page have of them."""

import concurrent.futures
import json

from center import APPS, SocketConnection

TOPICS = [f"com.example.many{number}" for number in range(10)]
# The titles of the rows that have elements.
TITLES = "() => [...document.querySelectorAll('[role=feed] > article h2')].map((title) => title.textContent)"


class Caller:
    """An app on one connection that stays open."""

    def __init__(self, center):
        self.connection = SocketConnection(center.owner.path)

    def call(self, topic, name, **members):
        body = json.dumps({"call": name, **members}).encode()
        self.connection.request("POST", f"/v1/app/{topic}/calls", body, {"content-type": "application/json"})
        answer = self.connection.getresponse()
        text = answer.read()
        assert answer.status < 300, text

    def add(self, topic, title, **aps):
        payload = {"aps": {"alert": {"title": title, "body": "At one"}, "thread-id": title, **aps}}
        self.call(topic, "add", request={"identifier": title, "payload": payload})


def allow(center, topics=(*TOPICS, *APPS), categories=()):
    """Has the centre know some apps, and the owner allow them."""
    caller = Caller(center)
    for topic in topics:
        caller.call(topic, "setCategories", categories=list(categories))
        center.owner.ask("POST", f"/v1/apps/{topic}/authorization", {"decision": "allow"})
    caller.connection.close()


def in_parallel(center, items, add):
    """Has four apps at once do something with every item."""
    def work(part):
        caller = Caller(center)
        for item in part:
            add(caller, item)
        caller.connection.close()
    with concurrent.futures.ThreadPoolExecutor(4) as pool:
        list(pool.map(work, [items[start::4] for start in range(4)]))


def listed(center):
    """The titles of all stacks, by the API."""
    titles, before = [], ""
    while True:
        page = center.owner.ask("GET", "/v1/front?limit=200" + before).object
        titles += [stack["leading"]["payload"]["aps"]["alert"]["title"] for stack in page["stacks"]]
        if page["next"] is None:
            return titles
        before = "&before=" + page["next"]


def walk(page, of_row="row.querySelector('h2').textContent"):
    """The titles of all rows in their order, or what a script makes of each, as whoever scrolls through the list meets
    them."""
    return page.evaluate("""async () => {
        const feed = document.querySelector("[role=feed]");
        const frame = () => new Promise((done) => requestAnimationFrame(done));
        const ends = () => {
            const titles = feed.querySelectorAll(":scope > article h2");
            return `${titles.length} ${titles[0]?.textContent} ${titles[titles.length - 1]?.textContent}`;
        };
        const found = new Map();
        scrollTo(0, 0);
        for (;;) {
            await frame();
            await frame();
            const end = performance.now() + 30000;
            while (feed.getAttribute("aria-busy") === "true") {
                await frame();
                if (performance.now() > end) throw new Error(`the feed stays busy at ${scrollY}`);
            }
            // Rows near what is in sight are made in pieces, one a frame.
            for (let former; former !== ends(); await frame()) former = ends();
            for (const row of feed.querySelectorAll(":scope > article")) {
                const made = OF_ROW;
                found.set(JSON.stringify(made), made);
            }
            const before = scrollY;
            scrollBy(0, 2500);
            // Whoever is below the list has no more of it loaded.
            const { bottom } = feed.getBoundingClientRect();
            if (bottom < innerHeight) feed.lastElementChild.scrollIntoView({ block: "end" });
            if (scrollY === before) return [...found.values()];
        }
    }""".replace("OF_ROW", of_row))


def all_stacks(center):
    before = ""
    while True:
        page = center.owner.ask("GET", "/v1/front?limit=200" + before).object
        yield from page["stacks"]
        if page["next"] is None:
            return
        before = "&before=" + page["next"]
