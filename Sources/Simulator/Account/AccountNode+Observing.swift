import Gossip
import NodeCore
import SyncState

extension AccountNode {
    package func observe(isFull: Bool) throws -> NodeObservation {
        var messages: [TxID]?
        if isFull {
            var held: [TxID] = []
            try account.chat.forEachMessage { listed in
                held.append(listed.message.txid)
                return true
            }
            messages = held.sorted()
        }
        let reads = try account.chat.conversationList().map(\.conversationID).sorted().map { conversation in
            NodeObservation.Read(
                conversation: conversation, scales: Self.scales(try account.chat.readPosition(conversation)))
        }
        return NodeObservation(
            digest: digest, messages: messages, reads: reads, gauges: gauges, missing: account.store.wantedCount)
    }

    /// Bytes that compare as the position's scales do; what is not set comes before all.
    private static func scales(_ position: ReadPosition) -> [[UInt8]] {
        var score = ByteWriter()
        if let point = position.scorePoint {
            score.write(u64: point.acceptingDaaScore)
            score.write(point.txid.bytes)
        }
        var time = ByteWriter()
        if let milliseconds = position.timeMilliseconds { time.write(u64: milliseconds) }
        return [score.bytes, time.bytes]
    }

    /// Besides what is bounded, what must not happen at all as long as disks keep what they were given and all are
    /// honest: fresh starts, alarms and refused records.
    private var gauges: [NodeObservation.Gauge] {
        let counters = served?.sync.counters
        func none(_ name: String, _ value: Int) -> NodeObservation.Gauge {
            NodeObservation.Gauge(name: name, value: value, limit: 0)
        }
        return [
            NodeObservation.Gauge(
                name: "sessions", value: served?.sync.peers.count ?? 0, limit: Gossip.Limits.sessionsPerZone),
            NodeObservation.Gauge(
                name: "known addresses", value: machine.dialer.entries(zone: account.zone).count,
                limit: PresenceLimits.addressesPerZone),
            NodeObservation.Gauge(
                name: "bytes waiting for one peer", value: connections.values.map(\.waitingBytes).max() ?? 0,
                limit: 2 << 20),
            none("fresh starts", served?.sync.freshStarts.count ?? 0),
            none("alarms", Int(clamping: counters?.alarms ?? 0)),
            none("refused records", Int(clamping: counters?.recordsRejected ?? 0)),
            none("bad blobs", Int(clamping: counters?.badBlobs ?? 0)),
        ]
    }
}
