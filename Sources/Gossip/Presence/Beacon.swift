package import NodeCore

/// A decoded beacon: the part that strangers can read, and the entries in which members look for their tags.
struct Beacon: Hashable, Sendable {
    /// The sender's current id, a counter under that id, and the port on which it accepts sessions.
    struct Header: Hashable, Sendable {
        let id: BeaconID
        /// 1 for the first beacon of an id, increasing with each.
        let counter: UInt64
        /// TCP port.
        let port: UInt16
    }

    /// One zone, an echo, or padding: nobody without the zone's key can tell.
    struct Entry: Hashable, Comparable, Sendable {
        let tag: UInt64
        let check: UInt64

        static func < (left: Entry, right: Entry) -> Bool {
            (left.tag, left.check) < (right.tag, right.check)
        }
    }

    let version: UInt8
    let header: Header
    /// Ascending, for binary search by tag.
    let entries: [Entry]

    /// The checks for a tag: empty if the sender is not in that zone, otherwise one.
    func checks(tag: UInt64) -> [UInt64] {
        var low = 0
        var high = entries.count
        while low < high {
            let middle = (low + high) / 2
            if entries[middle].tag < tag { low = middle + 1 } else { high = middle }
        }
        return entries[low...].prefix { $0.tag == tag }.map(\.check)
    }

    func contains(_ entry: Entry) -> Bool { checks(tag: entry.tag).contains(entry.check) }
}

/// The random id that a node's beacons use for a quarter of an hour.
package struct BeaconID: Identifier16 {
    package let storage: Bytes16

    package init(_ storage: Bytes16) { self.storage = storage }
}

/// The beacon datagram.
///
///     beacon  = id(16) masked(11) entries          ; 91, 283 or 1,051 bytes
///     masked  = (version(1) counter(8) port(2)) XOR first 11 bytes of hash("kachat/bcn/mask"; id)
///     entries = 4, 16 or 64 times entry(16), in random order
///     entry   = tag(8) check(8) / echo(16) / random(16)
///     tag     = first 8 bytes of hash("kachat/bcn/tag", K_disc;  id counter(8) port(2) host)
///     check   = first 8 bytes of hash("kachat/bcn/check", K_disc; id counter(8) port(2) digest(16))
///     echo    = hash("kachat/bcn/echo", K_disc; heard id(16) id counter(8) port(2) host)
///     host    = the sender's address on that interface: 4 or 16 bytes
///
/// `hash(p, k; m)` is BLAKE2b with 16 bytes of output, the personal parameter p padded with zero bytes, the key k or
/// none, and the message m. Numbers are big-endian.
///
/// The mask is not secret (anybody who knows this page can undo it); it only ensures that no byte recurs from one id to
/// the next. The tag is valid only for the address it came from, so a copy sent from elsewhere looks random; and only
/// for this counter, so that a stranger who copies a tag cannot raise the counter and silence the id's owner. The check
/// tells members with the same digest that it is the same, and members with another only that it is not. The echo tells
/// the owner of an id that the sender has heard it, and is no recording.
enum BeaconCodec {
    static let version: UInt8 = 2
    static let headerBytes = BeaconID.byteCount + maskedBytes
    private static let maskedBytes = 11
    private static let entryBytes = 16

    /// The possible lengths of a beacon.
    static let lengths = Limits.paddedEntries.map { headerBytes + $0 * entryBytes }

    /// Encodes the beacon of a node in these zones, to be sent from `host`.
    ///
    /// Each zone is given by its current key and its digest, and each echo by an id and the key under which it was
    /// recognised. Entries beyond 64 are left out: the caller chooses which.
    static func encode(
        _ header: Beacon.Header, host: SocketAddress, zones: [(key: Secret, digest: ZoneDigest)],
        echoes: [(key: Secret, id: BeaconID)] = [], version: UInt8 = version, random: inout any RandomSource
    ) -> [UInt8] {
        let most = Limits.paddedEntries[Limits.paddedEntries.count - 1]
        var entries = zones.map { zone in
            Beacon.Entry(
                tag: tag(header, host: host, key: zone.key), check: check(header, digest: zone.digest, key: zone.key))
        }
        entries += echoes.map { echo(of: $0.id, in: header, host: host, key: $0.key) }
        entries = Array(entries.prefix(most))
        let padded = Limits.paddedEntries.first { $0 >= entries.count } ?? most
        while entries.count < padded {
            entries.append(Beacon.Entry(tag: random.next(), check: random.next()))
        }
        entries.shuffle(using: &random)

        var bytes = header.id.bytes
        bytes.reserveCapacity(headerBytes + padded * entryBytes)
        let clear =
            [version] + [UInt8](bigEndianBytesOf: header.counter, count: 8)
            + [UInt8](bigEndianBytesOf: UInt64(header.port), count: 2)
        bytes += zip(clear, mask(header.id)).map { $0 ^ $1 }
        for entry in entries {
            bytes += [UInt8](bigEndianBytesOf: entry.tag, count: 8)
            bytes += [UInt8](bigEndianBytesOf: entry.check, count: 8)
        }
        return bytes
    }

    /// The id of a possible beacon, before any work is spent on it.
    static func id(of bytes: [UInt8]) throws(BeaconError) -> BeaconID {
        guard lengths.contains(bytes.count), let id = BeaconID(bytes: bytes[..<BeaconID.byteCount]) else {
            throw .length
        }
        return id
    }

    static func decode(_ bytes: [UInt8]) throws(BeaconError) -> Beacon {
        let id = try id(of: bytes)
        let clear = zip(bytes[BeaconID.byteCount..<headerBytes], mask(id)).map { $0 ^ $1 }
        guard Limits.recognisedBeacons.contains(clear[0]) else { throw .version }
        let counter = number(clear[1..<9])
        let port = UInt16(truncatingIfNeeded: number(clear[9..<11]))
        let entries = stride(from: headerBytes, to: bytes.count, by: entryBytes).map { start in
            Beacon.Entry(tag: number(bytes[start..<start + 8]), check: number(bytes[start + 8..<start + 16]))
        }
        return Beacon(
            version: clear[0], header: Beacon.Header(id: id, counter: counter, port: port), entries: entries.sorted())
    }

    static func tag(_ header: Beacon.Header, host: SocketAddress, key: Secret) -> UInt64 {
        hash("kachat/bcn/tag", bound(header) + host.hostBytes, key: key)
    }

    static func check(_ header: Beacon.Header, digest: ZoneDigest, key: Secret) -> UInt64 {
        hash("kachat/bcn/check", bound(header) + digest.bytes, key: key)
    }

    static func echo(of id: BeaconID, in header: Beacon.Header, host: SocketAddress, key: Secret) -> Beacon.Entry {
        let hash = Blake2b.hash16(id.bytes + bound(header) + host.hostBytes, key: key, domain: "kachat/bcn/echo")
        return Beacon.Entry(tag: hash.w0, check: hash.w1)
    }

    private static func bound(_ header: Beacon.Header) -> [UInt8] {
        header.id.bytes + [UInt8](bigEndianBytesOf: header.counter, count: 8)
            + [UInt8](bigEndianBytesOf: UInt64(header.port), count: 2)
    }

    private static func hash(_ domain: String, _ message: [UInt8], key: Secret) -> UInt64 {
        Blake2b.hash16(message, key: key, domain: domain).w0
    }

    private static func mask(_ id: BeaconID) -> [UInt8] {
        [UInt8](Blake2b.hash16(id.bytes, domain: "kachat/bcn/mask").bytes.prefix(maskedBytes))
    }

    private static func number(_ bytes: ArraySlice<UInt8>) -> UInt64 {
        bytes.reduce(0) { $0 << 8 | UInt64($1) }
    }
}

/// Why a datagram is not one of our beacons.
enum BeaconError: Error, Hashable, Sendable {
    /// Not one of the possible lengths.
    case length
    /// A version far from this program's, or an unrelated datagram: they look the same.
    case version
}
