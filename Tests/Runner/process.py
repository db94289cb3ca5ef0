# SPDX-License-Identifier: Apache-2.0
"""Runs one command in a process group of its own, shows what it writes, keeps it, and ends it when its time is up."""
import os
import select
import signal
import subprocess
import sys
import time

GRACE = 10  # seconds between asking and killing


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


def pump(source, log, until):
    """Copies what `source` writes, at most until the time `until`; returns whether the writing ended."""
    while (left := until - time.monotonic()) > 0:
        if not select.select([source], [], [], min(left, 1))[0]:
            continue
        data = os.read(source.fileno(), 65536)
        if not data:
            return True
        log.write(data)
        log.flush()
        sys.stdout.buffer.write(data)
        sys.stdout.buffer.flush()
    return False


def run(command, log_path, seconds, environment=None):
    """Returns the exit status, negative for a signal, and whether the time was up; `environment` is the whole of it."""
    with open(log_path, "wb") as log:
        process = subprocess.Popen(
            command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, process_group=0,
            env=environment,
        )
        until = time.monotonic() + seconds
        try:
            if not pump(process.stdout, log, until):
                end(process)
                return process.returncode, True
            return process.wait(max(1, until - time.monotonic())), False
        except subprocess.TimeoutExpired:
            end(process)
            return process.returncode, True
        except BaseException:
            end(process)
            raise
