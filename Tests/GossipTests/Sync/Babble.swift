import Chat
import NodeCore
import SyncState

@testable import Gossip

/// Messages of the protocol with arbitrary content, some of it true.
enum Babble {
    static func message(_ peer: inout ScriptedPeer, _ victim: SyncBench, _ random: inout SeededRandom) -> Message {
        let lanes = [peer.lane, victim.zone.lane, LaneID(Bytes32(5, 5, 5, UInt64.random(in: 0..<4, using: &random)))]
        let lane = lanes[Int.random(in: 0..<lanes.count, using: &random)]
        switch Int.random(in: 0..<16, using: &random) {
        case 0: return .vector(scope: .update, entries: [entry(lane, &random)])
        case 1: return .vector(scope: .whole, entries: lanes.map { entry($0, &random) })
        case 2: return .pull(lane: lane, since: seq(&random), pages: seq(&random))
        case 3, 4:
            return .page(
                lane: lane, through: seq(&random), target: seq(&random), isDone: Bool.random(using: &random),
                rows: rows(&peer, lane, &random))
        case 5: return .peek(lane: lane, count: seq(&random))
        case 6, 7: return .rows(rows(&peer, lane, &random))
        case 8: return .have(since: seq(&random), record: row(&peer, lane, &random))
        case 9:
            let low = seq(&random)
            let range = RangeSum(
                low: low, high: max(low, seq(&random)), fingerprint: Fingerprint(Bytes16(1, low)), count: seq(&random))
            return .ranges(lane: lane, [range])
        case 10: return .keys(lane: lane, low: 0, high: seq(&random), keys(victim, lane, &random))
        case 11: return .fetch(lane: lane, keys(victim, lane, &random))
        case 12:
            let names = [BlobName(seq: seq(&random), hashPrefix: 1)]
            return .want(Bool.random(using: &random) ? .recent : .backfill, [WantGroup(lane: lane, blobs: names)])
        case 13: return .ping
        case 14: return .pong(wallMilliseconds: nil)
        default:
            let rare: [Message] = [
                .missing(.recent), .blob(.recent, random.bytes(40)[...]), .bye(.shutdown),
                .busy(retryAfterMilliseconds: .max),
                .blobPart(.backfill, totalBytes: seq(&random), offset: 0, random.bytes(20)), .hello(peer.hello()),
            ]
            return rare[Int.random(in: 0..<rare.count, using: &random)]
        }
    }

    private static func seq(_ random: inout SeededRandom) -> UInt64 {
        let known: [UInt64] = [0, 1, 2, 7, 40, 1 << 20, SyncState.Limits.highestSeq, SyncState.Limits.highestSeq - 1]
        return known[Int.random(in: 0..<known.count, using: &random)]
    }

    private static func entry(_ lane: LaneID, _ random: inout SeededRandom) -> VectorEntry {
        let (one, other) = (seq(&random), seq(&random))
        return VectorEntry(
            lane: lane, head: min(one, other), target: max(one, other), fingerprint: random.identifier())
    }

    private static func rows(_ peer: inout ScriptedPeer, _ lane: LaneID, _ random: inout SeededRandom) -> [[UInt8]] {
        (0..<Int.random(in: 0...3, using: &random)).map { _ in row(&peer, lane, &random) }
    }

    private static func row(_ peer: inout ScriptedPeer, _ lane: LaneID, _ random: inout SeededRandom) -> [UInt8] {
        // A row of the victim's own lane would make it start afresh, as it should.
        let writer = lane == peer.lane ? peer.device : ScriptedPeer(8).device
        let at = max(1, seq(&random))
        switch Int.random(in: 1..<6, using: &random) {
        case 1: return peer.fact(at, blob: random.bytes(30), by: writer).encoded
        case 2:
            var damaged = peer.fact(at, by: writer).encoded
            damaged[Int.random(in: 0..<damaged.count, using: &random)] ^= 1
            return damaged
        case 3:
            let bound = ReadBound(txid: .zero, acceptingDaaScore: min(at, 1 << 40), timeMilliseconds: 0)
            let marker = ReadMarker(
                conversationID: "c\(at % 3)", bounds: [bound], readAt: WallTime(milliseconds: .min))
            return peer.record(
                at, RecordMeta(type: .readMarker, fields: marker.encoded), slot: marker.slotName, kind: .register,
                by: writer
            ).encoded
        default: return peer.fact(at, by: writer).encoded
        }
    }

    private static func keys(_ victim: SyncBench, _ lane: LaneID, _ random: inout SeededRandom) -> [KeyName] {
        let held = (try? victim.store.keys(of: lane, from: 0, through: 50).keys) ?? []
        return held.prefix(3).map(KeyName.init) + [KeyName(seq: seq(&random), hash: .zero)]
    }
}
