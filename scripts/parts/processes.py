# SPDX-License-Identifier: Apache-2.0
"""Processes of this machine by their numbers: what is below one, whether it is still the same, and signals for it."""
import os
import pathlib


def children_of(process):
    """The processes that `process` has started, or that were left to it."""
    found = []
    for task in pathlib.Path(f"/proc/{process}/task").glob("*/children"):
        try:
            found += map(int, task.read_text().split())
        except OSError:
            pass
    return found


def below(process):
    """`process` and all below it."""
    return [process] + [deeper for child in children_of(process) for deeper in below(child)]


def status(process):
    """The fields of proc_pid_stat(5) from the third on; None for a process that is gone."""
    try:
        return pathlib.Path(f"/proc/{process}/stat").read_text().rpartition(") ")[2].split()
    except OSError:
        return None


def state(process):
    """T for a process that is stopped, Z for one that has ended and waits for its parent, None for one that is gone."""
    words = status(process)
    return words[0] if words else None


def born(process):
    """When a process began, in ticks since the machine's start; None if it has ended. It tells whose a number is."""
    words = status(process)
    return int(words[19]) if words and words[0] not in "ZX" else None


def is_running(started):
    """Whether what was started here has not ended. Its number may be another's once its end was seen."""
    return started is not None and started.poll() is None


def strike(processes, number):
    for process in processes:
        try:
            os.kill(process, number)
        except ProcessLookupError:
            pass
