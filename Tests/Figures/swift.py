# SPDX-License-Identifier: Apache-2.0
"""What a Swift file declares and names, read without a compiler: comments and texts are blanked, braces are matched."""
import re

START = re.compile(r'//[^\n]*|/\*|(#*)("""|")')
NEST = re.compile(r"/\*|\*/")
IMPORT = re.compile(r"^.*\bimport\s+(?:(?:actor|class|enum|func|protocol|struct|typealias|var)\s+)?(\w+).*$", re.MULTILINE)
NAME = re.compile(r"\b[A-Z]\w*")
TYPE = re.compile(
    r"\b(?P<kind>actor|class|enum|extension|protocol|struct|typealias)\s+(?P<name>[A-Z]\w*(?:\s*\.\s*[A-Z]\w*)*)"
    r"|(?P<brace>[{}])"
)
PROPERTY = re.compile(r"^\s*(?P<before>(?:@?\w+(?:\([^)]*\))?\s+)*)(?:var|let)\s+(?P<name>\w+)(?P<rest>.*)$")


def blank(text):
    """The code with spaces in place of comments and texts, line by line as before.

    What stands in an interpolation stays.
    """
    parts, place = [], 0
    while match := START.search(text, place):
        parts.append(text[place:match.start()])
        if match.group(2):
            place = skip_text(text, match.end(), match.group(1), match.group(2), parts)
        else:
            place = match.end() if match.group()[1] == "/" else end_of_comment(text, match.end())
            parts.append(" " + "\n" * text.count("\n", match.start(), place))
    return "".join(parts) + text[place:]


def end_of_comment(text, place):
    depth = 1
    while depth and (match := NEST.search(text, place)):
        depth += 1 if match.group() == "/*" else -1
        place = match.end()
    return place if not depth else len(text)


def skip_text(text, place, hashes, quote, parts):
    """The place behind a text that began before `place`; what it interpolates goes to `parts`."""
    mark = re.compile(re.escape("\\" + hashes) + r"\(|" + (r"\\[^(]|" if not hashes else "") + re.escape(quote + hashes) + r"|\n")
    while match := mark.search(text, place):
        place = match.end()
        if match.group() == "\n":
            parts.append("\n")
        elif match.group() == quote + hashes:
            break
        elif match.group().endswith("("):
            end = end_of_parenthesis(text, place)
            parts.append(" " + blank(text[place:end]) + " ")
            place = end
    else:
        place = len(text)
    parts.append(" ")
    return place


def end_of_parenthesis(text, place):
    depth = 1
    while depth and place < len(text):
        match = START.match(text, place)
        if match and match.group(2):
            place = skip_text(text, match.end(), match.group(1), match.group(2), [])
            continue
        depth += {"(": 1, ")": -1}.get(text[place], 0)
        place += 1
    return place - 1


def declarations(code):
    """Kind, full name and body of each type that blanked code declares or extends, nested ones included."""
    found, open_types, waiting, depth = [], [], None, 0
    for match in TYPE.finditer(IMPORT.sub("", code)):
        if match.group("kind"):
            name = re.sub(r"\s", "", match.group("name"))
            outer = [open_type[1] for open_type in open_types]
            full = ".".join([*outer[-1:], name])
            waiting = (match.group("kind"), full, match.end())
            if waiting[0] == "typealias":
                found.append((*waiting[:2], ""))
                waiting = None
        elif match.group() == "{":
            depth += 1
            if waiting:
                open_types.append((waiting[0], waiting[1], match.end(), depth))
                waiting = None
        else:
            if open_types and open_types[-1][3] == depth:
                kind, full, start, _ = open_types.pop()
                found.append((kind, full, match.string[start:match.start()]))
            depth -= 1
    return found


def stored_properties(body):
    """Modifiers and name of each stored property of an instance, from the body of its type."""
    depth, found, lines = 0, [], body.split("\n")
    for number, line in enumerate(lines):
        match = PROPERTY.match(line) if depth == 0 else None
        if match and not re.search(r"\b(static|class)\b", match.group("before")):
            # A brace behind "=" is that of a value. What follows the other kind may stand in the next line.
            following = "\n".join([match.group("rest"), *lines[number + 1:number + 2]])
            accessors = re.match(r"[^=\n{]*(?:=[^\n]*)?\{\s*(didSet|willSet)\b|[^=\n{]*\{()", following)
            if not accessors or accessors.group(1):
                found.append((match.group("before").split(), match.group("name")))
        depth += sum({"{": 1, "(": 1, "[": 1, "}": -1, ")": -1, "]": -1}.get(letter, 0) for letter in line)
    return found
