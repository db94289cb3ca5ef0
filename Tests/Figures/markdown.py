# SPDX-License-Identifier: Apache-2.0
"""Documents: what is prose in them, how wide and how long it is."""

COLUMNS = 120


def prose(text):
    """Number and text of each line outside code."""
    in_code = False
    for number, line in enumerate(text.split("\n"), 1):
        if line.lstrip().startswith("```"):
            in_code = not in_code
        elif not in_code:
            yield number, line


def words(text):
    """Words as wc counts them, without code."""
    return sum(len(line.split()) for _, line in prose(text))


def wide(text):
    """Number and width of each line that is too wide, outside code and tables."""
    for number, line in prose(text):
        if len(line) > COLUMNS and not line.lstrip().startswith("|"):
            yield number, len(line)
