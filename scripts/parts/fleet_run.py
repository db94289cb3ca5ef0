# SPDX-License-Identifier: Apache-2.0
"""How fleet-lab, fleet-patroni and fleet-growth begin and end: their numbers, what they need, folder and signals."""
import argparse
import contextlib
import os
import pathlib
import shutil
import signal
import subprocess
import sys
import tempfile
import time

from fleet_parts import fail

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
ENDING = (signal.SIGTERM, signal.SIGHUP, signal.SIGINT)
# What hosts of a lab run. The last one judges what was seen.
PROGRAMS = ("extension-host", "payload-opener", "worker-launcher", "seal-payload", "fleet-checker")
EXTENSION = ROOT / ".build/appex/ChatExtension.appex"


def number(kind, least=None, most=1e12):
    """Reads an option that is a finite number: above zero, or from `least` on, and `most` at most."""
    def read(text):
        try:
            value = kind(text)
        except ValueError:
            value = float("nan")
        if not (0 < value if least is None else least <= value) or not value <= most:
            bounds = "above zero" if least is None else f"from {least} on"
            bounds += "" if most == 1e12 else f", {most} at most"
            raise argparse.ArgumentTypeError(f'"{text[:40]}" is no number {bounds}')
        return value
    return read


def look_for(programs, target):
    """Fails before anything is started if a program or the extension of the hosts has not been built."""
    for name in PROGRAMS:
        if not os.access(programs / name, os.X_OK):
            fail(f'there is no {name} in "{programs}"', f"make {target} builds what it needs")
    if not EXTENSION.is_dir():
        fail(f'there is no "{EXTENSION.relative_to(ROOT)}"', "scripts/build-examples --built ChatExtension")


def told(*words, hint=None, name=None, **options):
    """Runs a command and returns what it prints; fails with its own words if it fails."""
    name = name or pathlib.Path(words[0]).name
    try:
        done = subprocess.run(list(map(str, words)), stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                              stderr=subprocess.PIPE, text=True, **options)
    except OSError as error:
        fail(f"{name}: {error.strerror.lower()}", hint)
    except subprocess.TimeoutExpired as error:
        fail(f"{name} has not ended after {error.timeout} s", hint)
    if done.returncode:
        said = (done.stderr.strip() or done.stdout.strip() or f"it ended with {done.returncode}")[-2000:]
        fail(f"{name}: {said}", hint)
    return done.stdout


def wait_until(holds, what, seconds=60, pause=0.1, hint=None):
    """Waits until `holds()` is true; fails with what did not come if that takes longer."""
    end = time.monotonic() + seconds
    while not holds():
        if time.monotonic() > end:
            fail(f"after {seconds} s {what}", hint)
        time.sleep(pause)


@contextlib.contextmanager
def folder(is_kept=False):
    """A folder for a run, and a stack of what has to be ended before the folder goes, the last first.

    Each step is taken even if another fails. SIGTERM, SIGHUP and SIGINT end the run and do nothing while it ends. A
    signal that the caller ignores, as nohup has it, stays ignored.
    """
    program = pathlib.Path(sys.argv[0]).name
    for one in ENDING:
        if signal.getsignal(one) is not signal.SIG_IGN:
            signal.signal(one, lambda *_: sys.exit(1))
    work = pathlib.Path(tempfile.mkdtemp(prefix=f"{program}-"))
    steps = contextlib.ExitStack()
    try:
        # With root, PostgreSQL is another user.
        work.chmod(0o711)
        yield work, steps
    finally:
        for one in ENDING:
            signal.signal(one, signal.SIG_IGN)
        try:
            steps.close()
        finally:
            if is_kept:
                print(f"{program}: {work}")
            else:
                shutil.rmtree(work, ignore_errors=True)
