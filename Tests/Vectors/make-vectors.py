# SPDX-License-Identifier: Apache-2.0
"""Writes the vectors in open/; README.md says what they are. The output never changes.

    python3 make-vectors.py            writes them
    python3 make-vectors.py --check    says which files differ, and writes nothing

It needs the packages cryptography and PyNaCl.
"""

import pathlib
import sys

from second import bodies, boxes, downgrades, envelopes, push
from second.files import Collection

FOLDER = pathlib.Path(__file__).parent / "open"


def collection():
    vectors = Collection()
    for subject in [envelopes, boxes, push, bodies, downgrades]:
        subject.add(vectors)
    assert len(vectors.texts) >= 150 and vectors.counts["refused"] >= 2 * vectors.counts["opens"]
    return vectors


def write(texts):
    FOLDER.mkdir(exist_ok=True)
    for path in FOLDER.glob("*.txt"):
        if path.stem not in texts:
            path.unlink()
    for name, text in texts.items():
        (FOLDER / f"{name}.txt").write_bytes(text.encode())


def differences(texts):
    found = {path.stem: path.read_bytes() for path in FOLDER.glob("*.txt")}
    return sorted(name for name in found.keys() | texts.keys() if found.get(name) != texts.get(name, "").encode())


def main():
    vectors = collection()
    if sys.argv[1:] == ["--check"]:
        wrong = differences(vectors.texts)
        for name in wrong:
            print(f"make-vectors: error: open/{name}.txt is not what this program writes", file=sys.stderr)
        if wrong:
            sys.exit(1)
    elif sys.argv[1:]:
        print("make-vectors: error: unknown argument\nmake-vectors: hint: make-vectors.py [--check]", file=sys.stderr)
        sys.exit(2)
    else:
        write(vectors.texts)
    print(f"{len(vectors.texts)} vectors, {vectors.counts['opens']} open, {vectors.counts['refused']} are refused")


main()
