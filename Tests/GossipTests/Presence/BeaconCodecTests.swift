import NodeCore
import Testing

@testable import Gossip

@Suite("Beacon datagrams")
struct BeaconCodecTests {
    private typealias Fixture = PresenceFixture

    private func header(_ seed: UInt64, counter: UInt64 = 1) -> Beacon.Header {
        var random: any RandomSource = SeededRandom(seed: seed)
        return Beacon.Header(id: random.identifier(), counter: counter, port: 4_242)
    }

    private func encode(_ header: Beacon.Header, zones: Int, seed: UInt64 = 1) -> [UInt8] {
        var random: any RandomSource = SeededRandom(seed: seed)
        let all = (0..<zones).map { (key: Fixture.key(UInt8($0)), digest: Fixture.digest($0)) }
        return BeaconCodec.encode(header, host: Fixture.address(1), zones: all, random: &random)
    }

    @Test("Holders of the key find what is encoded, from that address only")
    func roundTrip() throws {
        let sent = header(1, counter: .max)
        let beacon = try BeaconCodec.decode(encode(sent, zones: 3))
        #expect(beacon.header == sent)
        for zone in 0..<3 {
            let key = Fixture.key(UInt8(zone))
            let check = BeaconCodec.check(sent, digest: Fixture.digest(zone), key: key)
            #expect(beacon.checks(tag: BeaconCodec.tag(sent, host: Fixture.address(1), key: key)) == [check])
            #expect(beacon.checks(tag: BeaconCodec.tag(sent, host: Fixture.address(2), key: key)).isEmpty)
        }
        let other = BeaconCodec.tag(sent, host: Fixture.address(1), key: Fixture.key(9))
        #expect(beacon.checks(tag: other).isEmpty)
    }

    @Test(
        "A beacon has 4, 16 or 64 entries",
        arguments: [(0, 4), (4, 4), (5, 16), (16, 16), (17, 64), (64, 64), (70, 64)])
    func padding(zones: Int, entries: Int) throws {
        let bytes = encode(header(1), zones: zones)
        #expect(bytes.count == BeaconCodec.headerBytes + 16 * entries)
        #expect(bytes.count <= 1_200)
        #expect(try BeaconCodec.decode(bytes).entries.count == entries)
    }

    @Test("Any other length is refused, and a wrong version")
    func refused() {
        let bytes = encode(header(1), zones: 1)
        for count in 0...1_300 where !BeaconCodec.lengths.contains(count) {
            let datagram = [UInt8]((bytes + [UInt8](repeating: 0, count: 1_300)).prefix(count))
            #expect(throws: BeaconError.length) { try BeaconCodec.decode(datagram) }
        }
        for version in UInt8.min ... .max {
            var other = bytes
            other[16] ^= BeaconCodec.version ^ version
            if (1...15).contains(version) {
                #expect((try? BeaconCodec.decode(other))?.version == version)
            } else {
                #expect(throws: BeaconError.version) { try BeaconCodec.decode(other) }
            }
        }
    }

    @Test("An echo is found by whoever was heard, and takes no more room than a zone")
    func echo() throws {
        var random: any RandomSource = SeededRandom(seed: 1)
        let sent = header(1)
        let (heard, key) = (BeaconID(Bytes16(5, 6)), Fixture.key(1))
        let bytes = BeaconCodec.encode(
            sent, host: Fixture.address(1), zones: [(key, Fixture.digest(1))], echoes: [(key, heard)],
            random: &random)
        #expect(bytes.count == BeaconCodec.lengths[0])
        let beacon = try BeaconCodec.decode(bytes)
        func isEchoed(_ id: BeaconID, host: Int = 1, key: Secret, counter: UInt64 = 1) -> Bool {
            let header = Beacon.Header(id: sent.id, counter: counter, port: sent.port)
            return beacon.contains(BeaconCodec.echo(of: id, in: header, host: Fixture.address(host), key: key))
        }
        #expect(isEchoed(heard, key: key))
        #expect(!isEchoed(BeaconID(Bytes16(5, 7)), key: key))
        #expect(!isEchoed(heard, host: 2, key: key))
        #expect(!isEchoed(heard, key: Fixture.key(2)))
        #expect(!isEchoed(heard, key: key, counter: 2))
    }

    @Test("Any change of a byte is noise or another statement, never a trap")
    func everyFlip() throws {
        let sent = header(1)
        let bytes = encode(sent, zones: 1)
        let tag = BeaconCodec.tag(sent, host: Fixture.address(1), key: Fixture.key(0))
        var found = 0
        for position in bytes.indices {
            var changed = bytes
            changed[position] ^= 0x40
            guard let beacon = try? BeaconCodec.decode(changed) else { continue }
            let expected = BeaconCodec.tag(beacon.header, host: Fixture.address(1), key: Fixture.key(0))
            if !beacon.checks(tag: expected).isEmpty {
                found += 1
                #expect(beacon.header == sent)
            } else if beacon.header == sent {
                #expect(beacon.checks(tag: tag).isEmpty)
            }
        }
        // Only changes to the filler and the check leave the tag alone: 64 bytes less the tag's 8.
        #expect(found == 56)
    }

    @Test("To a stranger beacons are noise: bytes agree no more often than by chance, and all values occur")
    func noise() {
        // They are members of the same zones with the same port and counter: only the ids differ.
        let beacons = (0..<64).map { encode(header(UInt64(100 + $0)), zones: 4, seed: UInt64($0)) }
        var equal = 0
        var compared = 0
        var ones = 0
        for left in 0..<beacons.count {
            ones += beacons[left].reduce(0) { $0 + $1.nonzeroBitCount }
            for right in left + 1..<beacons.count {
                for position in beacons[left].indices {
                    compared += 1
                    if beacons[left][position] == beacons[right][position] { equal += 1 }
                }
            }
        }
        let expected = Double(compared) / 256
        #expect(abs(Double(equal) - expected) < expected / 10)
        let bits = Double(beacons.count * beacons[0].count * 8)
        #expect(abs(Double(ones) - bits / 2) < bits / 50)
        // No position is constant, and no 8 bytes of one beacon occur anywhere in another.
        for position in beacons[0].indices {
            #expect(Set(beacons.map { $0[position] }).count > 32)
        }
        var seen: Set<[UInt8]> = []
        for beacon in beacons {
            let windows = Set((0...beacon.count - 8).map { [UInt8](beacon[$0..<$0 + 8]) })
            #expect(seen.isDisjoint(with: windows))
            seen.formUnion(windows)
        }
    }

    @Test("The byte format stays what it is")
    func vector() throws {
        let id = try #require(BeaconID(hex: "000102030405060708090a0b0c0d0e0f"))
        let header = Beacon.Header(id: id, counter: 1, port: 4_242)
        let key = Fixture.key(0x11)
        let tag = BeaconCodec.tag(header, host: SocketAddress(ipv4: 0xC000_0201, port: 9), key: key)
        let check = BeaconCodec.check(header, digest: Fixture.digest(1), key: key)
        #expect(String(tag, radix: 16) == Self.expectedTag)
        #expect(String(check, radix: 16) == Self.expectedCheck)
    }

    // These were made with another implementation of BLAKE2b: Python's hashlib.
    private static let expectedTag = "efe878e547392195"
    private static let expectedCheck = "8fc76eebf73bfb07"
}

extension BeaconCodec {
    static func decode(_ bytes: [UInt8]) throws(BeaconError) -> Beacon {
        let (version, header) = try header(of: bytes, id: id(of: bytes))
        return Beacon(version: version, header: header, entries: entries(of: bytes))
    }
}
