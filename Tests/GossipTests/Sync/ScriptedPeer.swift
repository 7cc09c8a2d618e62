import Chat
import ChatTestKit
import Ledger
import NodeCore
import SyncState

@testable import Gossip

/// A peer that follows a test's script: it holds the account's keys, so it can do everything a member can.
struct ScriptedPeer {
    let account: AccountSigner
    let device: DeviceKeys
    let sealer: RecordSealer
    var random: any RandomSource
    /// The ledger name that it shows. `SyncBench` lets it agree with the node's.
    var ledger = Bytes16.zero

    init(_ number: UInt8, account: AccountSigner = SyncBench.account) {
        self.account = account
        sealer = RecordSealer(account.keys)
        device = DeviceKeys(
            deviceSecret: Secret(bytes: [UInt8](repeating: number, count: 32)),
            tag: Bytes16(1, UInt64(number)))
        random = SeededRandom(seed: 1_000 + UInt64(number))
    }

    var lane: LaneID { device.lane }

    /// Returns the HELLO of a new run.
    ///
    /// - Parameter side: the peer's end of the session.
    mutating func hello(
        _ side: Hello.Side = .initiator, _ hash: [UInt8] = SyncBench.hash, zone: ZoneID? = nil, port: UInt16 = 0,
        digest: ZoneDigest? = nil
    ) -> Hello {
        let body = Hello.Body(
            lane: lane, instance: random.identifier(), digest: digest ?? random.identifier(), ledger: ledger,
            port: port)
        let context = Hello.Context(side: side, zone: zone ?? sealer.zone, handshakeHash: hash)
        return Hello(body, in: context, device: device.signing)
    }

    /// Its Enter, signed by the person.
    var enter: LedgerRecord { account.enter(device) }

    /// A record that is decided by its slot's name and meta alone.
    ///
    /// - Parameter other: the device that writes it, if not the peer.
    mutating func record(
        _ seq: UInt64, _ meta: RecordMeta, slot: String, kind: RecordKind, blob: BlobReference? = nil,
        by other: DeviceKeys? = nil
    ) -> Record {
        let device = other ?? device
        let header = RecordHeader(
            lane: device.lane, seq: seq, slot: sealer.slot(named: slot, tag: meta.tag), kind: kind,
            keyVersion: sealer.keyVersion)
        return Record(
            header: header, blob: blob, sealedMeta: sealer.seal(meta, header: header, blob: blob, random: &random),
            zone: sealer.zone, signedBy: device.signing)
    }

    /// An immutable record, optionally with a blob.
    mutating func fact(_ seq: UInt64, blob: [UInt8]? = nil, by other: DeviceKeys? = nil) -> Record {
        let name = OpaqueName("fact \(seq)")
        let reference = blob.map {
            BlobReference(hash: BlobHash($0.withUnsafeBytes { Blake2b.hash32($0) }), sizeBytes: $0.count)
        }
        return record(
            seq, RecordMeta(type: .opaque, fields: name.encoded), slot: name.slotName, kind: .immutable,
            blob: reference, by: other)
    }

    /// A record under a root that nobody has announced.
    func unknownRoot(_ seq: UInt64) -> Record {
        let header = RecordHeader(
            lane: lane, seq: seq, slot: Slot(.zero), kind: .immutable, keyVersion: sealer.keyVersion ^ 1)
        return Record(
            header: header, blob: nil, sealedMeta: [UInt8](repeating: 1, count: 60), zone: sealer.zone,
            signedBy: device.signing)
    }

    func entry(_ head: UInt64, target: UInt64? = nil, lane: LaneID? = nil) -> VectorEntry {
        VectorEntry(
            lane: lane ?? self.lane, head: head, target: target ?? head,
            fingerprint: Fingerprint(Bytes16(9, head)))
    }

    /// Shakes hands, and shows a vector.
    mutating func greet(_ bench: SyncBench, _ id: SessionID, _ entries: [VectorEntry] = []) throws {
        try bench.open(id)
        try bench.take(.hello(hello()), on: id)
        try bench.take(.vector(scope: .whole, entries: entries), on: id)
    }
}
