# SPDX-License-Identifier: Apache-2.0
"""Runs one command in a process group of its own, shows what it writes, keeps it, and ends it when its time is up.

Two may run at the same time, each in a thread: what they write is shown in whole lines.
"""
import os
import select
import signal
import subprocess
import sys
import threading
import time

GRACE = 10  # seconds between asking and killing
SHOWING = threading.Lock()


def end(process):
    """Ends the whole group: the tests are children of `swift test`."""
    for number in signal.SIGTERM, signal.SIGKILL:
        try:
            os.killpg(process.pid, number)
            process.wait(GRACE)
        except ProcessLookupError:
            break
        except subprocess.TimeoutExpired:
            continue
    try:
        os.killpg(process.pid, signal.SIGKILL)
    except ProcessLookupError:
        pass
    process.wait()


def show(lines):
    with SHOWING:
        sys.stdout.buffer.write(lines)
        sys.stdout.buffer.flush()


def pump(source, log, until, cancelled):
    """Copies what `source` writes until the time `until` or the event `cancelled`; returns whether the writing ended."""
    line = b""
    while (left := until - time.monotonic()) > 0 and not cancelled.is_set():
        if not select.select([source], [], [], min(left, 1))[0]:
            continue
        data = os.read(source.fileno(), 65536)
        log.write(data)
        log.flush()
        *whole, line = (line + data).split(b"\n")
        if whole or not data:
            show(b"".join(text + b"\n" for text in whole) + (b"" if data else line))
        if not data:
            return True
    show(line)
    return False


def run(command, log_path, seconds, environment=None, cancelled=threading.Event()):
    """Returns the exit status, negative for a signal, and whether the time was up or another thread set `cancelled`.

    `environment` is the whole of it; without one it is this process's.
    """
    with open(log_path, "wb") as log:
        process = subprocess.Popen(
            command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, process_group=0,
            env=environment,
        )
        until = time.monotonic() + seconds
        try:
            if not pump(process.stdout, log, until, cancelled):
                end(process)
                return process.returncode, True
            return process.wait(max(1, until - time.monotonic())), False
        except subprocess.TimeoutExpired:
            end(process)
            return process.returncode, True
        except BaseException:
            end(process)
            raise
