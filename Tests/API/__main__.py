# SPDX-License-Identifier: Apache-2.0
"""Tests a running notification centre against its OpenAPI document and prints a table; scripts/try-api starts it.

Exit status 1 when document and program disagree; 2 for what is missing or wrong usage.
"""

import argparse
import os
import shutil
import signal
import sys
import tempfile

sys.dont_write_bytecode = True

import files  # noqa: E402
import made_up  # noqa: E402
import parts  # noqa: E402
import views  # noqa: E402
from center import Center, fail  # noqa: E402
from document import Document  # noqa: E402
from table import Table  # noqa: E402


def whole(text):
    number = int(text)
    if number < 1:
        raise argparse.ArgumentTypeError("must be at least 1")
    return number


def read_options():
    root = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
    parser = argparse.ArgumentParser(prog="try-api", usage="scripts/try-api [option…] [FOLDER]")
    parser.add_argument("programs", nargs="?", default=os.path.join(root, ".build", "debug"), metavar="FOLDER")
    parser.add_argument("--examples", type=whole, default=25, help="cases that are made up for each operation")
    parser.add_argument("--seed", type=int, default=1, help="other cases")
    parser.add_argument("--seconds", type=whole, default=180, help="the longest time for what is made up")
    parser.add_argument("--document", default=os.path.join(root, "Sources", "CPage", "Files", "openapi.json"))
    parser.add_argument("--keep", help="leaves what schemathesis and the centre wrote in this folder")
    options = parser.parse_args()
    options.programs = os.path.abspath(options.programs)
    program = os.path.join(options.programs, "notification-center")
    if not os.access(program, os.X_OK):
        fail(f"\"{program}\" is missing", "build it, or name the folder of the programs")
    if not os.path.isfile(options.document):
        fail(f"\"{options.document}\" is missing", "name the document with --document")
    if options.keep:
        os.makedirs(options.keep, exist_ok=True)
        options.keep = os.path.abspath(options.keep)
    return options


def main():
    options = read_options()
    # The centre and the folders end with the script, also when it is told to.
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(1))
    document, table = Document(options.document), Table()
    folder = options.keep or tempfile.mkdtemp(prefix="nestbox-api-report-")
    center = Center(options.programs)
    status = None
    try:
        asks, sleeps = parts.AskingApp(center), parts.SleepingReader(center, document)
        token = parts.run(table, center, document)
        files.run(table, center, document, token)
        views.run(table, center, document, token)
        made_up.run(table, center, document, options, folder)
        asks.end(table, document)
        sleeps.end(table)
        parts.judge_end(table, center, document)
    finally:
        status = center.close(options.keep)
        if not options.keep:
            shutil.rmtree(folder, ignore_errors=True)
    table.row("the centre ends when it is told to", f"status {status}", [] if status == 0 else ["it did not end well"])
    if table.quoted:
        print("\n" + table.quoted)
    print(f"\n{table.rows - table.failures} hold, {table.failures} differ")
    sys.exit(1 if table.failures else 0)


if __name__ == "__main__":
    main()
