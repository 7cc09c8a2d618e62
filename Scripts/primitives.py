"""What section 2 of docs/PROTOCOL.md names, slow and with nothing but Python's standard library.

For the scripts that read the worked examples, and for no secrets: how long it takes tells the bits of a key.
"""
import hashlib
import hmac
import struct


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


def padded(part):
    return part + bytes(-len(part) % 16)


def chachapoly_tag(key, counter, associated):
    """The seal of an empty text, with Noise's nonce."""
    block = chacha_block(key, 0, bytes(4) + struct.pack("<Q", counter))
    return poly1305(block[:32], padded(associated) + struct.pack("<QQ", len(associated), 0))


def unseal(key, associated, sealed):
    """XChaCha20-Poly1305, behind its nonce of 24 bytes."""
    nonce = sealed[:24]
    return unsealed(hchacha(key, nonce[:16]), bytes(4) + nonce[16:], associated, sealed[24:])


def unseal_once(key, sealed):
    """ChaCha20-Poly1305 under a key that is used once."""
    return unsealed(key, bytes(12), b"", sealed)


def unsealed(key, nonce, associated, sealed):
    ciphertext, tag = sealed[:-16], sealed[-16:]
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


def items(data, at=0):
    """All items of a CBOR sequence."""
    found = []
    while at < len(data):
        item, at = cbor(data, at)
        found.append(item)
    return found


def encode(value):
    """Deterministic CBOR of numbers, byte strings, texts, lists, booleans and None."""
    if value is None or isinstance(value, bool):
        return {None: b"\xf6", False: b"\xf4", True: b"\xf5"}[value]
    if isinstance(value, int):
        return head(0, value) if value >= 0 else head(1, ~value)
    if isinstance(value, bytes):
        return head(2, len(value)) + value
    if isinstance(value, str):
        return head(3, len(value.encode())) + value.encode()
    return head(4, len(value)) + b"".join(encode(item) for item in value)


def head(major, number):
    if number < 24:
        return bytes([major << 5 | number])
    for place, size in enumerate((1, 2, 4, 8)):
        if number < 1 << 8 * size:
            return bytes([major << 5 | 24 + place]) + number.to_bytes(size, "big")
    raise ValueError(number)


# X25519 (RFC 7748, section 5) and Ed25519 (RFC 8032, section 5.1), over the field of 2^255 - 19.

PRIME = 2**255 - 19
ORDER = 2**252 + 27742317777372353535851937790883648493
D = -121665 * pow(121666, -1, PRIME) % PRIME
ROOT_OF_MINUS_ONE = pow(2, (PRIME - 1) // 4, PRIME)


def clamped(secret):
    return int.from_bytes(secret, "little") & ~7 & (1 << 255) - 1 | 1 << 254


def x25519(secret, point=b"\x09" + bytes(31)):
    scalar, x = clamped(secret), int.from_bytes(point, "little") & (1 << 255) - 1
    x2, z2, x3, z3, swap = 1, 0, x, 1, 0
    for place in reversed(range(255)):
        bit = scalar >> place & 1
        if swap != bit:
            x2, z2, x3, z3 = x3, z3, x2, z2
        swap = bit
        a, b, c, d = x2 + z2, x2 - z2, x3 + z3, x3 - z3
        x3, z3 = (d * a + c * b) ** 2 % PRIME, x * (d * a - c * b) ** 2 % PRIME
        e = a * a - b * b
        x2, z2 = a * a * b * b % PRIME, e * (a * a + 121665 * e) % PRIME
    if swap:
        x2, z2 = x3, z3
    return (x2 * pow(z2, -1, PRIME) % PRIME).to_bytes(32, "little")


def added(one, other):
    (x1, y1, z1, t1), (x2, y2, z2, t2) = one, other
    a, b = (y1 - x1) * (y2 - x2) % PRIME, (y1 + x1) * (y2 + x2) % PRIME
    c, d = 2 * t1 * t2 * D % PRIME, 2 * z1 * z2 % PRIME
    e, f, g, h = b - a, d - c, d + c, b + a
    return e * f % PRIME, g * h % PRIME, f * g % PRIME, e * h % PRIME


def multiplied(scalar, point):
    result = (0, 1, 1, 0)
    while scalar:
        if scalar & 1:
            result = added(result, point)
        point, scalar = added(point, point), scalar >> 1
    return result


def decompressed(encoded):
    number = int.from_bytes(encoded, "little")
    y, sign = number & (1 << 255) - 1, number >> 255
    square = (y * y - 1) * pow(D * y * y + 1, -1, PRIME) % PRIME
    x = pow(square, (PRIME + 3) // 8, PRIME)
    if x * x % PRIME != square:
        x = x * ROOT_OF_MINUS_ONE % PRIME
    assert x * x % PRIME == square
    if x & 1 != sign:
        x = PRIME - x
    return x, y, 1, x * y % PRIME


def compressed(point):
    x, y, z, _ = point
    inverse = pow(z, -1, PRIME)
    x, y = x * inverse % PRIME, y * inverse % PRIME
    return (y | (x & 1) << 255).to_bytes(32, "little")


BASE = decompressed((4 * pow(5, -1, PRIME) % PRIME).to_bytes(32, "little"))


def ed25519_public(seed):
    return compressed(multiplied(clamped(hashlib.sha512(seed).digest()[:32]), BASE))


def ed25519_verify(signature, message, public):
    r, s = signature[:32], int.from_bytes(signature[32:], "little")
    k = int.from_bytes(hashlib.sha512(r + public + message).digest(), "little") % ORDER
    return s < ORDER and compressed(multiplied(s, BASE)) == compressed(
        added(decompressed(r), multiplied(k, decompressed(public))))


def on_curve25519(public):
    """The X25519 key of an Ed25519 one."""
    y = int.from_bytes(public, "little") & (1 << 255) - 1
    return ((1 + y) * pow(1 - y, -1, PRIME) % PRIME).to_bytes(32, "little")


def curve25519_secret(seed):
    """The X25519 secret of an Ed25519 seed."""
    return hashlib.sha512(seed).digest()[:32]
