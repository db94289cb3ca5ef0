# SPDX-License-Identifier: Apache-2.0
"""`make demo` on a terminal: what it prints leads a newcomer to the page, and what is answered there is told."""

import contextlib
import os
import pty
import re
import signal
import subprocess
import time

from looks import picture
from playwright.sync_api import expect
from view import settled
from visit import PATIENCE, Visit, row

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))


class Demo:
    """scripts/demo on a terminal of its own."""

    def __init__(self):
        self.terminal, inner = pty.openpty()
        self.said = ""
        # A shell ignores what it was started to ignore, as in the background of a script, whatever its traps are.
        command = ["env", "--default-signal=INT", os.path.join(ROOT, "scripts", "demo")]
        self.process = subprocess.Popen(command, stdin=inner, stdout=inner, stderr=inner, start_new_session=True)
        os.close(inner)
        os.set_blocking(self.terminal, False)

    def wait_for(self, pattern):
        end = time.monotonic() + 4 * PATIENCE / 1000
        while not (found := re.search(pattern, self.said)):
            self.read()
            assert time.monotonic() < end, self.said[-300:]
            time.sleep(0.02)
        return found

    def read(self):
        with contextlib.suppress(BlockingIOError, OSError):
            self.said += os.read(self.terminal, 65536).decode()

    def interrupt(self):
        """Presses Ctrl-C, as a terminal tells all of a job; returns the exit status, and what is said from then on."""
        said = len(self.said)
        os.killpg(self.process.pid, signal.SIGINT)
        status = self.process.wait(PATIENCE / 1000)
        self.read()
        return status, self.said[said:]

    def close(self):
        with contextlib.suppress(ProcessLookupError):
            os.killpg(self.process.pid, signal.SIGKILL)
        self.process.wait()
        os.close(self.terminal)


def work(page, options):
    """Works the view of Examples/SliderContentExtension, and removes its notification by the view's own button."""
    carol = page.locator("article", has_text="Seen at the lake")
    carol.get_by_role("button", name="Details").click()
    image = carol.locator("[data-kind=image]")
    expect(carol.get_by_role("img", name="Picture")).to_be_visible()
    slider = carol.get_by_role("slider", name="Opacity")
    # The banner of what the sender answered lies in front of the view, and takes the pointer.
    page.locator(".banner").get_by_role("button", name="Put away").click()
    slider.scroll_into_view_if_needed()
    place = settled(page, slider)
    middle = place["y"] + place["height"] / 2
    page.mouse.move(place["x"] + place["width"] - 14, middle)
    page.mouse.down()
    for share in (0.9, 0.7, 0.5, 0.342):
        page.mouse.move(place["x"] + place["width"] * share, middle)
    page.mouse.up()
    wanted = float(slider.input_value())
    assert abs(wanted - 0.342) < 0.05, wanted
    expect(image).to_have_css("opacity", f"{wanted:.2f}".rstrip("0"))
    picture(page, options, "demo-view")
    other = page.context.new_page()
    other.goto(page.url)
    there = other.locator("article", has_text="Seen at the lake")
    expect(there).to_be_visible()
    carol.get_by_role("button", name="Remove").click()
    expect(there).to_have_count(0)
    expect(page.locator("article", has_text="Seen at the lake")).to_have_count(0)
    other.close()


def run(table, browser, center, options):
    with contextlib.closing(Demo()) as demo:
        with row(table, "the demo on a terminal leads to the page, and tells what is answered there") as seen:
            begun = time.monotonic()
            address = demo.wait_for(r"Open the page +(http://\S+)")[1]
            demo.wait_for("Ctrl-C ends the demo")
            printed = time.monotonic()
            with contextlib.closing(Visit(browser, center)) as visit:
                page = visit.tab(address)
                alice = page.locator("article", has_text="Alice · Chat")
                expect(alice.locator("h2")).to_have_text("Alice · Chat")
                expect(alice.locator("footer span")).to_have_text("1 more notification from Alice")
                expect(page.locator("article", has_text="Are you coming tonight?")).to_be_visible()
                picture(page, options, "demo")
                alice.get_by_role("button", name="Reply").click()
                alice.get_by_role("textbox").fill("At one \x1b[31m\U0001f44b")
                alice.get_by_role("textbox").press("Enter")
                demo.wait_for("The app hears      At one \ufffd\\[31m\U0001f44b")
                expect(page.locator("article", has_text="See you there!")).to_be_visible()
                work(page, options)
                assert not visit.complaints, visit.complaints[0]
            seen.append(f"{printed - begun:.1f} s to the link, {time.monotonic() - printed:.1f} s to the answer")
        with row(table, "Ctrl-C ends it, and all that it started"):
            status, said = demo.interrupt()
            assert status == 0, f"status {status}: {said}"
            with contextlib.suppress(ProcessLookupError):
                os.killpg(demo.process.pid, 0)
                raise AssertionError("something of it runs still")
