import Ledger
import NodeCore
import SyncState
import Testing

@testable import Gossip

@Suite struct MessageTests {
    private static let lane = LaneID(Bytes32(1, 2, 3, 4))

    static var samples: [Message] {
        var peer = ScriptedPeer(1)
        let rows = (1...3).map { peer.fact(UInt64($0)).encoded }
        let entry = VectorEntry(
            lane: lane, head: 7, target: .max, fingerprint: Fingerprint(Bytes16(5, 6)))
        let range = RangeSum(low: 0, high: .max, fingerprint: Fingerprint(Bytes16(5, 6)), count: 300)
        let keys = [KeyName(seq: 1, hash: Bytes16(7, 8)), KeyName(seq: .max, hash: .zero)]
        let group = WantGroup(
            lane: lane,
            blobs: [.init(seq: .max, hashPrefix: 1), .init(seq: 9, hashPrefix: 2), .init(seq: 9, hashPrefix: 3)])
        return [
            .hello(peer.hello()), .vector(scope: .part, entries: [entry, peer.entry(3)]),
            .vector(scope: .whole, entries: []), .pull(lane: lane, since: 0, pages: 16),
            .page(lane: lane, through: 3, target: 9, isDone: true, rows: rows),
            .page(lane: lane, through: 0, target: 0, isDone: false, rows: []), .peek(lane: lane, count: 192),
            .rows(rows), .rows([]), .have(since: 2, record: rows[2]),
            .have(since: 2, record: rows[2], blob: [1, 2, 3]),
            .ranges(lane: lane, [range, RangeSum(low: 1_024, high: 2_047, fingerprint: nil, count: 0)]),
            .keys(lane: lane, low: 1, high: 9, keys), .fetch(lane: lane, keys), .want(.recent, [group, group]),
            .want(.backfill, []), .missing(.backfill), .blob(.recent, [1, 2, 3]), .blob(.backfill, []),
            .blobPart(.recent, totalBytes: 9, offset: 3, [4, 5]), .busy(retryAfterMilliseconds: 60_000),
            .bye(.startedAfresh), .ping, .pong(wallMilliseconds: nil),
            .find([TxID(Bytes32(1, 2, 3, 4)), TxID(Bytes32(5, 6, 7, 8))]),
            .find([]), .found(record: rows[0], blob: [1, 2, 3]), .found(record: rows[1], blob: []), .who,
            .vouch([1, 2, 3]), .vouch([]), .dismiss([4, 5]), .bye(.notMember),
            .pong(wallMilliseconds: .max), .pong(wallMilliseconds: 0), .foreignHello(versions: [1, 2, .max]),
            .names(isLast: false, [Bytes16(1, 2), Bytes16(3, 4)]), .names(isLast: true, []),
            .ledger(isLast: false, [peer.enter.encoded]),
            .ledger(isLast: true, []),
        ]
    }

    /// A HELLO that names this program's version has this form; of any other HELLO, only the versions are read.
    @Test func helloBeginsWithAFewVersions() throws {
        var peer = ScriptedPeer(1)
        var hello = peer.hello()
        let most = (0..<UInt16(Limits.versionsInHello)).map { 100 + $0 }
        hello.body.versions = most.dropLast() + [Limits.protocolVersion]
        guard case .hello(let read) = try Message(decoding: Message.hello(hello).encoded) else {
            Issue.record("it speaks our version")
            return
        }
        #expect(read.body.versions == hello.body.versions)
        guard case .foreignHello(most) = try Message(decoding: Message.foreignHello(versions: most).encoded + [1, 2])
        else {
            Issue.record("it speaks none of ours")
            return
        }
        for versions in [most + [1], most + [Limits.protocolVersion]] {
            hello.body.versions = versions
            for message in [Message.hello(hello), .foreignHello(versions: versions)] {
                #expect(throws: (any Error).self) { try Message(decoding: message.encoded) }
            }
        }
        // A version is a number of 16 bits.
        #expect(throws: (any Error).self) { try Message(decoding: [1, 0x81, 0x1a, 0, 1, 0, 0]) }
    }

    @Test func everyMessageComesBack() throws {
        for message in Self.samples {
            #expect(try Message(decoding: message.encoded).encoded == message.encoded)
        }
    }

    @Test func aTruncatedMessageIsRefusedOrAnother() {
        for message in Self.samples {
            let bytes = message.encoded
            for count in 0..<bytes.count { Self.check(Array(bytes[..<count])) }
            Self.check(bytes + [0])
        }
    }

    /// Counts and lengths that promise more than there is take no memory.
    @Test func aPromiseCostsNothing() {
        for head in 1...255 as ClosedRange<UInt8> {
            for promise in [[0x9b], [0xbb], [0x5b], [0x7b]] as [[UInt8]] {
                Self.check([head] + promise + [UInt8](repeating: 0xff, count: 8))
                Self.check([head, 0x58, 32] + Self.lane.bytes + promise + [0, 0, 0, 0, 0xff, 0xff, 0xff, 0xff])
            }
            Self.check([head] + [UInt8](repeating: 0x81, count: 60_000))
        }
    }

    @Test func randomBytesNeverTrap() {
        var random = SeededRandom(seed: 11)
        let samples = Self.samples.map(\.encoded)
        for number in 0..<200_000 {
            if number % 4 == 0 {
                let count = Int.random(in: 0...48, using: &random)
                Self.check([UInt8.random(in: 0...25, using: &random)] + random.bytes(count))
            } else {
                Self.check(Self.damaged(samples[Int.random(in: 0..<samples.count, using: &random)], &random))
            }
        }
    }

    private static func damaged(_ sample: [UInt8], _ random: inout SeededRandom) -> [UInt8] {
        var bytes = sample
        for _ in 0..<Int.random(in: 1...3, using: &random) where !bytes.isEmpty {
            let place = Int.random(in: 0..<bytes.count, using: &random)
            switch Int.random(in: 0..<4, using: &random) {
            case 0: bytes[place] = UInt8.random(in: 0...255, using: &random)
            case 1: bytes.remove(at: place)
            case 2: bytes.insert([0, 0x1b, 0x9b, 0x5b, 0xff][Int.random(in: 0..<5, using: &random)], at: place)
            default: bytes.removeLast(bytes.count - place)
            }
        }
        return bytes
    }

    /// Checks that accepted bytes have one form only, and no more parts than bytes.
    private static func check(_ bytes: [UInt8]) {
        guard let message = try? Message(decoding: bytes) else { return }
        if case .foreignHello = message {
            // Another version may continue as it likes.
            #expect(bytes.starts(with: message.encoded))
        } else {
            #expect(message.encoded == bytes)
        }
        #expect(parts(of: message) <= bytes.count)
    }

    private static func parts(of message: Message) -> Int {
        switch message {
        case .vector(_, let entries): entries.count
        case .page(_, _, _, _, let rows), .rows(let rows): rows.count
        case .find(let txids): txids.count
        case .names(_, let names): names.count
        case .ledger(_, let records): records.count
        case .ranges(_, let ranges): ranges.count
        case .keys(_, _, _, let keys), .fetch(_, let keys): keys.count
        case .want(_, let groups): groups.reduce(0) { $0 + 1 + $1.blobs.count }
        case .hello(let hello): hello.body.versions.count
        case .foreignHello(let versions): versions.count
        default: 1
        }
    }
}
