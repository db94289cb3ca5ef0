# SPDX-License-Identifier: Apache-2.0
"""The figures themselves: each a row with what it measures, its value now, its bar, and where to look."""
import collections
import dataclasses
import pathlib
import re
import shutil
import subprocess

import comments
import graph
import markdown
import swift
import walk

CHECK_CIRCLES = pathlib.Path(__file__).resolve().parent.parent.parent / "scripts" / "check-circles"
OUR_KINDS = {"actor", "class", "enum", "protocol", "struct"}
WALK = "Tests/Figures/push-walk.txt"
WORDS = {"README.md": 1200, "SECURITY.md": 500, "ARCHITECTURE.md": 2500}
# What a change of this kind must touch is what names the youngest of its kind, outside the files that are its own.
YOUNGEST = [
    ("a seal format", r"[Hh]omeAssistant", "E2ECrypto/Formats/HomeAssistant.swift", 1),
    ("a remote sink", r"ConfiguredWebhook", "ExtensionHost/Configuration/Sinks/ConfiguredWebhook.swift", 1),
    ("an app key", r"critical-alerts|allowsCritical(?:Alerts)?|criticalAlerts", "", 2),
]


@dataclasses.dataclass
class Figure:
    """One row; `now` is None where this machine cannot measure it, and `where` then says why."""
    name: str
    now: float | None
    bar: float
    where: list[str] = dataclasses.field(default_factory=list)

    @property
    def holds(self):
        return self.now is None or self.now <= self.bar


def names(root):
    """What is tracked or about to be, and is there."""
    command = ["git", "-C", str(root), "ls-files", "-z", "--cached", "--others", "--exclude-standard"]
    listed = subprocess.run(command, check=True, stdout=subprocess.PIPE).stdout.decode().split("\0")
    return sorted(name for name in set(listed) if name and (pathlib.Path(root) / name).is_file())


def sources(root, folder="Sources/"):
    """Path and text of each Swift file below a folder."""
    return {name: (pathlib.Path(root) / name).read_text(errors="replace")
            for name in names(root) if name.startswith(folder) and name.endswith(".swift")}


class Checkout:
    """The sources as they stand on disk, tracked or about to be."""

    def __init__(self, root):
        self.root = pathlib.Path(root)
        self.names = names(self.root)
        self.swift = sources(self.root)
        self.code = {name: swift.blank(text) for name, text in self.swift.items()}
        self.modules = {}
        for name, code in self.code.items():
            self.modules.setdefault(module(name), {})[name] = code

    def read(self, name):
        return (self.root / name).read_text(errors="replace")


def module(name):
    """The folder of a source's target."""
    parts = name.split("/")
    return parts[2] if parts[1] == "Shims" else parts[1]


def is_apples(name):
    """Whether the file belongs to a module whose types, and what they can do, are those of a framework of Apple's."""
    return name.startswith("Sources/Shims/") or module(name) in ("UserNotifications", "UserNotificationsUI")


def files_per_type(checkout):
    """For each module its type that the most files declare or extend, as (files, module, type), most first.

    The types of Apple's frameworks are not ours to cut in two, and do not count.

    Extensions in another module count for the type of ours that the file can see: one of its own, else of its imports.
    """
    declared, found = {}, {}
    for name, code in checkout.code.items():
        for kind, full, _ in swift.declarations(code):
            if kind in OUR_KINDS and not is_apples(name):
                declared.setdefault(full, set()).add(module(name))
    for name, code in checkout.code.items():
        seen = [module(name), *swift.IMPORT.findall(code)]
        for kind, full, _ in swift.declarations(code):
            owner = next((one for one in seen if one in declared.get(full, ())), None)
            if owner and (kind in OUR_KINDS or kind == "extension"):
                found.setdefault((owner, full), set()).add(name)
    widest = {}
    for (owner, full), files in found.items():
        widest[owner] = max(widest.get(owner, (0, "", "", [])), (len(files), owner, full, sorted(files)))
    return sorted(widest.values(), key=lambda row: (-row[0], row[1]))


def widest_type(checkout):
    rows = files_per_type(checkout)
    where = [f"{files} {owner}.{full}: " + ", ".join(name.split("/")[-1] for name in names)
             for files, owner, full, names in rows if files > 1]
    return Figure("most files of one type of ours", rows[0][0] if rows else 0, 5, where)


def open_state(checkout, owner="WorkerSupervisor", type_name="WorkerSupervisor"):
    bodies = [body for code in checkout.modules.get(owner, {}).values()
              for kind, full, body in swift.declarations(code) if kind in OUR_KINDS and full == type_name]
    stored = [row for body in bodies for row in swift.stored_properties(body)]
    shown = [name for before, name in stored if not {"private", "fileprivate"} & set(before)]
    where = [f"of {len(stored)}: {', '.join(shown)}"] if bodies else [f"no type {type_name}"]
    return Figure(f"stored properties of {type_name} that are not private", len(shown) if bodies else None, 3, where)


def largest_circle(checkout, owner, bar):
    files = checkout.modules.get(owner, {})
    found = graph.circles(graph.arrows(files))
    where = [f"{len(circle)} of {len(files)}: " + ", ".join(name.split("/")[-1] for name in circle) for circle in found]
    return Figure(f"files in the largest circle of {owner}", len(found[0]) if found else 0, bar, where)


def launcher_circle(checkout):
    """What scripts/check-circles says of the C launcher; it asks clang and nm."""
    name = "files in the largest circle of worker-launcher"
    if not (checkout.root / "Sources/worker-launcher").is_dir():
        return Figure(name, None, 0, ["not there"])
    if not shutil.which("clang") or not shutil.which("nm"):
        return Figure(name, None, 0, ["clang or nm is missing"])
    run = subprocess.run([CHECK_CIRCLES, "Sources/worker-launcher"], cwd=checkout.root, text=True,
                         stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    if run.returncode and not run.stdout:
        return Figure(name, None, 0, run.stderr.splitlines()[:1])
    told = run.stdout.splitlines()
    return Figure(name, max((line.count("; ") + 1 for line in told), default=0), 0, told)


def fragment_share(checkout):
    count = sum(len(list(comments.paragraphs(text))) for text in checkout.swift.values())
    found = list(comments.fragments(checkout.swift))
    per_module = {}
    for name, _, _ in found:
        per_module[module(name)] = per_module.get(module(name), 0) + 1
    rows = [f"{number} in {owner}" for owner, number in sorted(per_module.items(), key=lambda row: -row[1])]
    return Figure(f"paragraphs of doc comments that open with a fragment, % ({len(found)} of {count})",
                  round(100 * len(found) / count, 1) if count else 0, 2, rows)


def documents(checkout):
    for name, bar in WORDS.items():
        there = (checkout.root / name).is_file()
        yield Figure(f"words of {name}", markdown.words(checkout.read(name)) if there else None, bar,
                     [] if there else ["not there"])
    wide = [f"{name}:{number}" for name in checkout.names if name.endswith(".md")
            for number, _ in markdown.wide(checkout.read(name))]
    yield Figure(f"Markdown lines over {markdown.COLUMNS} columns, outside tables and code", len(wide), 0, wide)


def files_to_edit(checkout):
    for what, pattern, own, bar in YOUNGEST:
        named = re.compile(rf"(?<![\w])(?:{pattern})(?![\w])")
        # Comments count for nothing, but texts do: a key is one.
        files = [name for name, text in checkout.swift.items()
                 if not (own and name.endswith(own)) and named.search(re.sub(r"//[^\n]*", "", text))]
        yield Figure(f"files to edit for {what}", len(files), bar, [name.split("/", 1)[1] for name in files])


def path_of_a_push(checkout):
    """The visits and the there-and-backs of the walk that is written down.

    A walk that the sources do not bear out ends the program: its figures would be those of other sources.
    """
    visited, back = "files visited on the path of a push, in turn", "there-and-back on that path"
    if not (checkout.root / WALK).is_file():
        yield from (Figure(name, None, bar, ["not there"]) for name, bar in ((visited, 80), (back, 10)))
        return
    code = {name.split("/", 1)[1]: code for name, code in checkout.code.items()}
    try:
        steps, returned = walk.read(checkout.read(WALK), code)
    except walk.Broken as broken:
        lines = [f"figures: error: {WALK}:{line}" for line in str(broken).splitlines()]
        hint = "figures: hint: walk the path through the sources again, from that line on"
        raise SystemExit("\n".join([*lines, hint]))
    visits = [step for step in steps if step.does]
    yield Figure(visited, len(visits), 80, [*legs(steps), most_visited(visits)])
    again = sum(1 for _, why in returned if why.startswith(walk.AGAIN))
    yield Figure(back, len(returned), 10, [f"{len(returned) - again} {walk.AT_WORK}, {again} {walk.AGAIN}"] + [
        f"{WALK}:{step.line} {step.name}, {step.function}: {why}" for step, why in returned])


def legs(steps):
    for leg, name in walk.LEGS.items():
        own = [step for step in steps if step.leg == leg]
        visits = sum(1 for step in own if step.does)
        yield f"{name}: {visits} visits in {len(own)} steps, {len({step.file for step in own})} files"


def most_visited(visits):
    counts = collections.Counter(step.name for step in visits)
    return "most: " + ", ".join(f"{name} {count}" for name, count in counts.most_common(10))


def all_figures(checkout):
    yield widest_type(checkout)
    yield open_state(checkout)
    yield largest_circle(checkout, "Ingress", 5)
    yield largest_circle(checkout, "WorkerSupervisor", 0)
    yield launcher_circle(checkout)
    yield fragment_share(checkout)
    yield from documents(checkout)
    yield from files_to_edit(checkout)
    yield from path_of_a_push(checkout)
