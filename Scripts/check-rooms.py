#!/usr/bin/env python3
"""Checks two rules of the house that no single file shows: the rooms of a module refer to each other in one
direction, and a type has at most 40 methods and 20 stored members wherever they stand.

It reads names, as swift-format has set the lines, and resolves no types. `check-rooms.py [ROOT]`; exit status 1 and a
line for each fault."""

import collections
import os
import re
import sys

METHODS, STORED = 40, 20

# Types that are still more: methods, stored members. The numbers fall; ARCHITECTURE.md says why each is there.
LARGE = {
    "Chat.ChatState": (83, 22),
    "Gossip.NodeMachine": (54, 20),
    "Gossip.PeerSession": (40, 45),
    "Gossip.ZoneSync": (96, 20),
    "KaChatClient.NodeClient": (104, 20),
    "Ledger.LedgerState": (49, 20),
    "LeaderboardShare.GroupZone": (47, 20),
    "SyncState.ZoneStatements": (40, 33),
    "SyncState.ZoneStore": (116, 27),
    "Simulator.World": (64, 20),
}

KINDS = ("struct", "class", "enum", "actor", "extension", "protocol")
MODIFIERS = r"(?:(?:public|package|private|fileprivate|internal|final|indirect|static|mutating|override|convenience" \
    r"|weak|unowned|lazy|nonisolated|required|private\(set\)|package\(set\)|package private\(set\)|@\w+(?:\([^)]*\))?) )*"
TYPE = re.compile(r"^" + MODIFIERS + r"(struct|class|enum|protocol|actor|extension|typealias) ([A-Za-z_]\w*)")
METHOD = re.compile(r"^    " + MODIFIERS + r"(?:func|init|subscript)\b")
MEMBER = re.compile(r"^    " + MODIFIERS + r"(?:func|let|var) (\w+)")
STORED_MEMBER = re.compile(r"^    (?!.*\bstatic\b)" + MODIFIERS + r"(?:let|var) (.*)$")


def code(text):
    """The text without comments and string literals, but with what is interpolated in them."""
    text = re.sub(r"//[^\n]*", "", text)
    text = re.sub(r'"""(.*?)"""', lambda m: " ".join(re.findall(r"\\\((.*?)\)", m[1])), text, flags=re.S)
    return re.sub(r'"(?:\\.|[^"\\\n])*"', lambda m: " ".join(re.findall(r"\\\(([^\"]*)\)", m[0])), text)


def modules(root):
    for base in ("Sources", "Tools"):
        top = os.path.join(root, base)
        for module in sorted(os.listdir(top)) if os.path.isdir(top) else []:
            files = {}
            for folder, _, names in os.walk(os.path.join(top, module)):
                for name in names:
                    if name.endswith(".swift"):
                        path = os.path.join(folder, name)
                        with open(path, encoding="utf-8") as file:
                            files[os.path.relpath(path, os.path.join(top, module))] = code(file.read())
            if files:
                yield module, files


def room(path):
    """A folder, or a single file that lies in none. The root of a module has what all its folders read, such as its
    limits, beside what puts them together. As one room it would be below them and above; as one room each, none may be
    both."""
    return os.path.dirname(path) or path


def circles(files):
    """Rooms that reach themselves by way of a folder, each with a reference on the way."""
    home = collections.defaultdict(set)
    for path, text in files.items():
        owner = None
        for line in text.split("\n"):
            match = TYPE.match(line)
            if line and line[0].isalpha():
                owner = match[2] if match else None
            if match and match[1] != "extension":
                home[owner].add(room(path))
            # A type of another room may have members here, by an extension.
            match = MEMBER.match(line)
            if match and owner:
                home[f"{owner}.{match[1]}"].add(room(path))
    arrows = collections.defaultdict(dict)
    for path, text in files.items():
        here = room(path)
        for word in sorted(set(re.findall(r"\b[A-Z]\w*", text) + re.findall(r"\b[A-Z]\w*\.\w+", text))):
            # Of a name that several rooms give, nobody sees here which is meant.
            if len(home[word]) == 1 and here not in home[word]:
                arrows[here].setdefault(*home[word], f"{path} names {word}")

    def reached(start):
        seen, waiting = set(), [start]
        while waiting:
            for target in arrows.get(waiting.pop(), ()):
                if target not in seen:
                    seen.add(target)
                    waiting.append(target)
        return seen

    reach = {start: reached(start) for start in arrows}
    # Files of the root may name each other, like the files of a folder.
    folders = {start for start in arrows if start not in files and start in reach[start]}
    for start in sorted(reach):
        for target, example in sorted(arrows[start].items()):
            if any(start in reach[folder] and folder in reach.get(target, ()) for folder in folders):
                yield f"{start} -> {target}: {example}"


def sizes(files):
    """Methods and stored members of each type that the module declares or extends, also of those inside others."""
    methods, stored = collections.Counter(), collections.Counter()
    for text in files.values():
        # The types around a line, each with the column at which its members begin.
        around = []
        for line in text.split("\n"):
            bare = line.lstrip(" ")
            if not bare:
                continue
            column = len(line) - len(bare)
            while around and column < around[-1][0]:
                around.pop()
            match = TYPE.match(bare)
            if match and match[1] in KINDS and (around[-1][0] if around else 0) == column:
                outer = around[-1][1] + "." if around else ""
                if not bare.rstrip().endswith("}"):
                    around.append((column + 4, outer + match[2]))
            elif around and column == around[-1][0]:
                owner = around[-1][1]
                if METHOD.match("    " + bare):
                    methods[owner] += 1
                match = STORED_MEMBER.match("    " + bare)
                if match and ("{" not in match[1] or " = " in match[1].split("{")[0]):
                    # Several members may share a `let`.
                    shared = len(re.findall(r"^(\w+, )+", match[1])) * match[1].split(":")[0].count(",")
                    stored[owner] += 1 + shared
    return {owner: (methods[owner], stored[owner]) for owner in set(methods) | set(stored)}


def main(root):
    faults = []
    for module, files in modules(root):
        faults += [f"{module}: circle of folders: {arrow}" for arrow in circles(files)]
        for name, (methods, stored) in sorted(sizes(files).items()):
            # A model has the fields that its JSON has.
            members = 40 if module == "NodeModel" else STORED
            most = LARGE.get(f"{module}.{name}", (METHODS, members))
            if methods > most[0] or stored > most[1]:
                faults.append(
                    f"{module}.{name} has {methods} methods and {stored} stored members; at most {most[0]} and {most[1]}")
    print("\n".join(faults) if faults else "The house is in order.")
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1] if len(sys.argv) > 1 else os.path.join(os.path.dirname(os.path.abspath(__file__)), "..")))
