#!/usr/bin/env python3
"""Reads Tests/LeaderboardShareTests/Vectors/zone.json from docs/PROTOCOL.md and its other pages alone.

A second, slow implementation of what they say of a group's keys, ledger, roots, rows, tokens and of joining it.
"""
import base64
import json
import pathlib
import sys

sys.dont_write_bytecode = True
from primitives import (  # noqa: E402
    blake2b, cbor, derive, ed25519_public, ed25519_verify, encode, items, unseal, unseal_once, x25519)

ROOT = pathlib.Path(__file__).resolve().parent.parent
PAGE = ROOT / "Tests/LeaderboardShareTests/Vectors/zone.json"
(GENESIS, ENTER, REMOVE, ROTATE, SEAL, LEAVE, END, INVITE, REVOKE, WORD, TITLE, SUSPEND, UNSUSPEND, OFFER,
 CLOSE) = range(15)
NAMES = {1: "viewer", 2: "member", 3: "admin", 4: "owner"}
PEOPLE = ("owner", "joiner", "carol")


def H(message, person):
    return blake2b(256, message, person=person.encode())


def read(page):
    """All values that are bytes, as such."""
    def value(name, text):
        try:
            return text if name == "keyVersion" else bytes.fromhex(text)
        except ValueError:
            return text
    return {name: {key: value(key, text) for key, text in section.items()} for name, section in page.items()}


# 3: keys

def check_keys(page):
    keys = page["keys"]
    for name in PEOPLE + ("tablet",):
        secret, tag = keys[name + "'s device secret"], keys[name + "'s tag"]
        assert ed25519_public(keys[name + "'s seed"]) == keys[name + "'s person"]
        assert ed25519_public(derive(secret, "device/lane", tag)) == keys[name + "'s lane"]
        assert x25519(derive(secret, "device/seal", tag)) == keys[name + "'s seal key"]
        first = "joiner" if name == "tablet" else name
        assert member_of(keys[name + "'s person"], keys[first + "'s lane"]) == keys[name + "'s member"]
    reading = derive(page["root 1"]["root"], "root/read")
    assert derive(reading, "group/slot") == keys["K_slot"] and derive(reading, "group/title") == keys["K_title"]
    for root in (page["root 1"], page["root 2"]):
        repl, reading = derive(root["root"], "root/repl"), derive(root["root"], "root/read")
        made = {
            "commitment to K_repl": H(repl, "kachat root"), "commitment to K_read": H(reading, "kachat root"),
            "K_disc": derive(repl, "repl/discovery"), "psk": derive(repl, "repl/session"),
            "K_meta": derive(reading, "read/meta"), "door": derive(repl, "repl/rendezvous")[:16],
            "K_disc(door)": derive(root["door"], "rendezvous/discovery"),
            "psk(door)": derive(root["door"], "rendezvous/session")}
        for name, value in made.items():
            assert value == root[name], name
        assert root["keyVersion"] == str(int.from_bytes(root["record"][:4], "big"))


def member_of(person, first_lane):
    return H(person + (first_lane or bytes(32)), "kachat member")


# 5.1: the ledger

class Control:
    def __init__(self, encoded):
        assert len(encoded) <= 4096
        (body, signature), end = cbor(encoded)
        assert end == len(encoded) and cbor(body)[1] == len(body)
        version, self.zone, self.signer, self.prev, self.kind, fields = cbor(body)[0]
        self.hash, self.fields, self.encoded = H(body, "kachat ledger"), items(fields), encoded
        assert version == 2 and ed25519_verify(signature, self.hash, self.signer)
        assert (self.prev == b"") == (self.kind in (GENESIS, ENTER, REMOVE))
        assert (self.zone == b"") == (self.kind == GENESIS)
        if self.kind == ENTER:
            self.check_enter()
        if self.kind == REMOVE:
            self.member = member_of(self.signer, self.fields[0])

    def check_enter(self):
        person, first, replica, seal_key, succeeds, door = self.fields[:6]
        self.member = member_of(person, first)
        self.ticket = None
        if door in (1, 2):
            signer, signature = (person, self.fields[6]) if door == 1 else self.fields[6:8]
            message = H(self.zone + self.signer + self.member + bytes([replica]) + seal_key
                        + (succeeds or bytes(32)), "kachat endorse")
            assert ed25519_verify(signature, message, signer)
        if door == 3:
            invite, index, key, proof = self.fields[6:10]
            self.ticket = (invite, index)
            message = H(self.zone + invite + bytes([index]) + self.member, "kachat ticket")
            assert ed25519_verify(proof, message, key)
        assert door == 1 or door == 2 or self.signer == first


def read_ledger(page):
    """The control records by their numbers, each with its title."""
    controls = {}
    for name, value in page["ledger"].items():
        number, _, title = name.partition(" ")
        if title == "hash":
            assert controls[number][1].hash == value
        else:
            controls[number] = (title, Control(value))
    genesis = controls["1"][1]
    group, keys = page["keys"]["group"], page["keys"]
    assert genesis.kind == GENESIS and genesis.hash == group == page["root 1"]["record"]
    assert genesis.fields == [keys["owner's person"], keys["owner's lane"], 500, page["root 1"]["commitment to K_repl"],
                              page["root 1"]["commitment to K_read"]]
    assert all(control.zone == group for _, control in list(controls.values())[1:])
    return controls


class State:
    """By the eleven rules, in their order, without any regard to bounds or to how long it takes."""

    def __init__(self, controls, rows):
        self.genesis = controls[0]
        self.records = sorted(controls[1:], key=lambda record: record.hash)
        self.by_hash = {record.hash: record for record in self.records}
        self.rows = rows
        self.owner = member_of(self.genesis.fields[0], self.genesis.fields[1])
        self.lane = {record.hash: self.lane_of(record) for record in self.records}
        self.find_rooted()
        self.judge_words()
        self.find_members()
        self.find_left_and_suspended()
        self.find_held()

    def lane_of(self, record):
        """The pair of key and member of its tree; None if it hangs in the air."""
        signer = record.signer
        while record is not None and record.kind not in (ENTER, REMOVE):
            record = self.by_hash.get(record.prev)
        return (signer, record.member) if record and record.kind == ENTER and record.signer == signer else None

    def of_kind(self, kind):
        return [record for record in self.records if record.kind == kind]

    def find_rooted(self):
        self.removed = {}
        for remove in self.of_kind(REMOVE):
            for lane in remove.fields[1]:
                heads, children = self.removed.setdefault((lane, remove.member), (set(), set()))
                heads.update(remove.fields[2])
                children.update(remove.fields[4])
        self.rooted, before = set(), None
        while before != len(self.rooted):
            before = len(self.rooted)
            for enter in self.of_kind(ENTER):
                up = (enter.fields[6], enter.member) if enter.fields[5] == 2 else None
                if self.lane[enter.hash] in self.removed:
                    continue
                if up is None or up in self.rooted or up in self.removed and enter.hash in self.removed[up][1]:
                    self.rooted.add(self.lane[enter.hash])

    def behind(self, heads):
        found = set()
        for head in heads:
            while head in self.by_hash and head not in found:
                found.add(head)
                head = self.by_hash[head].prev
        return found

    def stays(self, record):
        lane = self.lane[record.hash]
        return record.hash in self.behind(self.removed[lane][0]) if lane in self.removed else lane in self.rooted

    def of_member(self, kind, member):
        return [record for record in self.of_kind(kind)
                if self.lane[record.hash] and self.lane[record.hash][1] == member and self.stays(record)]

    def judge_words(self):
        closes = self.of_member(CLOSE, self.owner)
        self.closed, self.ends = bool(closes), {head for close in closes for head in close.fields[0]}
        self.words, self.used = {}, {}
        for word in self.of_member(WORD, self.owner):
            member, _, revision, _, _ = word.fields[:5]
            if len(word.fields) > 5:
                invite = self.by_hash.get(word.fields[6])
                if revision == 1 and word.fields[5] == self.owner and not (invite and self.stays(invite)):
                    continue
                self.used[(word.fields[6], word.fields[7])] = member
            self.words.setdefault(member, []).append(word)
        self.dismissed = {member for member, words in self.words.items() if any(word.fields[1] == 0 for word in words)}

    def is_live(self, record):
        return not self.closed or record.hash in self.behind(self.ends)

    def find_members(self):
        self.roles = {self.owner: 4}
        for member, words in self.words.items():
            newest = max(words, key=lambda word: (word.fields[2], word.hash))
            self.roles[member] = 0 if member in self.dismissed else newest.fields[1]
        revoked = {revoke.fields[0] for revoke in self.of_member(REVOKE, self.owner)}
        self.open = [invite for invite in self.of_member(INVITE, self.owner) if invite.hash not in revoked]
        claims = {}
        for enter in self.of_kind(ENTER):
            invite = enter.ticket and next((one for one in self.open if one.hash == enter.ticket[0]), None)
            if (invite and enter.member not in self.words and enter.ticket not in self.used and self.is_live(enter)
                    and self.stays(enter) and invite.fields[2][enter.ticket[1]] == enter.fields[8]):
                claims.setdefault(enter.ticket, set()).add((enter.member, invite.fields[0]))
        for (invite, index), rivals in claims.items():
            member, role = min(rivals, key=lambda one: H(invite + bytes([index]) + one[0], "kachat claim"))
            self.roles[member] = max(role, self.roles.get(member, 0))

    def find_left_and_suspended(self):
        self.left = {self.lane[leave.hash][1] for leave in self.of_kind(LEAVE) if self.lane[leave.hash]
                     and self.stays(leave) and self.is_live(leave)
                     and 0 < self.roles.get(self.lane[leave.hash][1], 0) < 4}
        lifted = {one.fields[0] for one in self.of_member(UNSUSPEND, self.owner)}
        self.suspended = {one.fields[0] for one in self.of_member(SUSPEND, self.owner) if one.hash not in lifted}

    def is_in(self, member):
        return self.roles.get(member, 0) > 0 and member not in self.left

    def stands(self, lane):
        return lane in self.rooted and self.is_in(lane[1])

    # Roots, for who holds those of the page

    def counting_roots(self):
        """R1 and the Rotates that count, each with its number and what is gone of what it covers."""
        gone = {word.hash for words in self.words.values() for word in words if word.fields[1] == 0}
        gone |= {remove.hash for remove in self.of_kind(REMOVE) if self.is_in(remove.member)}
        steps = {self.genesis.hash: (0, set())}
        for rotate in sorted(self.of_member(ROTATE, self.owner), key=lambda one: one.fields[0]):
            tips = [tip[0] for tip in rotate.fields[4]]
            if all(tip in steps for tip in tips) and rotate.fields[0] == 1 + max(steps[tip][0] for tip in tips):
                covered = gone & set(rotate.fields[3])
                steps[rotate.hash] = (rotate.fields[0], covered.union(*(steps[tip][1] for tip in tips)))
        return steps, gone

    def newest_root(self):
        steps, gone = self.counting_roots()
        newest = min(steps, key=lambda root: (-steps[root][0], root))
        return newest, gone - steps[newest][1] != set()

    # 5.2: rows

    def find_held(self):
        if self.closed:
            roots = {int.from_bytes(root[:4], "big") for root in self.counting_roots()[0]}
            self.rows = [row for row in self.rows if row["root"] in roots]

    def counts(self, row):
        if row not in self.rows:
            return False
        lane = (row["lane"], row["member"])
        words = self.words.get(row["member"], [])
        named = {head for word in words for head in word.fields[4]}
        if lane in self.removed:
            if not self.behind(self.removed[lane][0]):
                return False
        elif lane not in self.rooted:
            return False
        if row["member"] in self.dismissed:
            if not any(self.lane.get(head) == lane for head in named):
                return False
        elif not self.roles.get(row["member"], 0):
            return False
        lists = [self.removed[lane][0]] if lane in self.removed else []
        lists += [self.ends] if self.closed else []
        if self.roles.get(row["member"], 0) < row["need"]:
            lists.append({head for word in words if word.fields[3] >= row["need"] for head in word.fields[4]})
        return all(self.is_behind(row, heads) for heads in lists)

    def is_behind(self, row, heads):
        names = {one["name"]: one for one in self.rows}
        for head in heads:
            while head in names:
                if head == row["name"]:
                    return True
                head = names[head]["prev"]
        return False


def check_states(page, controls, rows):
    keys = page["keys"]
    members = {name: keys[name + "'s member"] for name in PEOPLE}
    lanes = {name: (keys[name + "'s lane"], keys[name + "'s member"]) for name in PEOPLE + ("tablet",)}
    titles = {control.hash: title for title, control in controls.values()}
    for name, expected in page["states"].items():
        state = State([controls[number][1] for number in name.split()], rows)
        root, is_due = state.newest_root()

        def listed(found):
            return " ".join(one for one in PEOPLE if members[one] in found)
        roles = ["%s %s" % (one, NAMES[state.roles[members[one]]]) for one in PEOPLE if state.is_in(members[one])]
        found = "; ".join([
            "members: " + ", ".join(roles), "lanes: " + " ".join(one for one in lanes if state.stands(lanes[one])),
            "confirmed: " + listed(state.words), "removed: " + listed(state.dismissed), "left: " + listed(state.left),
            "suspended: " + listed(state.suspended), "open: %d" % len(state.open), "root: " + titles[root],
            "due: " + str(is_due).lower(), "closed: " + str(state.closed).lower(),
            "counting: " + ", ".join(row["title"] for row in rows if state.counts(row))])
        assert found == expected, (name, found, expected)


# 5.3: roots, and the title

def check_seals(page, controls):
    by_title = {title: control for title, control in controls.values()}
    first, second = page["root 1"], page["root 2"]
    rotate, seal = by_title["Rotate"], by_title["Seal"]
    assert rotate.hash == second["record"] and seal.fields[0] == rotate.hash
    number, replication, reading, covers, tips = rotate.fields
    assert (number, covers) == (1, [by_title["Word that dismisses carol"].hash])
    assert (replication, reading) == (second["commitment to K_repl"], second["commitment to K_read"])
    tip, sealed = tips[0]
    assert tip == first["record"] and unseal_once(derive(second["root"], "root/tip", tip), sealed) == first["root"]
    _, ephemeral, entries = seal.fields
    keys = page["keys"]
    for recipient, sealed in entries:
        name = next(one for one in ("joiner", "tablet") if keys[one + "'s lane"] == recipient)
        secret = derive(keys[name + "'s device secret"], "device/seal", keys[name + "'s tag"])
        key = derive(x25519(secret, ephemeral), "root/seal", ephemeral + rotate.hash + recipient)
        assert unseal_once(key, sealed) == second["root"]
    title = unseal(keys["K_title"], keys["group"], by_title["Title"].fields[1])
    assert cbor(title)[0] == ["Family", "Grüße"]


# 4, 13.2: rows

def check_row(title, example, page):
    (version, lane, seq, slot, kind, root, prev, size, blob_hash, sealed, signature), end = cbor(example["record"])
    assert end == len(example["record"]) <= 4096 and (version, kind, size, blob_hash) == (1, 3, 0, b"")
    bare = encode([version, lane, seq, slot, kind, root, prev, size, blob_hash, sealed, b""])
    assert ed25519_verify(signature, H(page["keys"]["group"] + bare, "kachat record"), lane)
    assert encode([version, lane, seq, slot, kind, root, prev, 0, b""]) == example["meta's associated data"]
    used = next(page[name] for name in ("root 1", "root 2")
                if int.from_bytes(page[name]["record"][:4], "big") == root)
    number, tag, fields = cbor(unseal(used["K_meta"], example["meta's associated data"], sealed))[0]
    assert (tag, fields) == (b"", example["fields"])
    value = cbor(fields)[0]
    names = {17: lambda: "score.%s|%s|%s" % (value[1].hex(), date(value[2]), uuid(value[3])),
             18: lambda: "game." + uuid(cbor(value[1])[0][1]), 19: lambda: "name." + value[1].hex()}
    assert names[number]() == example["slot name"]
    assert blake2b(128, example["slot name"].encode() + bytes(16), page["keys"]["K_slot"], b"kachat slot") == slot
    assert blake2b(256, example["record"]) == example["hash"]
    assert example["name"] == seq.to_bytes(8, "big") + example["hash"][:24]
    return {"title": title, "lane": lane, "name": example["name"], "prev": prev, "need": {17: 2, 18: 3, 19: 1}[number],
            "member": value[0] if number == 18 else value[1], "root": root}


# 13.4: tokens

def check_tickets(page):
    tickets = page["tickets"]
    for node, side in ((64, 0), (65, 1)):
        assert blake2b(128, tickets["node 32"] + bytes([side]), person=b"kachat tree") == tickets["node %d" % node]
        seed = H(tickets["node %d" % node], "kachat leaf")
        assert ed25519_public(seed) == tickets["ticket %d" % side]
    invite = next(value for name, value in page["ledger"].items() if name.endswith(" Invite"))
    token = tickets["token's bytes"]
    assert untexted(tickets["token"]) == token
    nodes = {"token": [(32, "node 32")], "token of ticket 0": [(64, "node 64")],
             "token of ticket 1": [(65, "node 65")]}
    for name, under in nodes.items():
        made = bytes([2]) + page["keys"]["group"] + Control(invite).hash + bytes([2]) + page["root 1"]["door"]
        made += bytes([6]) + b"Family" + bytes([len(under)])
        for number, node in under:
            made += bytes([number]) + tickets[node]
        made += bytes([6, 127, 0, 0, 1]) + (4711).to_bytes(2, "big")
        made += bytes([18]) + b"\x20" * 16 + (4711).to_bytes(2, "big")
        made += blake2b(128, made, person=b"kachat token sum")[:3]
        assert untexted(tickets[name]) == made and len(tickets[name]) <= 300
    assert Control(invite).fields[2] == [tickets["ticket 0"], tickets["ticket 1"]]


# 13.5: joining

def check_joining(page, controls):
    joining, keys, h = page["joining"], page["keys"], page["joining"]["h"]
    by_title = {title: control for title, control in controls.values()}

    def hashes(*titles):
        return {by_title[title].hash for title in titles}

    def shown(records):
        return {Control(record).hash for record in records}

    signature, enters = items(joining["KNOCK"], 1)
    assert joining["KNOCK"][0] == 32
    assert ed25519_verify(signature, b"kachat/join/knock" + h, keys["joiner's lane"])
    made = [Control(enter) for enter in enters]
    assert {enter.ticket[1] for enter in made} == {0, 1}
    assert all((enter.signer, enter.member) == (keys["joiner's lane"], keys["joiner's member"]) for enter in made)

    lane, signature, genesis, root, records = items(joining["WELCOME"], 1)
    assert joining["WELCOME"][0] == 33 and lane == keys["owner's lane"]
    assert ed25519_verify(signature, b"kachat/join/answer" + h + bytes([33, 0]), lane)
    assert Control(genesis).hash == keys["group"] and root == page["root 1"]["root"]
    assert shown(records) == hashes("joiner's Enter", "Invite", "owner's Enter")

    reason, lane, signature, genesis, records = items(joining["REFUSED"], 1)
    assert joining["REFUSED"][0] == 34 and reason == 2 and Control(genesis).hash == keys["group"]
    assert ed25519_verify(signature, b"kachat/join/answer" + h + bytes([34, reason]), lane)
    assert shown(records) == hashes("Invite", "Revoke", "owner's Enter")

    # 5.4
    def sequence(name):
        return shown([encode(record) for record in items(joining[name])])
    assert sequence("VOUCH of joiner") == hashes("joiner's Enter", "Invite", "owner's Enter")
    dismissal = hashes("Word that dismisses carol", "owner's Enter", "carol's Enter")
    assert sequence("DISMISS of carol") == dismissal


def date(day):
    """yyyymmdd of a day since 1970-01-01."""
    year, left = 1970, day
    while True:
        leap = year % 4 == 0 and (year % 100 != 0 or year % 400 == 0)
        lengths = [31, 29 if leap else 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31]
        if left < sum(lengths):
            break
        year, left = year + 1, left - sum(lengths)
    month = 0
    while left >= lengths[month]:
        month, left = month + 1, left - lengths[month]
    return "%04d%02d%02d" % (year, month + 1, left + 1)


def uuid(number):
    digits = number.hex()
    return "-".join([digits[:8], digits[8:12], digits[12:16], digits[16:20], digits[20:]])


def untexted(token):
    """The bytes of a token's text, each group of whose characters is checked."""
    letters = "abcdefghijklmnopqrstuvwxyz234567"
    digits = [letters.index(one) for one in token.removeprefix("kachat:").replace("-", "")]
    content = []
    for number, start in enumerate(range(0, len(digits), 20)):
        group, total = digits[start:start + 20], 0
        for digit in group:
            total = (total << 1 ^ (0b100101 if total & 16 else 0)) ^ digit
        assert total == number % 31 + 1
        content += group[:-1]
    joined = "".join(letters[digit] for digit in content).upper()
    return base64.b32decode(joined + "=" * (-len(joined) % 8))


def main():
    page = read(json.loads(PAGE.read_text()))
    check_keys(page)
    controls = read_ledger(page)
    rows = [check_row(name.partition(": ")[2], section, page)
            for name, section in page.items() if name.startswith("row ")]
    check_seals(page, controls)
    check_tickets(page)
    check_states(page, controls, rows)
    check_joining(page, controls)
    print("the examples of groups are what docs/PROTOCOL.md says")


if __name__ == "__main__":
    main()
