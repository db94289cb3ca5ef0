# SPDX-License-Identifier: Apache-2.0
"""Drives the page of a running notification centre in a browser and prints a table; scripts/try-page starts it.

Exit status 1 when something does not hold; 2 for what is missing or wrong usage.
"""

import argparse
import os
import signal
import sys

sys.dont_write_bytecode = True
TESTS = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
sys.path.insert(0, os.path.join(TESTS, "API"))

from center import Center, fail  # noqa: E402
from playwright.sync_api import sync_playwright  # noqa: E402
from table import Table  # noqa: E402

import access  # noqa: E402
import attacks  # noqa: E402
import badges  # noqa: E402
import banners  # noqa: E402
import boxes  # noqa: E402
import controls  # noqa: E402
import critical  # noqa: E402
import dates  # noqa: E402
import demo  # noqa: E402
import detail  # noqa: E402
import filters  # noqa: E402
import hostile  # noqa: E402
import keyboard  # noqa: E402
import lock  # noqa: E402
import looks  # noqa: E402
import many  # noqa: E402
import motion  # noqa: E402
import notices  # noqa: E402
import own_settings  # noqa: E402
import past  # noqa: E402
import people  # noqa: E402
import pictures  # noqa: E402
import returns  # noqa: E402
import searches  # noqa: E402
import settings  # noqa: E402
import shown  # noqa: E402
import stacks  # noqa: E402
import surfaces  # noqa: E402
import tabs  # noqa: E402
import text  # noqa: E402
import undo  # noqa: E402
import view  # noqa: E402
from visit import BROWSERS  # noqa: E402

PARTS = (people, surfaces, banners, notices, critical, badges, stacks, undo, keyboard, filters, searches, past, dates,
         detail, view, boxes, hostile, shown, controls, motion, text, pictures, settings, own_settings, tabs, lock,
         attacks, returns, looks, access, many, demo)


def read_options():
    parser = argparse.ArgumentParser(prog="try-page", usage="scripts/try-page [option…] [FOLDER]")
    programs = os.path.join(os.path.dirname(TESTS), ".build", "debug")
    parser.add_argument("programs", nargs="?", default=programs, metavar="FOLDER")
    parser.add_argument("--pictures", help="leaves pictures of the page in this folder")
    parser.add_argument("--only", action="append", choices=[part.__name__ for part in PARTS], metavar="PART",
                        help="runs this part alone; may be said several times")
    options = parser.parse_args()
    options.programs = os.path.abspath(options.programs)
    if not os.access(os.path.join(options.programs, "notification-center"), os.X_OK):
        fail(f"no notification-center in \"{options.programs}\"", "build it, or name the folder of the programs")
    if options.pictures:
        os.makedirs(options.pictures, exist_ok=True)
    return options


def main():
    options = read_options()
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(1))
    browser_path = next((path for path in BROWSERS if os.access(path, os.X_OK)), None)
    if browser_path is None:
        fail("no Chromium", "scripts/setup page installs it")
    table, center = Table(), Center(options.programs)
    status = None
    try:
        center.owner.seed()
        with sync_playwright() as playwright:
            # Chromium's own sandbox takes a user that is not root.
            browser = playwright.chromium.launch(executable_path=browser_path, args=["--no-sandbox"])
            table.heading("page", f"Chromium {browser.version} at {center.authority}")
            for part in PARTS:
                if not options.only or part.__name__ in options.only:
                    part.run(table, browser, center, options)
            browser.close()
    finally:
        status = center.close()
    table.row("the centre ends when it is told to", f"status {status}", [] if status == 0 else ["it did not end well"])
    print(f"\n{table.rows - table.failures} hold, {table.failures} differ")
    sys.exit(1 if table.failures else 0)


if __name__ == "__main__":
    main()
