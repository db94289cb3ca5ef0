# SPDX-License-Identifier: Apache-2.0
"""A jump to a date, in a list of some days: what the centre answers is real but for its dates."""

import datetime
import json

from center import Center
from playwright.sync_api import expect
from rows import TOPICS, Caller, allow
from visit import Visit, link, row

ROWS = 500
ZONE = "Europe/Madrid"
# The newest row is of this moment, and each row an hour younger than the next.
NEWEST = datetime.datetime(2026, 3, 29, 9, 30, tzinfo=datetime.timezone.utc)
# The ends of some days in that zone, where clocks are put forward in the night before the first one; rows of the last
# one are not loaded at first.
ENDS = {day: datetime.datetime.fromisoformat(f"{day}T{hour}:00:00+00:00")
        for day, hour in (("2026-03-29", 22), ("2026-03-28", 23), ("2026-03-12", 23))}


# The end of the day that is typed.
TYPED = datetime.datetime(2026, 3, 15, 23, tzinfo=datetime.timezone.utc)


def moment(title):
    return NEWEST - datetime.timedelta(hours=ROWS - 1 - int(title.removeprefix("Row ")))


def age(route, center):
    """Gives each stack of the centre's answer a date of its own."""
    answer = center.owner.ask("GET", route.request.url.partition(center.authority)[2]).object
    for stack in answer.get("stacks", []):
        leading = stack["leading"]
        leading["date"] = moment(leading["payload"]["aps"]["alert"]["title"]).strftime("%Y-%m-%dT%H:%M:%S.000Z")
    route.fulfill(content_type="application/json", body=json.dumps(answer))


def run(table, browser, _, options):
    center = Center(options.programs)
    visit = Visit(browser, center, timezone_id=ZONE)
    try:
        allow(center)
        caller = Caller(center)
        page = visit.tab(link(center))
        field = page.get_by_label("Go to a date")
        with row(table, "a list of one day has no field for a date"):
            caller.add(TOPICS[0], f"Row {ROWS - 1}")
            expect(page.locator("article")).to_be_visible()
            expect(field).to_be_hidden()
            center.owner.ask("DELETE", "/v1/notifications?app=" + TOPICS[0])
        with row(table, "a date leads to the newest row that is not younger, however far down") as seen:
            for number in range(ROWS):
                caller.add(TOPICS[number % 10], f"Row {number}")
            visit.context.route("**/v1/front*", lambda route: age(route, center))
            page.reload()
            for day, end in ENDS.items():
                field.fill(day)
                wanted = max(number for number in range(ROWS) if moment(f"Row {number}") < end)
                expect(page.locator(".notification.found:focus h2")).to_have_text(f"Row {wanted}")
                seen.append(f"{day}: row {wanted}")
        with row(table, "whoever types a date says when it is whole"):
            field.focus()
            page.keyboard.type("03152026")
            page.wait_for_timeout(500)
            expect(field).to_be_focused()
            page.keyboard.press("Enter")
            wanted = max(number for number in range(ROWS) if moment(f"Row {number}") < TYPED)
            expect(page.locator(".notification.found:focus h2")).to_have_text(f"Row {wanted}")
        with row(table, "a date before all of the list is said to be"):
            # Whoever presses on the field chooses, and types no more.
            field.click()
            field.fill("2020-01-01")
            expect(page.locator(".remark")).to_have_text("Nothing in the list is as old.")
            field.fill("2026-03-28")
            expect(page.locator(".remark")).to_have_text("")
        with row(table, "no script failed that knows dates"):
            assert not visit.complaints, visit.complaints[0]
        caller.connection.close()
    finally:
        visit.close()
        center.close()
