# SPDX-License-Identifier: Apache-2.0
"""The pictures of a view: files that it has named, as the page draws them once the centre has them."""

import host
from badges import until
from center import APPS, png
from playwright.sync_api import expect
from surfaces import comes, tell
from visit import row, signed_in

TITLE = "A mountain"
# True for a picture that the browser has loaded and the row has marked.
IS_SAME = "(picture) => picture.isMarked === true && picture.naturalWidth === 200"
MASK = "(picture) => getComputedStyle(picture).maskImage"


def run(table, browser, center, options):
    # Examples/python-view shows notifications of this category of the app.
    with host.viewing(center, APPS[1]) as views, signed_in(browser, center) as (visit, page):
        example, heard, loaded = views.example, [], []
        page.on("request", lambda request: loaded.append(request.url) if "/files/" in request.url else None)
        hear = example.View.heard

        def noted(view, number, body):
            heard.append((body.get("node"), body.get("event")))
            hear(view, number, body)

        example.View.heard = noted
        views.keeps = True
        tell(center, TITLE, category="photo", **{"thread-id": TITLE})
        comes(page, TITLE)
        card = page.locator(".notification", has=page.locator("h2", has_text=TITLE))
        card.focus()
        page.keyboard.press("i")
        slider = card.get_by_role("slider")
        node = card.locator(".frame [data-kind=image]")
        picture = node.locator("img")

        def give(file, content, gone=()):
            views.give(max(views.views), file, content, gone)

        def draw(**members):
            views.draw({**example.picture(1), **members})

        with row(table, "until its file is there an image has its symbol"):
            expect(slider).to_be_visible()
            expect(card.get_by_role("img", name="Picture")).to_be_visible()
            expect(node.locator("svg")).to_have_count(1)
            expect(picture).to_have_count(0)
            assert not loaded, loaded
        with row(table, "and a box with its name where it has none"):
            views.draw({key: value for key, value in example.picture(1).items() if key != "symbol"})
            expect(node.locator(".file bdi")).to_have_text("Picture")
        with row(table, "a file that comes is drawn, in the frame of its node"):
            draw()
            views.release()
            expect(picture).to_be_visible()
            assert picture.evaluate("(picture) => picture.naturalWidth") == 200
            expect(node.locator("svg, bdi, .file")).to_have_count(0)
            expect(card.get_by_role("img", name="Picture")).to_be_visible()
            box, place = picture.bounding_box(), node.bounding_box()
            assert box == place, f"{box} in {place}"
            picture.evaluate("(picture) => { picture.isMarked = true; }")
        with row(table, "another opacity does not load it again"):
            slider.press("ArrowLeft")
            expect(node).not_to_have_css("opacity", "1")
            assert picture.evaluate(IS_SAME), "it is another element"
            assert len(loaded) == 1, loaded
        with row(table, "it fits as its node says"):
            for fit, style in (("cover", "cover"), ("center", "none"), ("fill", "fill"), ("contain", "contain")):
                draw(fit=fit)
                expect(picture).to_have_css("object-fit", style)
        with row(table, "with a tint its opacity alone is drawn"):
            draw(tint=0xff0000ff)
            expect(picture).to_have_css("background-color", "rgb(255, 0, 0)")
            mask, address = picture.evaluate(MASK), picture.get_attribute("src")
            assert mask.endswith(f'{address}")') and page.url.rstrip("/") in mask, mask
            expect(picture).to_have_css("mask-size", "contain")
            draw()
            expect(picture).to_have_css("mask-image", "none")
            assert picture.evaluate(IS_SAME), "it is another element"
        with row(table, "without a frame it has its own size, and at most the width of its column"):
            unframed = {key: value for key, value in example.picture(1).items() if key != "f"}
            views.draw(unframed)
            expect(card.locator(".frame .measured[data-kind=image]")).to_have_css("height", "200px")
            assert picture.evaluate("({ clientWidth, clientHeight }) => [clientWidth, clientHeight]") == [200, 200]
            give(2, png(1000, 500))
            views.draw({**unframed, "src": 2})
            expect(picture).to_have_attribute("src", address.removesuffix("1") + "2")
            box, place = picture.bounding_box(), node.bounding_box()
            assert box["width"] == place["width"] < 1000, f"{box} in {place}"
            assert abs(box["width"] - 2 * box["height"]) <= 1, box
            draw()
            expect(node).to_have_css("height", "200px")
        with row(table, "a button has it small before its title"):
            button = card.locator(".frame").get_by_role("button", name="Launch app")
            views.draw({**example.button(example.LAUNCH, "Launch app"), "src": 3})
            expect(button.locator("svg")).to_have_count(1)
            give(3, png(20, 10))
            expect(button.locator("img")).to_be_visible()
            expect(button).to_have_text("Launch app")
            box, title = button.locator("img").bounding_box(), button.locator("bdi").bounding_box()
            assert box["x"] + box["width"] <= title["x"], f"{box} before {title}"
            assert abs(box["width"] - 2 * box["height"]) <= 1, box
        with row(table, "a file that is gone leaves the symbol"):
            give(4, png(), gone=[1])
            expect(picture).to_have_count(0)
            expect(node.locator("svg")).to_have_count(1)
            expect(button.locator("img")).to_be_visible()
        with row(table, "one that does not load leaves the box, and the view hears of it once"):
            page.route("**/files/5", lambda route: route.fulfill(status=404))
            heard.clear()
            give(5, png())
            broken = {key: value for key, value in example.picture(1).items() if key != "symbol"} | {"src": 5}
            views.draw(broken)
            until(page, "the view has not heard of it", lambda: (example.PICTURE, "failed") in heard)
            views.draw({**broken, "a": 0.5})
            expect(node).to_have_css("opacity", "0.5")
            expect(node.locator(".file bdi")).to_have_text("Picture")
            expect(picture).to_have_count(0)
            failed = [told for told in heard if told[1] == "failed"]
            assert failed == [(example.PICTURE, "failed")], failed
        with row(table, "no script failed that draws pictures"):
            assert not visit.complaints, visit.complaints[0]
        card.locator(".frame").get_by_role("button", name="Dismiss").press("Enter")
        expect(card.locator(".view")).to_have_count(0)
