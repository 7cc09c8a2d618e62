#!/usr/bin/env python3
"""Reads Tests/LeaderboardShareTests/Vectors, groups.json and zone.json, from docs/PROTOCOL.md, section 13, alone.

A second, slow implementation of what the page says of a group's keys, records, seals, state and of joining it.
"""
import base64
import json
import pathlib
import sys

sys.dont_write_bytecode = True
from primitives import (  # noqa: E402
    blake2b, cbor, curve25519_secret, derive, ed25519_public, ed25519_verify, encode, items, on_curve25519, unseal,
    x25519)

ROOT = pathlib.Path(__file__).resolve().parent.parent
FOLDER = ROOT / "Tests/LeaderboardShareTests/Vectors"
GENESIS, GRANT, INVITE, ADMISSION, CERTIFICATE, SUSPEND, UNSUSPEND, REMOVE, DEMOTE = range(9)
REVOKE, KEEP, TRANSFER, TITLE, ROTATE, SEAL, CLOSE, LEAVE = range(9, 17)
VIEWER, MEMBER, ADMIN, OWNER = range(1, 5)
UNCOUNTED = (1 << 32) - 1


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


# 13.1, 13.2: control records

class Control:
    """`names` is the list that is not inside, or None where that is not at hand."""

    def __init__(self, encoded, names=b""):
        assert len(encoded) <= 3584
        (body, self.signature), end = cbor(encoded)
        assert end == len(encoded) and cbor(body)[1] == len(body)
        version, self.kind, self.group, self.by, self.under, self.claimed, self.nonce, fields = cbor(body)[0]
        self.hash = H(body, "kachat control")
        assert version == 1 and len(self.under) in (0, 32) and self.under != bytes(32)
        assert ed25519_verify(self.signature, self.hash, self.by)
        self.fields, self.names = items(fields), set()
        if self.kind in (GRANT, UNSUSPEND, REMOVE, DEMOTE, REVOKE, KEEP, TRANSFER, ROTATE, LEAVE):
            count, listed = self.fields[:2]
            self.fields = self.fields[2:]
            if count > 32 and names is None:
                count, listed = 0, b""
            elif count > 32:
                assert H(names, "kachat names") == listed
                listed = names
            every = [listed[at:at + 32] for at in range(0, len(listed), 32)]
            assert len(every) == count and every == sorted(set(every))
            self.names = set(every)
        if self.kind in (GENESIS, CERTIFICATE, SEAL, LEAVE):
            assert self.under == b""
        if self.kind == ADMISSION:
            check_chain(self.group, *self.fields[0])
        if self.kind == TRANSFER:
            message = H(self.group + self.under + self.by + self.fields[0], "kachat transfer")
            assert ed25519_verify(self.fields[1], message, self.fields[0])

    @property
    def is_genesis(self):
        if self.kind != GENESIS:
            return False
        inner = H(encode(self.fields[0]), "kachat genesis")
        return (H(self.by + inner, "kachat group") == self.group and self.nonce == 0
                and self.claimed == self.fields[0][1])

    @property
    def subject(self):
        if self.kind in (GRANT, SUSPEND, REMOVE, DEMOTE, TRANSFER):
            return self.fields[0]
        return self.fields[0][0] if self.kind == ADMISSION else None

    @property
    def holder(self):
        return self.by if self.kind == GENESIS else self.subject


def check_chain(group, joiner, chain, signatures, proof):
    assert len(signatures) == len(chain) - 1
    for before, link, signature in zip(chain, chain[1:], signatures):
        assert ed25519_verify(signature, H(encode([group, before[3], link]), "kachat delegate"), before[3])
    assert ed25519_verify(proof, H(group + joiner, "kachat join"), chain[-1][3])


# 13.3: the state

class State:
    """By the nine rules, in their order, without any regard to how long it takes."""

    def __init__(self, records):
        self.records = sorted(records, key=lambda record: record.hash)
        self.by_hash = {record.hash: record for record in self.records}
        self.valid, self.removals, self.revocations, self.demotions = set(), {}, {}, {}
        self.owner, self.ownerships = None, [record for record in self.records if record.is_genesis]
        if not self.ownerships:
            return
        self.find_owners()
        self.judge_owners()
        self.gather_takings()
        self.judge_the_rest()

    def under(self, record):
        return [other for other in self.records if other.under == record.hash]

    def of_kind(self, kind):
        return [record for record in self.records if record.kind == kind and record.hash in self.valid]

    def find_owners(self):
        while True:
            last = self.ownerships[-1]
            following = [one for one in self.under(last) if one.kind == TRANSFER and one.by == last.holder]
            if not following:
                break
            self.ownerships.append(following[0])
        self.owner = last.holder
        self.valid |= {one.hash for one in self.ownerships}

    def judge_owners(self):
        kept = {one.hash: set() for one in self.ownerships}
        for place, giving in reversed(list(enumerate(self.ownerships))):
            is_current = giving is self.ownerships[-1]
            staying = kept[giving.hash] if is_current else kept[giving.hash] | self.ownerships[place + 1].names
            for act in self.under(giving):
                if act.kind not in (GRANT, INVITE, SUSPEND, UNSUSPEND, REMOVE, DEMOTE, REVOKE, KEEP, TITLE, ROTATE,
                                    CLOSE) or act.by != giving.holder or not gives_less(act, OWNER):
                    continue
                if is_current or act.hash in staying:
                    self.valid.add(act.hash)
                    if act.kind == KEEP and act.fields[0] in [one.hash for one in self.ownerships[:place]]:
                        kept[act.fields[0]] |= act.names

    def gather_takings(self):
        for taking in self.of_kind(REMOVE):
            self.removals.setdefault(taking.subject, set()).update(taking.names)
        for taking in self.of_kind(REVOKE):
            self.revocations.setdefault(taking.fields[0], set()).update(taking.names)
        for taking in self.of_kind(DEMOTE):
            self.demotions.setdefault(taking.subject, []).append(taking)
        self.removals.pop(self.owner, None)
        self.demotions.pop(self.owner, None)

    def judge_the_rest(self):
        while True:
            more = {record.hash for record in self.records if record.hash not in self.valid and self.holds(record)}
            if not more:
                return
            self.valid |= more

    def holds(self, record):
        above = self.by_hash.get(record.under)
        if above is None or above.hash not in self.valid:
            return False
        if record.kind == ADMISSION:
            return self.is_invited(record, above) and self.may(record.hash, record.by, MEMBER)
        if record.kind in (INVITE, SUSPEND, UNSUSPEND):
            return (above.kind in (GRANT, ADMISSION) and above.holder == record.by and gives_less(record, ADMIN)
                    and self.is_present(record.hash, record.by) and self.carries(above, record.hash, ADMIN))
        return False

    def is_invited(self, admission, invite):
        chain = admission.fields[0][1]
        return (invite.kind == INVITE and chain[0] == invite.fields[0]
                and all(narrow <= wide for before, link in zip(chain, chain[1:])
                        for narrow, wide in zip(link[:3], before[:3]))
                and (all(link[2] == UNCOUNTED for link in chain) or admission.by == invite.by)
                and admission.hash in self.revocations.get(invite.hash, {admission.hash}))

    def is_present(self, name, by):
        return name in self.removals.get(by, {name})

    def cuts(self, giving):
        """The demotions that touch a giving."""
        cuts = self.demotions.get(giving.holder, [])
        return [one for one in cuts if giving.kind != GRANT or one.hash not in giving.names]

    def gives(self, giving):
        if giving.kind in (GENESIS, TRANSFER):
            return OWNER if giving is self.ownerships[-1] else MEMBER
        return giving.fields[1] if giving.kind == GRANT else giving.fields[0][1][-1][0]

    def carries(self, giving, name, need):
        below = [cut for cut in self.cuts(giving) if cut.fields[1] < need]
        return self.gives(giving) >= need and (not below or any(name in cut.names for cut in below))

    def givings(self, member):
        return [one for kind in (GENESIS, TRANSFER, GRANT, ADMISSION) for one in self.of_kind(kind)
                if one.holder == member]

    def may(self, name, by, need):
        return self.is_present(name, by) and any(self.carries(giving, name, need) for giving in self.givings(by))

    # What people see

    def role(self, member):
        roles = [min([self.gives(one)] + [cut.fields[1] for cut in self.cuts(one)]) for one in self.givings(member)]
        return max(roles, default=None) if member not in self.removals else None

    def has_left(self, member):
        leaves = [record for record in self.records if record.kind == LEAVE and record.by == member]
        named = set().union(*[leave.names for leave in leaves])
        return (bool(leaves) and member != self.owner and self.role(member) is not None
                and all(one.hash in named for one in self.of_kind(ADMISSION) if one.subject == member))

    def is_suspended(self, member):
        return member != self.owner and any(
            not any(one.hash in lift.names and lift.by != member for lift in self.of_kind(UNSUSPEND))
            for one in self.of_kind(SUSPEND) if one.subject == member)

    def highest(self, kind, number):
        found = sorted(self.of_kind(kind), key=lambda one: (-number(one), one.hash))
        return found[0] if found else None

    @property
    def root(self):
        return self.highest(ROTATE, lambda one: one.fields[0]) or next(iter(self.ownerships), None)

    def accepts(self, name, member, lane, need=MEMBER):
        certified = any(one.kind == CERTIFICATE and one.by == member and one.fields[0] == lane for one in self.records)
        return certified and self.may(name, member, need)

    def counts(self, name, member, lane):
        return self.accepts(name, member, lane) and not self.has_left(member) and not self.is_suspended(member)


def gives_less(record, rank):
    if record.kind == INVITE:
        return record.fields[0][0] < rank
    return record.kind != GRANT or record.fields[1] < rank


def text(state, people, titles, scores):
    def those(condition):
        return " ".join(name for name, member in people.items() if condition(member))

    members = ", ".join(
        "%s %s" % (name, ("viewer", "member", "admin", "owner")[state.role(member) - 1])
        for name, member in people.items() if state.role(member) and not state.has_left(member))
    title = state.highest(TITLE, lambda one: one.fields[0][0])
    due = state.root is not None and any(one.hash not in state.root.names for one in state.of_kind(REMOVE))
    counting = ", ".join(name for name, score in scores.items() if state.counts(*score))
    return "; ".join([
        "owner: " + those(lambda member: member == state.owner), "members: " + members,
        "removed: " + those(lambda member: member in state.removals), "left: " + those(state.has_left),
        "suspended: " + those(state.is_suspended), "title: " + (title.fields[0][1] if title else ""),
        "root: " + (titles[state.root.hash] if state.root else ""), "due: " + str(due).lower(),
        "closed: " + str(bool(state.of_kind(CLOSE))).lower(), "counting: " + counting])


def check_states(page, people, scores):
    controls, titles = {}, {}
    for name, encoded in page["controls"].items():
        number, _, title = name.partition(" ")
        if title not in ("hash", "names"):
            controls[number] = Control(encoded, page["controls"].get(number + " names", b""))
            titles[controls[number].hash] = title
            assert controls[number].hash == page["controls"][number + " hash"], title
            assert controls[number].group == page["keys"]["group"], title
    for name, value in page["states"].items():
        numbers = [number for number in name.split() if number != "digest"]
        records = [controls[number] for number in numbers]
        if name.endswith("digest"):
            assert H(b"".join(sorted(one.hash for one in records)), "kachat controls") == value, name
        else:
            made = text(State(records), people, titles, scores)
            assert made == value, "%s\n%s\n%s" % (name, made, value)
    return {titles[one.hash]: one for one in controls.values()}


# 13.4: keys, records, seals

def check_keys(page):
    keys, group = page["keys"], page["keys"]["group"]
    people = {}
    for name in ("owner", "joiner", "carol"):
        people[name] = ed25519_public(keys[name + "'s seed"])
        assert people[name] == keys[name]
        context = group + keys[name + "'s device tag"]
        lane = ed25519_public(derive(keys[name + "'s device secret"], "device/lane", context))
        assert lane == keys[name + "'s lane"]
    assert derive(keys["owner's seed"], "group/own/discovery", group) == keys["owner's own K_disc"]
    assert derive(keys["owner's seed"], "group/own/session", group) == keys["owner's own psk"]
    assert derive(page["epoch 1"]["root"], "group/slot") == keys["K_slot"]
    for epoch in (page["epoch 1"], page["epoch 2"]):
        repl, reading = derive(epoch["root"], "group/repl"), derive(epoch["root"], "group/read")
        made = {
            "commitment": H(epoch["root"], "kachat root"), "K_disc": derive(repl, "repl/discovery"),
            "psk": derive(repl, "repl/session"), "rendezvous": derive(repl, "repl/rendezvous")[:16],
            "K_meta": derive(reading, "read/meta"), "K_names": derive(reading, "read/names"),
            "K_disc(rendezvous)": derive(epoch["rendezvous"], "rendezvous/discovery"),
            "psk(rendezvous)": derive(epoch["rendezvous"], "rendezvous/session")}
        for name, value in made.items():
            assert value == epoch[name], name
        assert epoch["keyVersion"] == str(int.from_bytes(epoch["record"][:4], "big"))
    return people


def check_record(example, page):
    (version, lane, seq, slot, kind, key_version, size, blob_hash, sealed, signature), end = cbor(example["record"])
    assert end == len(example["record"]) <= 4096 and (version, kind) == (1, 3)
    bare = encode([version, lane, seq, slot, kind, key_version, size, blob_hash, sealed, b""])
    assert ed25519_verify(signature, H(page["keys"]["group"] + bare, "kachat record"), lane)
    associated = [version, lane, seq, slot, kind, key_version]
    epoch = next(page[name] for name in ("epoch 1", "epoch 2")
                 if int.from_bytes(page[name]["record"][:4], "big") == key_version)
    assert encode(associated + [size, blob_hash]) == example["meta's associated data"]
    number, tag, fields = cbor(unseal(epoch["K_meta"], example["meta's associated data"], sealed))[0]
    assert (tag, fields) == (b"", example["fields"])
    names = b""
    if size:
        assert (size, blob_hash) == (len(example["blob"]), blake2b(256, example["blob"]))
        assert encode(associated) == example["blob's associated data"]
        names = unseal(epoch["K_names"], example["blob's associated data"], example["blob"])
        assert names == example["names"]
    assert slot_name(number, fields, names).encode() == example["slot name"].encode()
    assert blake2b(128, example["slot name"].encode() + bytes(16), page["keys"]["K_slot"], b"kachat slot") == slot
    assert blake2b(256, example["record"]) == example["hash"]


def slot_name(number, fields, names):
    if number == 16:
        Control(fields, names)
        return "control." + H(fields, "kachat slot name").hex()
    value = cbor(fields)[0]
    if number == 17:
        return "score.%s|%s|%s" % (value[1].hex(), date(value[2]), uuid(value[3]))
    if number == 18:
        return "game." + uuid(cbor(value[1])[0][1])
    return ("name." if number == 19 else "handover.") + value[1].hex()


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


def check_seals(page, controls):
    seals, keys = page["seals"], page["keys"]
    group, member, rotate = keys["group"], keys["joiner"], controls["rotate"]
    assert x25519(seals["e's secret"]) == seals["e"] == seals["sealed"][:32]
    key = on_curve25519(member)
    assert key == seals["joiner's key on Curve25519"]
    shared = x25519(curve25519_secret(keys["joiner's seed"]), seals["e"])
    assert shared == seals["agreement"] == x25519(seals["e's secret"], key)
    assert derive(shared, "group/seal", seals["e"]) == seals["key of the seal"]
    assert seals["seal's associated data"] == group + rotate.hash + member
    opened = unseal(seals["key of the seal"], seals["seal's associated data"], seals["sealed"][32:])
    number, commitment, previous, sealed_previous = rotate.fields
    assert opened == page["epoch 2"]["root"] and commitment == page["epoch 2"]["commitment"] and number == 1
    assert controls["seal"].fields == [rotate.hash, member, seals["sealed"]]
    assert derive(opened, "group/previous") == seals["key of sealedPrevious"]
    assert (previous, sealed_previous) == (controls["genesis"].hash, seals["sealedPrevious"])
    assert unseal(seals["key of sealedPrevious"], previous, sealed_previous) == page["epoch 1"]["root"]


# 13.5, 13.9: tokens, joining

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


def check_token(text, group, issuer, rendezvous, link, sizes_of_hints):
    """Of one link, and with hints of port 4711. Gives its secret."""
    token = untexted(text)
    assert token[-3:] == blake2b(128, token[:-3], person=b"kachat token sum")[:3]
    assert token[0] == 1 and token[1:33] == group and token[33:65] == issuer
    title, at = token[66:66 + token[65]], 66 + token[65]
    assert token[at:at + 16] == rendezvous and token[at + 16] == 1
    assert token[at + 17] == link[0] and token[at + 18:at + 24] == leb128(link[1] + 1) + b"\0" and link[2] == UNCOUNTED
    at += 24
    signed = H(encode([group, issuer, title.decode(), rendezvous, link]), "kachat token")
    assert ed25519_verify(token[at:at + 64], signed, issuer)
    secret = token[at + 64:at + 80]
    assert ed25519_public(H(secret, "kachat token key")) == link[3]
    hints, sizes = token[at + 80:-3], []
    while hints:
        sizes.append(hints[0])
        assert int.from_bytes(hints[hints[0] - 1:hints[0] + 1], "big") == 4711
        hints = hints[1 + hints[0]:]
    assert sizes == sizes_of_hints
    return secret


def check_joining(page, controls):
    joining, keys = page["joining"], page["keys"]
    group, owner, h = keys["group"], keys["owner"], joining["h"]
    secret = check_token(
        joining["token"], group, owner, page["epoch 1"]["rendezvous"], controls["invite"].fields[0], [6, 18])
    assert secret == joining["token's secret"]

    assert joining["KNOCK"][0] == 32
    issuer, admission, signature = items(joining["KNOCK"], 1)
    check_chain(group, *admission)
    assert (issuer, admission) == (owner, controls["admission"].fields[0])
    assert ed25519_verify(signature, b"kachat/join/knock" + h, admission[0])

    assert joining["WELCOME"][0] == 33
    member, signature, roots, *vouchers = items(joining["WELCOME"], 1)
    assert ed25519_verify(signature, b"kachat/join/answer" + h + bytes([33, 0]), member)
    state = State([Control(*voucher) for voucher in vouchers])
    assert state.role(keys["joiner"]) == MEMBER and state.role(member) == OWNER
    assert roots == [[page[name]["record"], page[name]["root"]] for name in ("epoch 1", "epoch 2")]
    assert H(roots[0][1], "kachat root") == state.ownerships[0].fields[0][3]
    assert roots[-1][0] == state.root.hash and H(roots[-1][1], "kachat root") == state.root.fields[1]

    assert joining["REFUSED"][0] == 34
    reason, member, signature, *vouchers = items(joining["REFUSED"], 1)
    assert ed25519_verify(signature, b"kachat/join/answer" + h + bytes([34, 2]), member) and reason == 2
    state = State([Control(*voucher) for voucher in vouchers])
    assert state.role(member) == OWNER and controls["invite"].hash in state.revocations

    state = State([Control(*voucher) for voucher in items(joining["VOUCH of joiner"])])
    assert state.role(keys["joiner"]) == MEMBER
    kind, *shown = items(joining["DISMISS of carol"])
    assert kind == 1 and keys["carol"] in State([Control(encoded, None) for encoded in shown]).removals


def check_first(page):
    """groups.json, which is older and has no epochs."""
    controls = [Control(page[name]) for name in ("genesis", "invite", "admission")]
    for control, name in zip(controls, ("genesis", "invite", "admission")):
        assert control.hash == page[name + "Hash"] and control.group == page["group"], name
    assert H(b"".join(sorted(one.hash for one in controls)), "kachat controls") == page["controlDigest"]
    assert State(controls).role(page["joiner"]) == MEMBER
    assert H(page["score"], "kachat score") == page["scoreHash"]
    check_token(page["token"], page["group"], page["owner"], bytes([6] * 16), controls[1].fields[0], [6])


def leb128(number):
    made = b""
    while number > 127:
        made, number = made + bytes([number & 127 | 128]), number >> 7
    return made + bytes([number])


def main():
    page = read(json.loads((FOLDER / "zone.json").read_text()))
    people = check_keys(page)
    scores = {}
    for name, section in page.items():
        if name.startswith("record "):
            check_record(section, page)
            title = name.partition(": ")[2]
            if "'s score" in title:
                fields, record = cbor(section["fields"])[0], cbor(section["record"])[0]
                scores[title] = (section["hash"], fields[1], record[1])
    controls = check_states(page, people, scores)
    check_seals(page, controls)
    check_joining(page, controls)
    check_first(read({"all": json.loads((FOLDER / "groups.json").read_text())})["all"])
    print("the examples of groups are what docs/PROTOCOL.md says")


if __name__ == "__main__":
    main()
