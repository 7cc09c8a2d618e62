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
    struct Entry: Hashable, Sendable {
        let tag: UInt64
        let check: UInt64
    }

    let version: UInt8
    let header: Header
    let entries: [Entry]

    /// The checks for a tag: empty if the sender is not in that zone, otherwise one. Looking through all entries takes
    /// less time than the hash that is looked for.
    func checks(tag: UInt64) -> [UInt64] {
        entries.contains { $0.tag == tag } ? entries.filter { $0.tag == tag }.map(\.check) : []
    }

    func contains(_ entry: Entry) -> Bool { entries.contains(entry) }
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
    /// The longest statement: an echoed id, an id, counter, port and a host or digest.
    private static let statementBytes = 58
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
        let mask = Mask(header.id)
        bytes.append(version ^ mask.version)
        bytes += [UInt8](bigEndianBytesOf: header.counter ^ mask.counter, count: 8)
        bytes += [UInt8](bigEndianBytesOf: UInt64(header.port ^ mask.port), count: 2)
        for entry in entries {
            bytes += [UInt8](bigEndianBytesOf: entry.tag, count: 8)
            bytes += [UInt8](bigEndianBytesOf: entry.check, count: 8)
        }
        return bytes
    }

    /// The id of a possible beacon, before any work is spent on it.
    static func id(of bytes: [UInt8]) throws(BeaconError) -> BeaconID {
        guard lengths.contains(bytes.count) else { throw .length }
        return BeaconID(Bytes16(number(bytes, at: 0), number(bytes, at: 8)))
    }

    /// The bytes before the entries, for one hash without a key.
    static func header(
        of bytes: [UInt8], id: BeaconID
    ) throws(BeaconError) -> (version: UInt8, header: Beacon.Header) {
        let mask = Mask(id)
        let version = bytes[16] ^ mask.version
        guard Limits.recognisedBeacons.contains(version) else { throw .version }
        let port = UInt16(bytes[25]) << 8 | UInt16(bytes[26])
        return (
            version, Beacon.Header(id: id, counter: number(bytes, at: 17) ^ mask.counter, port: port ^ mask.port)
        )
    }

    static func entries(of bytes: [UInt8]) -> [Beacon.Entry] {
        stride(from: headerBytes, to: bytes.count, by: entryBytes).map { start in
            Beacon.Entry(tag: number(bytes, at: start), check: number(bytes, at: start + 8))
        }
    }

    static func tag(_ header: Beacon.Header, host: SocketAddress, key: Secret) -> UInt64 {
        hash("kachat/bcn/tag", header, key: key) { $0.write(host: host) }.w0
    }

    static func check(_ header: Beacon.Header, digest: ZoneDigest, key: Secret) -> UInt64 {
        hash("kachat/bcn/check", header, key: key) { $0.write(digest) }.w0
    }

    static func echo(of id: BeaconID, in header: Beacon.Header, host: SocketAddress, key: Secret) -> Beacon.Entry {
        let hash = hash("kachat/bcn/echo", of: id, header, key: key) { $0.write(host: host) }
        return Beacon.Entry(tag: hash.w0, check: hash.w1)
    }

    /// The hash of `header` and what `rest` writes. A flood makes a node compute some hundred thousand a second.
    private static func hash(
        _ domain: String, of heard: BeaconID? = nil, _ header: Beacon.Header, key: Secret,
        rest: (inout ByteWriter) -> Void
    ) -> Bytes16 {
        var statement = ByteWriter(capacity: statementBytes)
        if let heard { statement.write(heard) }
        statement.write(header.id)
        statement.write(u64: header.counter)
        statement.write(u16: header.port)
        rest(&statement)
        return statement.bytes.withUnsafeBytes { Blake2b.hash16($0, key: key, domain: domain) }
    }

    /// The big-endian number in the eight bytes from `offset` on.
    private static func number(_ bytes: [UInt8], at offset: Int) -> UInt64 {
        precondition(offset >= 0 && offset + 8 <= bytes.count, "invariant: a beacon has one of its lengths")
        return bytes.withUnsafeBytes { UInt64(bigEndian: $0.loadUnaligned(fromByteOffset: offset, as: UInt64.self)) }
    }

    /// The mask of an id's beacons.
    private struct Mask {
        let version: UInt8
        let counter: UInt64
        let port: UInt16

        init(_ id: BeaconID) {
            let hash = id.withUnsafeBytes { Blake2b.hash16($0, domain: "kachat/bcn/mask") }
            version = UInt8(truncatingIfNeeded: hash.w0 >> 56)
            counter = hash.w0 << 8 | hash.w1 >> 56
            port = UInt16(truncatingIfNeeded: hash.w1 >> 40)
        }
    }
}

/// Why a datagram is not one of our beacons.
enum BeaconError: Error, Hashable, Sendable {
    /// Not one of the possible lengths.
    case length
    /// A version far from this program's, or an unrelated datagram: they look the same.
    case version
}

extension ByteWriter {
    /// The host's 4 or 16 bytes in network order.
    fileprivate mutating func write(host address: SocketAddress) {
        if let ipv4 = address.ipv4 { write(u32: ipv4) } else if let ipv6 = address.ipv6 { write(ipv6) }
    }
}
