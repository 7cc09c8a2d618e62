import ChatTestKit
import NodeCore
import SyncState

@testable import Chat

/// Several devices of an account without a network: records and blobs are handed over directly.
final class TruthCluster {
    var devices: [TestZone]

    init(_ count: Int) throws { devices = try (1...count).map { try TestZone(device: UInt8($0)) } }

    /// Gives a device everything that another one holds.
    func pull(_ target: Int, from source: Int) throws {
        let (giver, taker) = (devices[source], devices[target])
        try taker.learnLedger(of: giver)
        for lane in giver.store.vector {
            for record in try giver.store.records(of: lane.id) { try taker.store.put(record) }
            try taker.store.advance(lane.id, head: lane.head)
        }
        try taker.zone.commit()
        while true {
            var isStuck = true
            for wanted in try taker.store.wanted(limit: 1_000) {
                guard
                    let blob = try giver.store.blob(
                        of: wanted.record.lane, seq: wanted.record.seq, hashPrefix: wanted.blob.hash.shortPrefix)
                else { continue }
                _ = try taker.store.put(blob: blob, for: wanted)
                isStuck = false
            }
            try taker.zone.commit()
            if isStuck { break }
        }
        try taker.zone.work(now: .zero)
        try taker.zone.commit()
    }

    /// Syncs the devices until all hold the same.
    func settle() throws {
        for _ in 0..<10 {
            if Set(devices.map(\.store.digest)).count == 1 { return }
            for target in devices.indices {
                for source in devices.indices where source != target { try pull(target, from: source) }
            }
        }
    }

    /// A message as a device shows it, and whether it is read there.
    func row(_ device: Int, _ txid: TxID) throws -> (message: ChatMessage?, isRead: Bool?) {
        let listed = try devices[device].zone.chat.message(txid)
        return (listed?.message, listed?.isRead)
    }

    /// The bodies in all segment blobs that a device holds.
    func bodies(of device: Int) throws -> [String] {
        var found: [String] = []
        let zone = devices[device].zone
        try zone.segments.forEachSegment(after: 0) { _, sealed in
            found += (try? zone.chat.codec.messages(of: sealed).map(\.body)) ?? []
            return true
        }
        return found
    }
}
