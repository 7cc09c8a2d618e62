#!/usr/bin/env python3
"""Reads Tests/GossipTests/Vectors/protocol.json from docs/PROTOCOL.md alone, with nothing but the standard library.

A second, slow implementation of what the page says of keys, slots, records, segments, sets and beacons.
"""
import hashlib
import hmac
import json
import pathlib
import struct

ROOT = pathlib.Path(__file__).resolve().parent.parent
H = bytes.fromhex


# Section 2: primitives

def blake2b(bits, message, key=b"", person=b""):
    return hashlib.blake2b(message, digest_size=bits // 8, key=key, person=person.ljust(16, b"\0")).digest()


def extract(salt, ikm):
    return hmac.new(salt, ikm, hashlib.sha256).digest()


def expand(prk, info):
    return hmac.new(prk, info + b"\x01", hashlib.sha256).digest()


def derive(key, label, context=b""):
    return expand(key, b"kachat/" + label.encode() + context)


def rotated(value, bits):
    return (value << bits | value >> (32 - bits)) & 0xFFFFFFFF


def chacha_rounds(words):
    s = list(words)

    def quarter(a, b, c, d):
        for x, y, z, bits in ((a, b, d, 16), (c, d, b, 12), (a, b, d, 8), (c, d, b, 7)):
            s[x] = (s[x] + s[y]) & 0xFFFFFFFF
            s[z] = rotated(s[z] ^ s[x], bits)

    for _ in range(10):
        for i in range(4):
            quarter(i, 4 + i, 8 + i, 12 + i)
        for i in range(4):
            quarter(i, 4 + (i + 1) % 4, 8 + (i + 2) % 4, 12 + (i + 3) % 4)
    return s


def chacha_state(key, tail):
    return list(struct.unpack("<4I", b"expand 32-byte k")) + list(struct.unpack("<8I", key)) + tail


def chacha_block(key, counter, nonce):
    state = chacha_state(key, [counter] + list(struct.unpack("<3I", nonce)))
    return struct.pack("<16I", *[(a + b) & 0xFFFFFFFF for a, b in zip(state, chacha_rounds(state))])


def hchacha(key, nonce):
    words = chacha_rounds(chacha_state(key, list(struct.unpack("<4I", nonce))))
    return struct.pack("<8I", *(words[:4] + words[12:]))


def poly1305(key, message):
    r = int.from_bytes(key[:16], "little") & 0x0FFFFFFC0FFFFFFC0FFFFFFC0FFFFFFF
    total = 0
    for start in range(0, len(message), 16):
        total = (total + int.from_bytes(message[start:start + 16] + b"\1", "little")) * r % ((1 << 130) - 5)
    return ((total + int.from_bytes(key[16:], "little")) & ((1 << 128) - 1)).to_bytes(16, "little")


def unseal(key, associated, sealed):
    nonce, ciphertext, tag = sealed[:24], sealed[24:-16], sealed[-16:]
    key, nonce = hchacha(key, nonce[:16]), bytes(4) + nonce[16:]

    def padded(part):
        return part + bytes(-len(part) % 16)

    lengths = struct.pack("<QQ", len(associated), len(ciphertext))
    assert poly1305(chacha_block(key, 0, nonce)[:32], padded(associated) + padded(ciphertext) + lengths) == tag
    stream = b"".join(chacha_block(key, 1 + i, nonce) for i in range(len(ciphertext) // 64 + 1))
    return bytes(a ^ b for a, b in zip(ciphertext, stream))


def cbor(data, at=0):
    """The item at a place, and the place behind it. Trusts its input: these are examples."""
    major, number, at = data[at] >> 5, data[at] & 31, at + 1
    if major == 7:
        return {20: False, 21: True, 22: None}[number], at
    if number >= 24:
        size = 1 << (number - 24)
        number, at = int.from_bytes(data[at:at + size], "big"), at + size
    if major < 2:
        return (number if major == 0 else ~number), at
    if major < 4:
        part = data[at:at + number]
        return (part if major == 2 else part.decode()), at + number
    items = []
    for _ in range(number * (2 if major == 5 else 1)):
        item, at = cbor(data, at)
        items.append(item)
    return (items if major == 4 else dict(zip(items[::2], items[1::2]))), at


def u64(number):
    return struct.pack(">Q", number)


# Sections 3 to 6

def check_keys(keys):
    seed = hashlib.pbkdf2_hmac("sha512", keys["phrase"].encode(), b"mnemonic", 2048)
    root = extract(b"kachat/account/phrase", seed)
    repl, read = derive(root, "account/repl", u64(1)), derive(root, "account/read", u64(1))
    made = {
        "seed": seed, "root": root, "zone": blake2b(256, H(keys["accountID"]), person=b"kachat zone"),
        "K_slot": derive(root, "account/slot"), "K_repl 1": repl, "K_disc 1": derive(repl, "repl/discovery"),
        "psk 1": derive(repl, "repl/session"), "K_retire 1": derive(repl, "repl/retirement"),
        "K_meta 1": derive(read, "read/meta"), "K_archive 1": derive(read, "read/archive"),
        "psk 17": derive(derive(root, "account/repl", u64(17)), "repl/session"),
    }
    for name, value in made.items():
        assert value.hex() == keys[name], name


def check_slots(slots, key):
    for name, value in slots.items():
        name, _, tagged = name.partition(", tag ")
        assert blake2b(128, name.encode() + bytes([1 if tagged else 0] * 16), key, b"kachat slot").hex() == value, name


# Type and fields of the records that have neither blob nor part in the set, in section 4's words.

ONE, OTHER = (u64(1) * 4, u64(5) + u64(6) + u64(7) + u64(8))
# The lane of the example device.
LANE = H("a01d7db03aaaa3da3c80248dc2a3e8e65b8828514b05d6bd3ea846405dcf94c1")
STATES = {
    "account state": (1, [1, 3, 1_700_000_000_789]),
    "conversation": (3, {
        0: 3, 1: "conv.c1", 2: [1, 1_700_000_001_000, "Grüße 🦊"], 3: [1, 1_700_000_001_000, [["kaspa:a", "Ada"]]],
        4: [1, 1_700_000_001_000, True], 5: [2, 1_700_000_001_000, False], 8: [1, 1_700_000_001_000, b"\x00\xff"]}),
    "chain facts": (5, [[ONE, 1, 1_700_000_002_000, 2_000, 2], [OTHER, 2, None, None, 3]]),
    "deletion 1": (9, [0, ONE]),
    "deletion 2": (9, [1, "c1", 1_700_000_003_000]),
    "given name": (12, [LANE, "Grüße 🦊", 2]),
}
SLOTS = {
    "account state": "account", "conversation": "conv.c1", "chain facts": "facts",
    "deletion 1": "delete.message." + ONE.hex(), "deletion 2": "delete.conversation.c1",
    "given name": "name." + LANE.hex(),
}


def check_state(name, example):
    kind, fields = STATES[name]
    meta = cbor(H(example["meta"]))[0]
    assert meta[0] == kind and cbor(H(example["fields"]))[0] == fields, name
    assert example["slot name"] == SLOTS[name], name


def check_record(example, keys):
    record, _ = cbor(H(example["record"]))
    assert blake2b(256, H(example["record"])).hex() == example["hash"]
    associated = H(example["meta's associated data"])
    assert cbor(associated)[0] == record[:8]
    meta = unseal(H(keys["K_retire 1" if record[4] == 4 else "K_meta 1"]), associated, record[8])
    assert meta.hex() == example["meta"]
    _, tag, fields = cbor(meta)[0]
    assert fields.hex() == example["fields"]
    name = example["slot name"].encode()
    assert blake2b(128, name + (tag or bytes(16)), H(keys["K_slot"]), b"kachat slot") == record[3]
    if name.startswith(b"read."):
        names = cbor(fields)[0][2][3]
        assert names == sorted(set(names)) and all(len(one) == 32 for one in names)
    if "blob" in example:
        check_blob(example, record, name, H(keys["K_archive 1"]))
    return H(example["hash"])


def check_blob(example, record, name, archive):
    blob, associated = H(example["blob"]), H(example["blob's associated data"])
    assert (len(blob), blake2b(256, blob)) == (record[6], record[7])
    assert cbor(associated)[0] == record[:6]
    if "payload" not in example:
        unseal(derive(archive, "opaque", name.removeprefix(b"opaque.")), associated, blob)
        return
    compressed = unseal(expand(archive, name), associated, blob)
    assert compressed.hex() == example["compressed"]
    # Version, size, and a zstd frame of one raw block: its header has nine bytes.
    assert compressed[0] == 1 and compressed[14:].hex() == example["payload"]
    assert int.from_bytes(compressed[1:5], "big") == len(compressed) - 14


def check_sets(sets, hashes, lane):
    def fingerprint(of):
        total = sum(int.from_bytes(one, "big") for one in of) % (1 << 256)
        return blake2b(128, total.to_bytes(32, "big") + u64(len(of)))

    assert fingerprint([]).hex() == sets["fingerprint of no rows"]
    assert fingerprint(hashes).hex() == sets["fingerprint of the five records"]
    parts = {name.rpartition(" ")[2]: H(value) for name, value in sets.items() if name.startswith("digest's")}
    assert parts.pop(lane) == H(lane) + u64(5) + fingerprint(hashes) + u64(0)
    for retired, part in parts.items():
        assert part == H(retired) + u64(0) + fingerprint([]) + u64(12 + 1)
    whole = b"".join(H(value) for name, value in sorted(sets.items()) if name.startswith("digest's"))
    assert blake2b(128, whole, person=b"kachat digest").hex() == sets["digest"]


def check_beacon(beacon, key):
    datagram = H(beacon["datagram"])
    name, masked, entries = datagram[:16], datagram[16:27], datagram[27:]
    clear = bytes(a ^ b for a, b in zip(masked, blake2b(128, name, person=b"kachat/bcn/mask")))
    assert clear == b"\x01" + u64(7) + struct.pack(">H", 4001) and len(datagram) == 91
    bound = name + clear[1:]
    assert blake2b(128, bound + H(beacon["host"]), key, b"kachat/bcn/tag")[:8].hex() == beacon["tag"]
    assert blake2b(128, bound + H(beacon["digest"]), key, b"kachat/bcn/check")[:8].hex() == beacon["check"]
    assert H(beacon["tag"] + beacon["check"]) in [entries[at:at + 16] for at in range(0, 64, 16)]


# Section 14

def check_pairing(page):
    for label, name in (("discovery", "K_disc(pairing)"), ("session", "psk(pairing)")):
        assert derive(bytes(32), "pairing/" + label).hex() == page[name], name
    for number, name in ((1, "gives"), (2, "takes")):
        assert blake2b(128, bytes([number]), person=b"kachat pairing").hex() == page["digest of who " + name], name
    giver, taker, h, first, second = (H(page[name]) for name in ("pk_A", "pk_B", "h", "N_A", "N_B"))
    commitment = blake2b(256, taker + giver + second + h, person=b"kachat commit")
    assert commitment.hex() == page["commitment"]
    digits = blake2b(128, giver + taker + first + second + h, person=b"kachat digits")
    assert "%06d" % (int.from_bytes(digits[:8], "big") % 1_000_000) == page["digits"]
    assert blake2b(128, h, person=b"kachat pair tag").hex()[:4] == page["tag"]
    bodies = {"PAIR": [2, 1, "Grüße 🦊"], "CHOSEN": [], "COMMIT": [commitment], "NONCE": [first], "CONSENT": [],
              "SECRET": [bytes([1, 2, 3])], "TAKEN": [], "REFUSE": [1]}
    for kind, (name, body) in enumerate(bodies.items(), 40):
        message, at, items = H(page[name]), 1, []
        while at < len(message):
            item, at = cbor(message, at)
            items.append(item)
        assert message[0] == kind and items == body, name


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
    check_sets(page["sets"], list(hashes.values()), keys["lane"])
    check_beacon(page["beacon"], H(keys["K_disc 1"]))
    check_pairing(page["pairing"])
    print("the examples are what docs/PROTOCOL.md says")


if __name__ == "__main__":
    main()
