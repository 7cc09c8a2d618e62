import ChatTestKit
import NodeCore

@testable import Chat
@testable import Commands
@testable import Gossip
@testable import Node
@testable import SyncState

/// Where the mutations begin: something right for each door. Those of groups are in `Fuzz/Corpus`.
extension Door {
    /// With the door's byte in front.
    package var samples: [[UInt8]] { content.map { [rawValue] + $0 } }

    private var content: [[UInt8]] {
        let lane = LaneID(Bytes32(1, 2, 3, 4))
        let row = Self.row(lane)
        switch self {
        case .token, .ledger, .joining, .score: return []
        case .cbor: return [[0x83, 1, 0x18, 200, 0x62, 0x61, 0x62], [0xA1, 1, 0x81, 0xF6], row]
        case .record:
            let meta = Self.draft?.meta.encoded ?? []
            return [row, meta, RecordMeta(number: 4, tag: Bytes16(1, 2), fields: meta).encoded]
        case .segment: return [PayloadWriter.payload(of: Self.messages)]
        case .frame:
            let compressed = Self.draft?.compressed ?? []
            return [compressed, Array(compressed.dropFirst(5))]
        case .message:
            let messages: [Message] = [
                .vector(scope: .whole, entries: [.empty(lane)]), .pull(lane: lane, since: 3, pages: 2),
                .page(lane: lane, through: 9, target: 12, isDone: true, rows: [row]), .peek(lane: lane, count: 7),
                .rows([row]), .have(since: 2, record: row, blob: [1, 2, 3]),
                .ranges(lane: lane, [RangeSum(low: 0, high: 1_023, fingerprint: nil, count: 0)]),
                .keys(lane: lane, low: 0, high: 9, [KeyName(seq: 3, hash: Bytes16(5, 6))]),
                .fetch(lane: lane, [KeyName(seq: 3, hash: Bytes16(5, 6))]),
                .missing(.recent), .blob(.backfill, [4, 5]),
                .blobPart(.recent, totalBytes: 60_000, offset: 0, [1]), .busy(retryAfterMilliseconds: 400),
                .bye(.shutdown), .ping, .pong(wallMilliseconds: 17), .find([TxID(Bytes32(1, 1, 1, 1))]),
                .found(record: row, blob: [1]), .who, .names(isLast: true, [Bytes16(1, 1)]),
                .ledger(isLast: true, []),
            ]
            return messages.map(\.encoded)
        case .session: return (0..<6).map { [$0] + [UInt8](repeating: 7, count: 80) }
        case .beacon: return BeaconCodec.lengths.map { [UInt8](repeating: 0, count: $0) }
        case .pairing:
            let messages: [PairingMessage] = [
                .hello(role: .gives, subject: .account, id: PairingID(Bytes16(1, 2)), name: "tablet"), .chosen,
                .commitment(Bytes32(1, 2, 3, 4)), .nonce(Bytes32(1, 2, 3, 4)), .genesis([1]),
                .lane(PairingLane(lane: lane, sealKey: Bytes32(1, 2, 3, 4))), .secret([1, 2]), .taken(path: [3]),
            ]
            return messages.map(\.encoded)
        case .target:
            return APITable.endpoints.prefix(40).map { endpoint in
                let path = endpoint.path.map { part in
                    switch part {
                    case .literal(let word): word
                    case .parameter: "%41bc"
                    }
                }
                let query = endpoint.parameters(in: .query).map { "\($0.name)=1" }.joined(separator: "&")
                return Array("/\(path.joined(separator: "/"))?\(query)".utf8)
            }
        case .body:
            return APITable.endpoints.indices.prefix(200).map { number in
                let fields = APITable.endpoints[number].parameters(in: .body).map { #""\#($0.name)": "a""# }
                return [UInt8(number)] + Array("{\(fields.joined(separator: ", "))}".utf8)
            }
        case .json: return [Array(#"{"a": [1, -2.5e3, "\u00fc\ud83d\ude00", true, null], "b": {}}"#.utf8)]
        case .lines: return Self.importLines.map { Array("\($0)\n".utf8) }
        case .settings: return [Array(#"{"device.name": "tablet", "discovery": "auto", "log.level": "info"}"#.utf8)]
        case .container:
            let frame = Array((Self.draft?.compressed ?? []).dropFirst(5))
            let part = """
                {"parts": [{"kind": "messages", "name": "m", "offset": 24, "bytes": \(frame.count), "plainBytes": 200,
                "lines": 2, "blake2b": "\(Blake2b.hash32(frame, domain: ContainerFormat.hashDomain).hex)"}]}
                """
            return [[0, UInt8(truncatingIfNeeded: frame.count)] + frame + Array(part.utf8)]
        case .store, .groupStore: return [[0, 0, 0, 6, 3, 0, 1, 7, 1, 0, 2, 0]]
        case .home: return Self.homeFiles
        case .leaf: return [[0, 3, 0, 0, 0, 1, 9, 9, 9, 9, 0, 0, 0, 2]]
        }
    }

    private static func row(_ lane: LaneID) -> [UInt8] {
        let header = RecordHeader(
            lane: lane, seq: 3, slot: Slot(Bytes16(7, 7)), kind: .register, keyVersion: 1)
        return Record(
            header: header, blob: BlobReference(hash: BlobHash(Bytes32(1, 2, 3, 4)), sizeBytes: 77),
            sealedMeta: [UInt8](repeating: 5, count: 48), signature: [UInt8](repeating: 6, count: 64)
        ).encoded
    }

    private static let messages: [ChatMessage] = (1...3).map {
        .sample($0, score: $0, blockTime: 1_700_000_000_000 + $0)
    }

    private static let draft = try? SegmentCodec().draft(
        messages, name: SegmentName(conversationID: "bob", dayBucket: 19_675, writer: LaneID(.zero), sequence: 0))

    private static var homeFiles: [[UInt8]] {
        let words = String(repeating: "abandon ", count: 11) + "about"
        let accounts = (try? RecoveryPhrase.signer(of: words)).map {
            Identity.Account(label: "main", keys: $0.keys, createdAt: WallTime(milliseconds: 1))
        }
        let secret = Secret(bytes: [UInt8](repeating: 1, count: 32))
        let identity = Identity(deviceSecret: secret, deviceName: "tablet", accounts: [accounts].compactMap(\.self))
        let hash = String(repeating: "0a", count: 32)
        let tokens = """
            {"version": 1, "tokens": [{"id": "00112233", "name": "app", "hash": "\(hash)", \
            "scopes": ["chat:read"], "createdAt": 1700000000000, "expiresAt": 1800000000000}]}
            """
        let achievements = """
            [{"id": "00000000-0000-0000-0000-000000000001", "category": "streak", "requirements": [{"tier": "bronze", \
            "threshold": 3}], "progress": {"currentValue": 31, "currentTier": "bronze", "lastUpdated": 1750000000000, \
            "tierUnlockDates": ["bronze", "2025-01-31T12:00:00Z"]}}]
            """
        return [identity.encoded(), Array(tokens.utf8), Array(achievements.utf8)]
    }

    private static let importLines = [
        #"{"kind": "read", "conversationId": "bob", "readAt": 1700000000000}"#,
        #"{"kind": "deleted", "conversationId": "bob", "through": 1700000000000}"#,
        #"{"kind": "conversation", "conversationId": "bob", "title": {"value": "B", "revision": 1, "at": 1}}"#,
        #"{"conversationId": "bob", "lastReadBlockTime": 1700000000000}"#,
        #"{"dateInt": 20250131, "gameName": "Wordle", "score": 3, "maxAttempts": 6, "completed": true}"#,
        """
        {"txid": "0000000000000000000000000000000000000000000000000000000000000001", "blockTime": 1700000000000, \
        "acceptingDaaScore": 7, "status": "seen"}
        """,
        """
        {"txid": "0000000000000000000000000000000000000000000000000000000000000001", "conversationId": "bob", \
        "contact": "bob", "direction": "received", "timestamp": 1700000000, "blockTime": 1700000000000, "body": "hi"}
        """,
    ]
}
