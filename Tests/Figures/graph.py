# SPDX-License-Identifier: Apache-2.0
"""Files that need each other: file A needs file B when A names a type that B declares."""
import swift


def arrows(files):
    """For each path of a module the paths that it needs; `files` maps paths to blanked code.

    A name that several files declare is that of the file itself if it is one of them, else of all.
    """
    owners = {}
    for path, code in files.items():
        for kind, name, _ in swift.declarations(code):
            if kind != "extension":
                owners.setdefault(name.split(".")[-1], set()).add(path)
    needed = {}
    for path, code in files.items():
        named = set(swift.NAME.findall(code)) & owners.keys()
        needed[path] = set().union(*(owners[name] for name in named if path not in owners[name])) if named else set()
    return needed


def circles(needed):
    """The strongly connected groups of more than one file, largest first (Tarjan, without recursion)."""
    order, low, stack, found = {}, {}, [], []
    for root in sorted(needed):
        if root in order:
            continue
        order[root] = low[root] = len(order)
        stack.append(root)
        work = [(root, iter(sorted(needed[root])))]
        while work:
            file, others = work[-1]
            for other in others:
                if other not in order:
                    order[other] = low[other] = len(order)
                    stack.append(other)
                    work.append((other, iter(sorted(needed.get(other, ())))))
                    break
                if other in stack:
                    low[file] = min(low[file], order[other])
            else:
                work.pop()
                if work:
                    low[work[-1][0]] = min(low[work[-1][0]], low[file])
                if low[file] == order[file]:
                    group = stack[stack.index(file):]
                    del stack[stack.index(file):]
                    if len(group) > 1:
                        found.append(sorted(group))
    return sorted(found, key=len, reverse=True)
