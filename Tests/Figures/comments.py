# SPDX-License-Identifier: Apache-2.0
"""Doc comments of Swift files, and those of which a paragraph opens with a fragment: a word that only the declaration
completes, as a pronoun, a conjunction or a word that asks."""
import re

FRAGMENTS = set("""
    And As Because Beside But How If It Its Neither Nil Nor Not Of Or So Than That Their Then Those Though Unless Until
    What When Where Whether Which While Who Whom Whose Why
""".split())


def fragment(opening):
    """The fragment word that a comment opens with, or None. A code span such as `nil` is none."""
    word = re.match(r"[A-Za-z]*", opening).group()
    return word if word in FRAGMENTS else None


def paragraphs(text):
    """Number and first line of each paragraph of a doc comment that is prose, its first one included."""
    is_between = True
    for number, line in enumerate(text.split("\n"), 1):
        match = re.match(r"\s*///\s?(.*)", line)
        prose = match.group(1).strip() if match else ""
        if prose and is_between:
            yield number, prose
        is_between = not prose


def fragments(files):
    """Path, line and word of each paragraph that opens with a fragment; `files` maps paths to text."""
    for path, text in sorted(files.items()):
        for number, opening in paragraphs(text):
            if word := fragment(opening):
                yield path, number, word


LONGEST = 120


def too_long(files):
    """Path, line and columns of each comment line that is longer than a line of code may be.

    The formatter breaks code, and leaves comments as they are. A line without a space cannot be broken.
    """
    for path, text in sorted(files.items()):
        for number, line in enumerate(text.split("\n"), 1):
            match = re.match(r"\s*///?\s(.*)", line)
            if match and len(line) > LONGEST and " " in match.group(1).strip():
                yield path, number, len(line)
