# SPDX-License-Identifier: Apache-2.0
"""A critical sound, which is played until somebody has seen what it is for."""

import host
from badges import until
from notices import hide
from people import hear
from surfaces import says
from visit import row, signed_in

TOPIC = "com.example.alarm"
# The page's pause between two of them, in milliseconds.
PAUSE = 5000


def run(table, browser, center, _):
    owner = center.owner
    host.introduce(center, TOPIC, "Alarm", criticalAlerts=True, authorization="granted")
    owner.call(TOPIC, "authorize", options=["alert", "sound", "criticalAlert"])

    def ring(title):
        sound = {"critical": 1, "name": "default", "volume": 0.2}
        aps = {"alert": {"title": title}, "sound": sound, "interruption-level": "critical"}
        return owner.call(TOPIC, "add", request={"identifier": title, "payload": {"aps": aps}})

    with signed_in(browser, center) as (visit, page):
        page.locator("h1").click()
        says(visit, page, sound=True)
        hear(page)
        hide(page)
        says(visit, page, visible=False, sound=True)

        def count():
            return page.evaluate("window.played.length")

        def is_quiet(what):
            before = count()
            page.wait_for_timeout(PAUSE + 1500)
            assert count() == before, f"it is played after {what}"

        # The sound of the page is two tones.
        with row(table, "a critical sound is played again and again, until it is seen") as seen:
            ring("Smoke")
            until(page, "it is played once", lambda: count() >= 6, patience=30)
            owner.ask("PUT", "/v1/seen", {"number": owner.items("/v1/notifications?limit=1")[0]["id"]})
            page.wait_for_timeout(300)
            seen.append(f"{count() // 2} times")
            is_quiet("it was seen")
        with row(table, "or its notification is removed, or a person does something in the page"):
            for title, end in (("Water", lambda: owner.ask("DELETE", f"/v1/notifications?app={TOPIC}")),
                               ("Gas", lambda: page.locator("h1").click())):
                before = count()
                ring(title)
                until(page, "it is not played", lambda: count() > before)
                end()
                page.wait_for_timeout(300)
                is_quiet(title)
        with row(table, "another sound is played once"):
            before = count()
            aps = {"alert": {"title": "Tea"}, "sound": "default"}
            owner.call(TOPIC, "add", request={"identifier": "tea", "payload": {"aps": aps}})
            until(page, "it is not played", lambda: count() > before)
            is_quiet("it was played")
        with row(table, "no script failed that rings"):
            assert not visit.complaints, visit.complaints[0]
