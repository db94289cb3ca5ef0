# SPDX-License-Identifier: Apache-2.0
"""What an owner wants of apps and of the night: each switch agrees with the centre, and goes back where it refuses."""

from center import APPS
from host import introduce
from playwright.sync_api import expect
from visit import row, signed_in

SWITCHES = {
    "alert": "Notifications", "sound": "Sounds", "badge": "Badge", "list": "In the list", "lock": "On a lock view",
    "timeSensitive": "Time-sensitive ones break through",
}
CRITICAL = "Critical ones always break through"
CHOICES = {
    "style": ("Banners", "none"), "previews": ("Previews", "never"), "grouping": ("Stacks", "byApp"),
}


def run(table, browser, center, options):
    owner, path = center.owner, f"/v1/apps/{APPS[2]}/settings"

    def settings():
        return owner.ask("GET", path).object

    def comes_true(page, test):
        for _ in range(100):
            if test():
                return
            page.wait_for_timeout(50)
        raise AssertionError(f"it is {settings()}")

    with signed_in(browser, center) as (visit, page):
        former = settings()
        page.locator(".settings > summary").click()
        form = page.locator(".app-settings", has_text=APPS[2])
        form.locator("summary").click()
        with row(table, "each switch of an app is one of the centre") as seen:
            for name, label in SWITCHES.items():
                form.get_by_role("checkbox", name=label, exact=True).click()
                comes_true(page, lambda: settings()[name] is not former[name])
            for name, (label, value) in CHOICES.items():
                form.get_by_role("combobox", name=label, exact=True).select_option(value)
                comes_true(page, lambda: settings()[name] == value)
            seen.append(f"{len(SWITCHES) + len(CHOICES)} settings")
            told = owner.call(APPS[2], "settings").object["settings"]
            assert told["sound"] == "disabled", told
        with row(table, "a switch that changes elsewhere follows"):
            owner.ask("PATCH", path, former)
            for name, label in SWITCHES.items():
                expect(form.get_by_role("checkbox", name=label, exact=True)).to_be_checked(checked=former[name])
            expect(form.get_by_role("combobox", name="Previews")).to_have_value(former["previews"])
        with row(table, "a switch that the operator forbids is not there, and comes when it is allowed"):
            switch = form.get_by_role("checkbox", name=CRITICAL, exact=True)
            expect(switch).to_have_count(0)
            introduce(center, APPS[2], APPS[2], criticalAlerts=True)
            expect(switch).to_be_visible()
            switch.click()
            comes_true(page, lambda: settings()["criticalAlert"])
            introduce(center, APPS[2], APPS[2])
            expect(switch).to_have_count(0)
        with row(table, "one that the centre does not take goes back, with the reason"):
            refusal = '{"reason":"disk","message":"The disk is full."}'
            visit.context.route("**/settings", lambda route: route.fulfill(
                status=503, body=refusal, content_type="application/json"))
            form.get_by_label("Badge").click()
            expect(page.locator(".remark")).to_have_text("The disk is full.")
            expect(form.get_by_label("Badge")).to_be_checked(checked=former["badge"])
            visit.context.unroute("**/settings")
        with row(table, "Do Not Disturb is reached by d, and keeps its exceptions") as seen:
            owner.ask("PATCH", "/v1/owner", {"doNotDisturb": {"mode": "off", "exceptions": [APPS[0]]}})
            page.locator("h1").focus()
            page.keyboard.press("d")
            quiet = page.get_by_role("combobox", name="Do Not Disturb")
            expect(quiet).to_be_focused()
            for choice, mode in (("hour", "until"), ("morning", "until"), ("daily", "daily"), ("off", "off")):
                quiet.select_option(choice)
                comes_true(page, lambda: owner.ask("GET", "/v1/owner").object["doNotDisturb"]["mode"] == mode)
                wish = owner.ask("GET", "/v1/owner").object["doNotDisturb"]
                seen.append(choice)
                assert wish["exceptions"] == [APPS[0]], wish
            owner.ask("PATCH", "/v1/owner", {"doNotDisturb": {"mode": "daily", "from": "21:30", "to": "06:00"}})
            expect(quiet.locator("option:checked")).to_have_text("Every day, 21:30 to 06:00")
            owner.ask("PATCH", "/v1/owner", {"doNotDisturb": None})
            expect(quiet).to_have_value("off")
        with row(table, "an answer that comes behind the event of a later change shows nothing older"):
            held = []
            page.route("**/v1/owner", lambda route: held.append(route))
            quiet.select_option("hour")
            while not held:
                page.wait_for_timeout(50)
            answer = owner.ask("PATCH", "/v1/owner", held[0].request.post_data_json)
            owner.ask("PATCH", "/v1/owner", {"doNotDisturb": {"mode": "daily", "from": "21:30", "to": "06:00"}})
            expect(quiet.locator("option:checked")).to_have_text("Every day, 21:30 to 06:00")
            with page.expect_response("**/v1/owner"):
                held[0].fulfill(status=answer.status, content_type="application/json", body=answer.body)
            # The page has read it by the next question of its own.
            page.unroute("**/v1/owner")
            page.evaluate("fetch('/v1/owner').then((answer) => answer.text())")
            expect(quiet.locator("option:checked")).to_have_text("Every day, 21:30 to 06:00")
            owner.ask("PATCH", "/v1/owner", {"doNotDisturb": None})
            expect(quiet).to_have_value("off")
        with row(table, "no script failed that sets"):
            assert not visit.complaints, visit.complaints[0]
