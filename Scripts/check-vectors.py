#!/usr/bin/env python3
"""Reads Tests/GossipTests/Vectors/protocol.json from docs/PROTOCOL.md and its other pages alone.

A second, slow implementation of what they say of keys, slots, records, segments, sets and beacons, with nothing but the
standard library.
"""
import hashlib
import hmac
import json
import pathlib
import struct
import sys

sys.dont_write_bytecode = True
from primitives import (  # noqa: E402
    blake2b, cbor, chachapoly_tag, derive, ed25519_public, ed25519_verify, encode, expand, extract, items, u64, unseal,
    unseal_once, x25519)

ROOT = pathlib.Path(__file__).resolve().parent.parent
H = bytes.fromhex


# Sections 3 to 6

def device_key(keys, label):
    return derive(H(keys["device secret"]), label, H(keys["device tag"]))


def ledger_hash(body):
    return blake2b(256, body, person=b"kachat ledger")


def genesis(root):
    """The body of an account's first control record."""
    identity = ed25519_public(derive(root, "account/ed25519"))
    recovery = x25519(derive(root, "account/recovery"))
    return encode([2, b"", identity, b"", 0, encode(identity) + encode(recovery)])


def check_keys(keys):
    seed = hashlib.pbkdf2_hmac("sha512", keys["phrase"].encode(), b"mnemonic", 2048)
    root = extract(b"kachat/account/phrase", seed)
    first = derive(root, "account/root")
    made = {
        "seed": seed, "root": root, "R1": first, "zone": ledger_hash(genesis(root)),
        "K_slot": derive(derive(first, "root/read"), "account/slot"),
        "accountID": ed25519_public(derive(root, "account/ed25519")),
        "lane": ed25519_public(device_key(keys, "device/lane")),
    }
    made.update(root_keys(first, "1"))
    for name, value in made.items():
        assert value.hex() == keys[name], name


def root_keys(root, name):
    repl, read = derive(root, "root/repl"), derive(root, "root/read")
    made = {
        "K_repl": repl, "K_read": read, "K_disc": derive(repl, "repl/discovery"), "psk": derive(repl, "repl/session"),
        "K_meta": derive(read, "read/meta"),
        "K_archive": derive(read, "read/archive"),
    }
    return {f"{key} {name}": value for key, value in made.items()}


def check_slots(slots, key):
    for name, value in slots.items():
        name, _, tagged = name.partition(", tag ")
        assert blake2b(128, name.encode() + bytes([1 if tagged else 0] * 16), key, b"kachat slot").hex() == value, name


def mapped(pairs):
    """The CBOR of a map with a few keys."""
    return bytes([0xa0 | len(pairs)]) + b"".join(encode(key) + encode(pairs[key]) for key in sorted(pairs))


# Type and fields of the records that have neither blob nor part in the set, in section 4's words.

ONE, OTHER = (u64(1) * 4, u64(5) + u64(6) + u64(7) + u64(8))
# The lane of the example device.
LANE = H("a831523a62ecfa65cea4d26acf8270a61c454edf10e6a19b34b00b5725b0cba0")
STATES = {
    "account state": (1, [1, 1_700_000_000_789]),
    "conversation": (3, {
        0: 3, 1: "conv.c1", 2: [1, 1_700_000_001_000, "Grüße 🦊"], 3: [1, 1_700_000_001_000, [["kaspa:a", "Ada"]]],
        4: [1, 1_700_000_001_000, True], 5: [2, 1_700_000_001_000, False], 8: [1, 1_700_000_001_000, b"\x00\xff"]}),
    "chain facts": (5, [[ONE, 1, 1_700_000_002_000, 2_000, 2], [OTHER, 2, None, None, 3]]),
    "deletion 1": (9, [0, ONE, 1, True, 1_700_000_004_000]),
    "deletion 2": (9, [1, "c1", 2, 1_700_000_003_000, ONE, 1_700_000_004_000]),
    "given name": (12, [LANE, "Grüße 🦊", 2]), "list": (13, [1, 5]),
    "achievements": (7, [
        1, 1_700_000_006_000, encode([["wins", 2, 1, 1, 1, 1_700_000_006_000]]),
        b"\x82\x01\x82" + b"".join(mapped(one) for one in (
            {0: u64(1) + u64(2), 1: "wins", 2: [1, 10, 3, 50], 3: 12, 4: 1, 5: [1, 1_700_000_005_000],
             6: 1_700_000_006_000},
            {0: u64(1) + u64(3), 1: "wins", 2: [3, 7], 3: 0, 5: [], 6: 0}))]),
}
SLOTS = {
    "account state": "account", "conversation": "conv.c1", "chain facts": "facts",
    "deletion 1": "delete.message." + ONE.hex(), "deletion 2": "delete.conversation.c1",
    "given name": "name." + LANE.hex(), "achievements": "achievements",
    "list": "list",
}


def check_membership(example, keys):
    """The first person of the account founds a group, with a lane and a root of equal bytes."""
    persons = derive(H(keys["root"]), "account/persons")
    person, last = (ed25519_public(derive(persons, "account/person", n.to_bytes(4, "big"))) for n in (0, 255))
    assert (person.hex(), last.hex()) == (example["person 0"], example["person 255"])
    lane, root = ed25519_public(b"\x66" * 32), b"\x77" * 32
    halves = (blake2b(256, derive(root, "root/" + half), person=b"kachat root") for half in ("repl", "read"))
    body = encode([2, b"", lane, b"", 0, b"".join(encode(one) for one in (person, lane, 500, *halves))])
    kind, _, _ = cbor(H(example["meta"]))[0]
    first, *rest = cbor(H(example["fields"]))[0]
    assert kind == 8 and cbor(first)[0][0] == body
    assert rest == [root, [person, lane], [], 0, 2, 1, 1_700_000_004_000, "Family"]
    assert example["slot name"] == "group." + ledger_hash(body).hex()


def check_state(name, example):
    kind, fields = STATES[name]
    meta = cbor(H(example["meta"]))[0]
    assert meta[0] == kind and cbor(H(example["fields"]))[0] == fields, name
    assert example["slot name"] == SLOTS[name], name


def check_record(example, keys):
    record, _ = cbor(H(example["record"]))
    bare = H(keys["zone"]) + encode(record[:9] + [b""])
    assert ed25519_verify(record[9], blake2b(256, bare, person=b"kachat record"), record[1])
    assert blake2b(256, H(example["record"])).hex() == example["hash"]
    associated = H(example["meta's associated data"])
    assert cbor(associated)[0] == record[:8]
    meta = unseal(H(keys["K_meta 1"]), associated, record[8])
    assert meta.hex() == example["meta"]
    _, tag, fields = cbor(meta)[0]
    assert fields.hex() == example["fields"]
    name = example["slot name"].encode()
    assert blake2b(128, name + (tag or bytes(16)), H(keys["K_slot"]), b"kachat slot") == record[3]
    if name.startswith(b"read."):
        marker = cbor(fields)[0]
        for txids in ([txid for txid, _, _ in marker[2]], marker[3]):
            assert txids == sorted(set(txids)) and all(len(one) == 32 for one in txids)
    if "blob" in example:
        check_blob(example, record, name, H(keys["K_archive 1"]))
    return H(example["hash"])


def check_blob(example, record, name, archive):
    blob, associated = H(example["blob"]), H(example["blob's associated data"])
    assert (len(blob), blake2b(256, blob)) == (record[6], record[7])
    assert cbor(associated)[0] == record[:6]
    if name == b"list":
        return
    if "payload" not in example:
        unseal(derive(archive, "opaque", name.removeprefix(b"opaque.")), associated, blob)
        return
    compressed = unseal(expand(archive, name), associated, blob)
    assert expand(archive, name).hex() == example["key"]
    assert compressed.hex() == example["compressed"]
    # Version, size, and a zstd frame of one raw block: its header has nine bytes.
    assert compressed[0] == 1 and compressed[14:].hex() == example["payload"]
    assert int.from_bytes(compressed[1:5], "big") == len(compressed) - 14


def chunks(rows):
    numbers = sorted({seq // 1024 for seq, _ in rows})
    return {c: b"".join(one for seq, one in sorted(rows) if seq // 1024 == c) for c in numbers}


def fingerprint(rows):
    digests = (u64(c) + blake2b(256, of, person=b"kachat chunk") for c, of in chunks(rows).items())
    return blake2b(128, b"".join(digests), person=b"kachat lane")


def check_sets(sets, hashes, lane):
    assert fingerprint([]).hex() == sets["fingerprint of no rows"]
    parted = list(zip((1023, 1024, 1025, 5000, 5000), hashes))
    for c, of in chunks(parted).items():
        assert blake2b(256, of, person=b"kachat chunk").hex() == sets[f"digest of chunk {c}"]
    assert fingerprint(parted).hex() == sets["fingerprint of three chunks"]
    rows = list(enumerate(hashes, 1))
    assert fingerprint(rows).hex() == sets["fingerprint of the five records"]
    parts = {name.rpartition(" ")[2]: H(value) for name, value in sets.items() if name.startswith("digest's")}
    assert parts == {lane: H(lane) + u64(5) + fingerprint(rows)}
    whole = b"".join(H(value) for name, value in sorted(sets.items()) if name.startswith("digest's"))
    assert blake2b(128, whole, person=b"kachat digest").hex() == sets["digest"]


def check_beacon(beacon, key):
    datagram = H(beacon["datagram"])
    name, masked, entries = datagram[:16], datagram[16:27], datagram[27:]
    clear = bytes(a ^ b for a, b in zip(masked, blake2b(128, name, person=b"kachat/bcn/mask")))
    assert clear == b"\x02" + u64(7) + struct.pack(">H", 4001) and len(datagram) == 91
    bound = name + clear[1:]
    assert blake2b(128, bound + H(beacon["host"]), key, b"kachat/bcn/tag")[:8].hex() == beacon["tag"]
    assert blake2b(128, bound + H(beacon["digest"]), key, b"kachat/bcn/check")[:8].hex() == beacon["check"]
    echo = blake2b(128, H(beacon["echoed id"]) + bound + H(beacon["host"]), key, b"kachat/bcn/echo")
    assert echo.hex() == beacon["echo"]
    shown = [entries[at:at + 16] for at in range(0, 64, 16)]
    assert H(beacon["tag"] + beacon["check"]) in shown and echo in shown


# Section 7.1, by revision 34 of the Noise specification

class Handshake:
    """Noise_NNpsk0_25519_ChaChaPoly_SHA256 with empty payloads: every message is its ephemeral key and a tag."""

    def __init__(self, prologue, psk):
        name = b"Noise_NNpsk0_25519_ChaChaPoly_SHA256"
        self.h = self.ck = hashlib.sha256(name).digest()
        self.mix_hash(prologue)
        self.ck, temp, self.k = self.hkdf(psk, 3)
        self.mix_hash(temp)

    def hkdf(self, key, count):
        prk, block, blocks = extract(self.ck, key), b"", []
        for number in range(1, count + 1):
            block = hmac.digest(prk, block + bytes([number]), "sha256")
            blocks.append(block)
        return blocks

    def mix_hash(self, data):
        self.h = hashlib.sha256(self.h + data).digest()

    def mix_key(self, key):
        self.ck, self.k = self.hkdf(key, 2)

    def message(self, ephemeral, agreed=None):
        public = x25519(ephemeral)
        self.mix_hash(public)
        self.mix_key(public)
        if agreed:
            self.mix_key(agreed)
        tag = chachapoly_tag(self.k, 0, self.h)
        self.mix_hash(tag)
        return public + tag


def check_session(page):
    keys, transcript = page["keys"], page["transcript"]
    challenge = H(transcript["responder: challenge"])
    hint = blake2b(128, challenge, H(keys["K_disc"]), b"kachat/door")[:8]
    first, second = H(keys["initiator's ephemeral secret"]), H(keys["responder's ephemeral secret"])
    handshake = Handshake(b"kachat-node" + challenge + hint, H(keys["psk"]))
    assert (hint + handshake.message(first)).hex() == transcript["initiator: hint and message 1"]
    agreed = x25519(first, x25519(second))
    assert handshake.message(second, agreed).hex() == transcript["responder: message 2"]
    assert handshake.h.hex() == transcript["handshake hash"]


# Section 8

def check_hello(page, zone):
    for name, side in (("hello", 1), ("hello of the responder", 2)):
        message = H(page[name])
        *body, device, proof = items(message, 1)
        versions, lane, instance, digest, ledger, _ = body
        assert message[0] == 1 and versions == [3]
        assert tuple(map(len, (lane, instance, digest, ledger, device, proof))) == (32, 16, 16, 16, 64, 0)
        covered = bytes([side]) + zone + b"".join(map(encode, body)) + H(page["handshake hash"])
        assert b"kachat/hello/device" + covered == H(page[f"{name}, signed by the device"]), name
        assert ed25519_verify(device, b"kachat/hello/device" + covered, lane), name


# Section 5.1

def check_ledger(page, keys):
    zone, identity = H(keys["zone"]), H(keys["accountID"])
    names = [zone[:16]]
    for title in ("genesis", "enter by the person", "enter by a lane", "remove"):
        body, signature = cbor(H(page[title]))[0]
        version, of, signer, prev, kind, fields = cbor(body)[0]
        digest = ledger_hash(body)
        assert digest.hex() == page[title + ", hash"] and ed25519_verify(signature, digest, signer), title
        assert version == 2 and prev == b"" and of == (b"" if kind == 0 else zone), title
        if kind == 1:
            person, first, replica, seal, succeeds, *door = items(fields)
            member = blake2b(256, person + bytes(32), person=b"kachat member")
            signed = blake2b(
                256, zone + signer + member + bytes([replica]) + seal + (succeeds or bytes(32)),
                person=b"kachat endorse")
            assert person == identity and first == b"" and door[0] == len(door) - 1, title
            assert ed25519_verify(door[-1], signed, door[1] if door[0] == 2 else identity), title
            names.append(digest[:16])
    digest = blake2b(128, b"".join(sorted(names)), person=b"kachat ledgers")
    assert digest.hex() == page["digest of the first three"]
    check_root(page, keys)


# Section 5.3

def check_root(page, keys):
    zone, root, first = H(keys["zone"]), H(page["root 2"]), H(keys["R1"])
    body, _ = cbor(H(page["rotate"]))[0]
    rotate = ledger_hash(body)
    number, replication, reading, covers, tips = items(cbor(body)[0][5])
    made = root_keys(root, "2")
    for name, value in made.items():
        assert value.hex() == page[name], name
    assert replication == blake2b(256, made["K_repl 2"], person=b"kachat root")
    assert reading == blake2b(256, made["K_read 2"], person=b"kachat root")
    assert (number, covers) == (1, [H(page["remove, hash"])])
    [[tip, sealed]] = tips
    assert tip == zone and unseal_once(derive(root, "root/tip", tip), sealed) == first
    assert rotate[:4].hex() == page["number of root 2 in records"]
    body, _ = cbor(H(page["seal"]))[0]
    assert cbor(body)[0][3] == rotate
    named, ephemeral, [[recipient, sealed]] = items(cbor(body)[0][5])
    assert named == rotate and recipient == H(keys["accountID"])
    shared = x25519(derive(H(keys["root"]), "account/recovery"), ephemeral)
    assert unseal_once(derive(shared, "root/seal", ephemeral + rotate + recipient), sealed) == root


# Section 14

def check_pairing(page):
    for label, name in (("discovery", "K_disc(pairing)"), ("session", "psk(pairing)")):
        assert derive(bytes(32), "pairing/" + label).hex() == page[name], name
    for number, name in ((1, "gives"), (2, "takes")):
        assert blake2b(128, bytes([number]), person=b"kachat pairing").hex() == page["digest of who " + name], name
    h, first, second = (H(page[name]) for name in ("h", "N_A", "N_B"))
    commitment = blake2b(256, second + h, person=b"kachat commit")
    assert commitment.hex() == page["commitment"]
    digits = blake2b(128, first + second + h, person=b"kachat digits")
    assert "%06d" % (int.from_bytes(digits[:8], "big") % 1_000_000) == page["digits"]
    assert blake2b(128, h, person=b"kachat pair tag").hex()[:4] == page["tag"]
    bodies = {"PAIR": [2, 1, H(page["id"]), "Grüße 🦊"], "CHOSEN": [], "COMMIT": [commitment], "NONCE": [first], "CONSENT": [],
              "SECRET": [bytes([1, 2, 3])], "TAKEN": [bytes([1, 2, 3])], "REFUSE": [1]}
    for kind, (name, body) in enumerate(bodies.items(), 40):
        message = H(page[name])
        assert message[0] == kind and items(message, 1) == body, name


# What the other sections were made from, the hashes of section 4, and a page with wrong records

def check_inputs(page, records):
    inputs = page["inputs"]
    for name, example in records.items():
        assert cbor(H(example["record"]))[0][8][:24].hex() == inputs["nonce of each meta"], name
        # A list's blob is in clear.
        assert name == "list" or example.get("blob", inputs["nonce of each blob"]).startswith(
            inputs["nonce of each blob"]), name
    opaque = records["opaque"]
    key = derive(H(page["keys"]["K_archive 1"]), "opaque", b"picture")
    payload = unseal(key, H(opaque["blob's associated data"]), H(opaque["blob"]))
    assert payload.hex() == inputs["payload of the opaque record"]
    datagram = page["beacon"]["datagram"]
    assert datagram.startswith(inputs["beacon: id"])
    others = inputs["beacon: the other two entries"]
    assert all(others[at:at + 32] in datagram for at in range(0, 64, 32))
    assert (inputs["beacon: counter"], inputs["beacon: port"]) == ("7", "4001")
    hello = page["messages"]["hello"]
    assert all(encode(H(inputs["hello: " + name])).hex() in hello for name in ("instance", "digest"))
    assert encode(int(inputs["hello: port"])).hex() in hello


def check_hashes(hashes, records):
    for number, (txid, _, *value) in enumerate(cbor(H(records["chain facts"]["fields"]))[0], 1):
        made = blake2b(256, encode([txid] + value), person=b"kachat.fact")
        assert made.hex() == hashes["chain fact %d, value" % number]
    conversation = records["segment"]["slot name"].split(".")[1]
    _, contacts, messages = cbor(H(records["segment"]["payload"]))[0]
    assert [order(message) for message in messages] == sorted(order(message) for message in messages)
    for number, message in enumerate(messages, 1):
        content = [conversation, contacts[message[1]], message[2] & 1, message[3], message.get(6, "")]
        attachments = [mapped(one) for one in message.get(7, [])]
        made = blake2b(256, b"\x86" + encode(content)[1:] + bytes([0x80 | len(attachments)]) + b"".join(attachments),
                       person=b"kachat.message")
        assert made.hex() == hashes["message %d of the segment, canonical content" % number]


def order(message):
    if 5 in message:
        return message[5], message[0]
    return (1 << 62) + message[4] if 4 in message else (1 << 63) + message[3] * 1000, message[0]


def check_page(example, keys):
    message = H(example["message"])
    lane, through, target, is_done, *rows = items(message, 1)
    assert (message[0], lane, through, target, is_done) == (4, LANE, 5, 5, True)
    taken = [row for row in rows if is_record(row, lane, keys)]
    words = [value for name, value in example.items() if name.startswith("row")]
    assert words == ["taken" if row in taken else "refused" for row in rows]
    assert example["head after it"] == str(min(through, max(row[2] for row in taken)))


# Section 9.3: a message is its type, the lane, and what follows; of ROWS, the hashes of the records

def said(message):
    rest = items(message, 1)
    if message[0] == 6:
        return (6, *sorted(blake2b(256, encode(row)) for row in rest))
    return (message[0], *rest)


def answers(message, lane, rows):
    """What an end that holds these rows owes for a message."""
    kind, of, *rest = message
    if kind == 6:
        return []
    assert of == lane
    if kind == 10:
        return [(6, *sorted(one for seq, one in rows if (seq, one[:16]) in pairs(rest)))]
    if kind == 9:
        low, high, *rest = rest
        own, named = [row for row in rows if low <= row[0] <= high], pairs(rest)
        lacked = sorted(named - {(seq, one[:16]) for seq, one in own})
        given = sorted(one for seq, one in own if (seq, one[:16]) not in named)
        return [(10, lane, *sum(lacked, ()))] * bool(lacked) + [(6, *given)] * bool(given)
    owed = []
    for low, high, other, count in zip(*(rest[at::4] for at in range(4))):
        own = sorted(row for row in rows if low <= row[0] <= high)
        if fingerprint(own) == other:
            continue
        if low == high or len(own) + count <= 48:
            owed.append((9, lane, low, high, *sum(((seq, one[:16]) for seq, one in own), ())))
            continue
        parts, step = [], -(-(high - low + 1) // 16)
        for start in range(low, high + 1, step):
            end = min(start + step - 1, high)
            part = [row for row in own if start <= row[0] <= end]
            parts += [start, end, fingerprint(part), len(part)]
        owed.append((8, lane, *parts))
    return owed


def pairs(names):
    return set(zip(names[::2], names[1::2]))


def check_healing(example):
    lane, hashes = H(example["lane"]), H(example["hashes of rows 1 to 60"])
    every = [(seq, hashes[32 * seq - 32:32 * seq]) for seq in range(1, 61)]
    rows, owed, started = {}, {"initiator": [], "responder": []}, {}
    for end in owed:
        lacks = example[f"the {end} lacks"].split()
        rows[end] = [row for row in every if str(row[0]) not in lacks]
    first = {end: fingerprint(rows[end]) for end in rows}
    for name, value in example.items():
        if not name.startswith("message"):
            continue
        end = name.rpartition(" ")[2]
        other = "responder" if end == "initiator" else "initiator"
        message = said(H(value))
        is_start = message == (8, lane, 0, 1023, first[end], len(every) - 2) and end not in started
        if is_start:
            started[end] = True
        else:
            owed[end].remove(message)
        # The end that opened the session leaves the other's start alone if it has sent its own.
        if not (is_start and other == "initiator" and other in started):
            owed[other] += answers(message, lane, rows[other])
        if message[0] == 6:
            rows[other] = sorted(set(rows[other]) | {row for row in every if row[1] in message[1:]})
    assert rows["initiator"] == rows["responder"] == every and not any(owed.values())


def is_record(row, lane, keys):
    """Whether a row of a page is taken: for the types that these examples have."""
    if not isinstance(row, list) or len(row) != 10 or row[:2] != [1, lane]:
        return False
    try:
        meta = unseal(H(keys["K_meta 1"]), encode(row[:8]), row[8])
    except AssertionError:
        return False
    kind, tag, fields = cbor(meta)[0]
    fields = cbor(fields)[0]
    name = {6: lambda: fields[1], 4: lambda: fields[1], 11: lambda: "opaque." + fields[0]}[kind]()
    return blake2b(128, name.encode() + (tag or bytes(16)), H(keys["K_slot"]), b"kachat slot") == row[3]


def main():
    page = json.loads((ROOT / "Tests/GossipTests/Vectors/protocol.json").read_text())
    keys = page["keys"]
    check_keys(keys)
    check_slots(page["slots"], H(keys["K_slot"]))
    records = {name.removeprefix("record: "): example for name, example in page.items() if name.startswith("record")}
    hashes = {name: check_record(example, keys) for name, example in records.items()}
    for name in STATES:
        check_state(name, records[name])
        del hashes[name]
    check_membership(records["group membership"], keys)
    del hashes["group membership"]
    assert H(records["list"]["blob"]) == b"".join(sorted(one[:16] for one in hashes.values()))
    check_inputs(page, records)
    check_hashes(page["hashes"], records)
    check_page(page["a page with wrong records"], keys)
    check_sets(page["sets"], list(hashes.values()), keys["lane"])
    check_healing(page["healing"])
    check_beacon(page["beacon"], H(keys["K_disc 1"]))
    check_pairing(page["pairing"])
    check_ledger(page["ledger"], keys)
    check_hello(page["messages"], H(keys["zone"]))
    check_session(json.loads((ROOT / "Tests/TransportTests/Vectors/session.json").read_text()))
    print("the examples are what docs/PROTOCOL.md says")


if __name__ == "__main__":
    main()
