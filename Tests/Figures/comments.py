# SPDX-License-Identifier: Apache-2.0
"""Doc comments of Swift files, and those that open with a fragment: a word that only the declaration completes, as a
pronoun, a conjunction or a word that asks."""
import re

FRAGMENTS = set("""
    And As Because Beside But How If It Its Neither Nil Nor Not Of Or So Than That Their Then Those Though Unless Until
    What When Where Whether Which While Who Whom Whose Why
""".split())


def openings(text):
    """Number and first line of each doc comment."""
    in_comment = False
    for number, line in enumerate(text.split("\n"), 1):
        match = re.match(r"\s*///\s?(.*)", line)
        if match and not in_comment:
            yield number, match.group(1).strip()
        in_comment = bool(match)


def fragment(opening):
    """The fragment word that a comment opens with, or None. A code span such as `nil` is none."""
    word = re.match(r"[A-Za-z]*", opening).group()
    return word if word in FRAGMENTS else None


def fragments(files):
    """Path, line and word of each comment that opens with a fragment; `files` maps paths to text."""
    for path, text in sorted(files.items()):
        for number, opening in openings(text):
            if word := fragment(opening):
                yield path, number, word
