# SPDX-License-Identifier: Apache-2.0
"""Attacks the release programs from outside and prints a table; scripts/attack starts it.

Exit status 1 when an attack left a dead process, a good push that fell back, or memory that grows; 2 for what is
missing or wrong usage.
"""

import argparse
import os
import resource
import signal
import sys

sys.dont_write_bytecode = True

import apps  # noqa: E402
import bundles  # noqa: E402
import connections  # noqa: E402
import descriptors  # noqa: E402
import extensions  # noqa: E402
import floods  # noqa: E402
import forgeries  # noqa: E402
import storms  # noqa: E402
from hosts import Programs  # noqa: E402
from table import Table, fail  # noqa: E402

PARTS = {
    "forgeries": forgeries, "extensions": extensions, "bundles": bundles, "descriptors": descriptors, "apps": apps,
    "storms": storms, "floods": floods, "connections": connections,
}


def main():
    root = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
    parser = argparse.ArgumentParser(prog="attack", usage="scripts/attack [option…] [PART…]")
    parser.add_argument("--programs", default=os.path.join(root, ".build", "release"), help="where they are")
    parser.add_argument("--extension", help="the extension that misbehaves (default: of make soak)")
    parser.add_argument("--connections", type=int, default=100_000, help="how many the last part makes")
    parser.add_argument("--only", help="floods whose names contain this")
    parser.add_argument("parts", nargs="*", metavar="PART", help=", ".join(PARTS))
    options = parser.parse_args()
    for part in options.parts:
        if part not in PARTS:
            parser.error(f"unknown part \"{part}\", known are {', '.join(PARTS)}")
    extension = options.extension or os.path.join(
        root, ".build", "appex", "MisbehavingExtension.appex", "MisbehavingExtension")
    programs = Programs(options.programs, extension, root)
    for path in [programs.path("extension-host"), programs.path("seal-payload"), extension]:
        if not os.path.exists(path):
            fail(f"{path} is missing", "make attack builds it")
    # Sockets of the attackers; the host has a limit of its own.
    hard = resource.getrlimit(resource.RLIMIT_NOFILE)[1]
    resource.setrlimit(resource.RLIMIT_NOFILE, (hard, hard))
    # Hosts end with the suite, also when it is told to.
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(1))
    storms.lay_out_network()
    table = Table()
    for part in options.parts or PARTS:
        PARTS[part].run(table, programs, options)
    print(f"\n{table.rows - table.failures} passed, {table.failures} failed")
    sys.exit(1 if table.failures else 0)


if __name__ == "__main__":
    main()
