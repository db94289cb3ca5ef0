# SPDX-License-Identifier: Apache-2.0
"""Bundles whose files are traps: a host with one of them ends at once and names it."""

import os
import plistlib
import struct
import subprocess
import time

from hosts import Place

TOPIC = "com.example.trap"


def nested_plist(depth=40):
    """A binary property list of some 250 bytes that means 2^40 values: each array holds the next one twice."""
    objects = [bytes([0xA2, number + 1, number + 1]) for number in range(depth)] + [b"\x51a"]
    data, offsets = b"bplist00", []
    for each in objects:
        offsets.append(len(data))
        data += each
    table = b"".join(struct.pack(">H", offset) for offset in offsets)
    return data + table + bytes(6) + struct.pack(">BBQQQ", 2, 1, len(objects), 0, len(data))


def circular_plist():
    data = b"bplist00" + bytes([0xA1, 0])
    return data + b"\x08" + bytes(6) + struct.pack(">BBQQQ", 1, 1, 1, 0, len(data))


def laughing_plist():
    entities = "".join(f'<!ENTITY a{n} "&a{n - 1};&a{n - 1};&a{n - 1};&a{n - 1};">' for n in range(1, 20))
    return (f'<?xml version="1.0"?><!DOCTYPE plist [<!ENTITY a0 "ha">{entities}]>'
            "<plist><dict><key>CFBundleIdentifier</key><string>&a19;</string></dict></plist>").encode()


def deep_plist():
    return b'<plist version="1.0">' + b"<array>" * 200_000 + b"</array>" * 200_000 + b"</plist>"


def replaced(path, make):
    os.remove(path)
    make(path)


def sparse(path):
    with open(path, "wb") as file:
        file.truncate(8 << 30)
    os.chmod(path, 0o755)


def loop(path):
    os.symlink(os.path.basename(path), path)


def written(data):
    def write(path):
        with open(path, "wb") as file:
            file.write(data)
    return write


KINDS = {
    "a FIFO": os.mkfifo, "a folder": os.mkdir, "a link to itself": loop, "8 GiB of nothing": sparse,
    "a link to /dev/zero": lambda path: os.symlink("/dev/zero", path), "nothing at all": lambda path: None,
}
INFO = {
    "250 bytes that mean 2^40 values": nested_plist(), "an array that holds itself": circular_plist(),
    "entities that unfold": laughing_plist(), "200,000 arrays in each other": deep_plist(),
    "binary, cut short": plistlib.dumps({"CFBundleIdentifier": TOPIC + ".service"}, fmt=plistlib.FMT_BINARY)[:-9],
}


def traps():
    """A name, and what is done to a good bundle."""
    for name, make in KINDS.items():
        yield f"Info.plist is {name}", lambda bundle, make=make: replaced(os.path.join(bundle, "Info.plist"), make)
        yield f"the executable is {name}", lambda bundle, make=make: replaced(os.path.join(bundle, "Service"), make)
        if name != "nothing at all":
            yield f"a table of texts is {name}", lambda bundle, make=make: table_of_texts(bundle, make)
    for name, data in INFO.items():
        write = written(data)
        yield f"Info.plist: {name}", lambda bundle, write=write: replaced(os.path.join(bundle, "Info.plist"), write)
    yield "the folder is everybody's to write", lambda bundle: os.chmod(bundle, 0o777)


def table_of_texts(bundle, make):
    os.mkdir(os.path.join(bundle, "en.lproj"), 0o755)
    make(os.path.join(bundle, "en.lproj", "Localizable.strings"))


def run(table, programs, options):
    table.heading("bundles", "a host with one trap among its apps, and `run` with it alone")
    for name, spoil in traps():
        place = Place(programs)
        bundle = place.bundle(TOPIC)
        spoil(bundle)
        place.write("push.json", '{"aps":{"alert":"text","mutable-content":1}}')
        configuration = place.write("host.yaml", f"""
listen: {{ apns: {{ port: 0, plaintext: true }} }}
apps: [{{ topic: {TOPIC}, extension: {bundle} }}]
""")
        faults = []
        for arguments in (["serve", "--config", configuration], ["run", bundle, place.path("push.json")]):
            faults += judged(programs, arguments, MAY_START.get(name, ()))
        table.row(name, "serve, run", faults=faults)
        if os.path.isdir(bundle):
            os.chmod(bundle, 0o755)
        place.remove()


# A regular file may be no program: starts of its app fail then, and nobody else's. `run` tries what was just unpacked,
# and warns of who may write it.
MAY_START = {"the executable is 8 GiB of nothing": ("serve", "run"), "the folder is everybody's to write": ("run",)}


def judged(programs, arguments, may_start):
    """What is wrong with how a command takes the trap: it refuses, in time, and says which bundle."""
    command = arguments[0]
    process = subprocess.Popen([programs.path("extension-host"), *arguments], stdin=subprocess.DEVNULL,
                               stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True, start_new_session=True)
    try:
        _, notes = process.communicate(timeout=20)
    except subprocess.TimeoutExpired:
        process.kill()
        _, notes = process.communicate()
        is_fine = "listening for" in notes and command in may_start
        return [] if is_fine else [f"{command} does not refuse it within 20 s"]
    faults = []
    if command in may_start and process.returncode >= 0 and ("warning" in notes or "error" in notes):
        return faults
    if process.returncode < 0:
        faults.append(f"{command} ended by signal {-process.returncode}")
    elif process.returncode == 0:
        faults.append(f"{command} takes it")
    elif "error:" not in notes or TOPIC not in notes:
        faults.append(f"{command} does not name it: {notes.strip()[:100]}")
    return faults
