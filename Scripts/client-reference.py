#!/usr/bin/env python3
"""Writes docs/CLIENT.md: the public types of the client library, made of their declarations and comments.

    client-reference.py [ROOT]            writes the page
    client-reference.py --check [ROOT]    exit status 1 if the page is not what the sources say

It reads the sources as swift-format has set the lines, and resolves no types."""
import os
import re
import sys

MODULES = ["KaChatClient", "KaChatNode", "NodeModel"]
HEAD = """# The client's types

This page is generated from the sources by `Scripts/client-reference.py`. Begin with [CHAT-APP](CHAT-APP.md) or
[SCORE-APP](SCORE-APP.md); [API](API.md) describes the requests behind the calls. Calls are `async` and throw
`ClientError`, but for those that return a sequence. Times are milliseconds since 1970 where nothing else is said.
"""
TYPE = re.compile(r"public (?:final )?(struct|class|enum|protocol|actor) (\w+)")
EXTENSION = re.compile(r"(?:public )?extension ([\w.]+)")
MEMBER = re.compile(r"(?:@discardableResult )?public (?:static |mutating |convenience )*(?:func|init|var|let)\b")


class Section:
    """A type, or an extension with calls: what is said of it, and its members."""

    def __init__(self, title, kind, about):
        self.title, self.kind, self.about = title, kind, about
        self.members = []


def declaration(lines, start):
    """The declaration that begins at a line, without its body, and without words that every one has."""
    text = ""
    for line in lines[start:]:
        text += (" " if text else "") + line.strip()
        angles = text.replace("->", "")
        if all(angles.count(one) == angles.count(other) for one, other in ("()", "[]", "<>")):
            break
    text = re.sub(r" \{.*$", "", text)
    text = re.sub(r"([(<]) (?=\S)", r"\1", text).replace(" )", ")")
    text = re.sub(r"(?<=\w) >", ">", text)
    text = text.replace("@discardableResult ", "").replace("public ", "").replace("package(set) ", "")
    text = text.replace(" async throws(ClientError)", "").replace("throws(ClientError)", "")
    # A default of a stored property says nothing to who reads it.
    return re.sub(r"^((?:static )?(?:var|let) \w+(?:: [^=]+)?) = .*$", r"\1", text).strip()


def inferred(text, lines, start):
    """The declaration with the type that its default implies."""
    match = re.search(r"\b(?:var|let) (\w+) = (.+?)(?: \{.*)?$", lines[start])
    if not match or ":" in text:
        return text
    value = match.group(2)
    kinds = [(r'^"', "String"), (r"^(true|false)$", "Bool"), (r"^\d[\d_]*$", "Int"), (r"^\d[\d_]*\.\d+$", "Double"),
             (r"^\[\]$", None), (r"^([A-Z][\w.]*?)(?:\.[a-z]\w*)?(?:\(.*\))?$", 1)]
    for pattern, kind in kinds:
        found = re.match(pattern, value)
        if found:
            return text + ": " + (found.group(1) if kind == 1 else kind) if kind else text
    return text


def paragraphs(comment):
    """The comment as lines of Markdown: its paragraphs, then what it says of parameters and errors. Code stays out."""
    blocks, inside = [""], False
    for line in comment:
        if line.startswith("```"):
            inside = not inside
            continue
        if inside:
            continue
        if re.match(r"\s*- ", line) or not line:
            blocks.append("")
        blocks[-1] = (blocks[-1] + " " + line.strip()).strip()
    said = []
    for block in (block for block in blocks if block):
        if block in ("- Parameters:", "- Returns:"):
            continue
        block = re.sub(r"^- (?:Parameter )?(Throws|Returns): ", r"- \1: ", block)
        block = re.sub(r"^- (?:Parameter )?(?!Throws|Returns)(\w+): ", r"- `\1`: ", block)
        said.append(block)
    return said


def read(path, sections):
    lines = open(path, encoding="utf-8").read().split("\n")
    comment, stack = [], []
    for number, line in enumerate(lines):
        indent = len(line) - len(line.lstrip())
        text = line.strip()
        if text.startswith("///"):
            comment.append(text[3:][1:] if text[3:4] == " " else text[3:])
            continue
        if text in ("", "@discardableResult", "@concurrent") or text.startswith("//"):
            if not text.startswith("@"):
                comment = []
            continue
        while stack and indent <= stack[-1][0]:
            stack.pop()
        outer = stack[-1][1] if stack else None
        found = TYPE.match(text)
        extension = EXTENSION.match(text) if indent == 0 else None
        if found:
            title = (outer.title + "." if outer else "") + found.group(2)
            section = sections.setdefault(title, Section(title, found.group(1), []))
            section.about = section.about or paragraphs(comment)
            section.kind = found.group(1)
            stack.append((indent, section))
        elif extension:
            about = paragraphs(comment)
            name = extension.group(1)
            title = name
            if about and name == "NodeClient":
                first, _, rest = about[0].partition(". ")
                title, about = name + ": " + first, ([rest] if rest else []) + about[1:]
            section = sections.setdefault(title, Section(title, "extension", about if title != name else []))
            stack.append((indent, section))
        elif outer and stack[-1][0] + 4 == indent:
            is_case = outer.kind == "enum" and text.startswith("case ")
            is_requirement = outer.kind == "protocol" and re.match(r"(func|var|init)\b", text)
            if MEMBER.match(text) or is_case or is_requirement:
                member = inferred(declaration(lines, number), lines, number)
                outer.members.append((member, paragraphs(comment)))
        comment = []


def page(root):
    sections = {}
    for module in MODULES:
        for folder, _, files in sorted(os.walk(os.path.join(root, "Sources", module))):
            for name in sorted(files):
                if name.endswith(".swift"):
                    read(os.path.join(folder, name), sections)
    shown = [section for section in sections.values()
             if section.members and not section.title.endswith(".AsyncIterator")]
    calls = [section for section in shown if section.title.startswith("NodeClient")]
    types = [section for section in shown if not section.title.startswith("NodeClient")]
    out = [HEAD, "# Calls"]
    for section in sorted(calls, key=lambda section: section.title):
        title = section.title.removeprefix("NodeClient: ").rstrip(".")
        out += ["", "## " + ("Making a client" if title == "NodeClient" else title)]
        out += text_of(section)
    out += ["", "# Types"]
    for section in sorted(types, key=lambda section: section.title):
        out += ["", "## `%s`" % section.title]
        out += text_of(section)
    return "\n".join(out) + "\n"


def text_of(section):
    out = []
    for block in section.about:
        out += ([] if block.startswith("- ") and out and out[-1].startswith("- ") else [""]) + [block]
    out.append("")
    for member, about in section.members:
        words = [block for block in about if not block.startswith("- ")]
        out.append("- `%s`%s" % (member, ": " + " ".join(words) if words else ""))
        out += ["  " + block for block in about if block.startswith("- ")]
    return out


def main():
    arguments = [argument for argument in sys.argv[1:] if argument != "--check"]
    root = arguments[0] if arguments else os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
    path = os.path.join(root, "docs", "CLIENT.md")
    made = page(root)
    if "--check" not in sys.argv:
        with open(path, "w", encoding="utf-8") as file:
            file.write(made)
        return 0
    held = open(path, encoding="utf-8").read() if os.path.exists(path) else ""
    if held == made:
        return 0
    differing = [line for line in made.split("\n") if line not in set(held.split("\n"))]
    print("docs/CLIENT.md is not what the sources say: run Scripts/client-reference.py. First new line:")
    print(differing[0] if differing else "(lines are gone)")
    return 1


if __name__ == "__main__":
    sys.exit(main())
