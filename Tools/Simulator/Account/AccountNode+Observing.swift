import Chat
import ChatTestKit
import Gossip
import NodeCore
import SyncState

extension AccountNode {
    package func observe(isFull: Bool) throws -> NodeObservation {
        do {
            return try observed(isFull: isFull)
        } catch {
            // As after a command that meets a failing store.
            machine.onStoreFailed(error, zone: account.handle)
            throw error
        }
    }

    private func observed(isFull: Bool) throws -> NodeObservation {
        // Knowledge of a single device, such as a stub, does not count.
        let conversations = try account.chat.conversationList().filter { $0.messages > 0 }
            .sorted { $0.conversationID < $1.conversationID }
        let reads = try conversations.map { conversation in
            NodeObservation.Read(
                conversation: conversation.conversationID,
                scales: Self.scales(try account.chat.reads.position(of: conversation.conversationID)))
        }
        var messages: [TxID]?
        var content: [String] = []
        var unread: Set<TxID> = []
        var words: [TxID: ChainWord] = [:]
        var counts: [String: (messages: Int, unread: Int)] = [:]
        if isFull {
            // A sum, since the order of equal list positions must not matter.
            var sums: [String: UInt64] = [:]
            var held: [TxID] = []
            for listed in try account.chat.allMessages() {
                let message = listed.message
                held.append(message.txid)
                words[message.txid] = ChainWord(message)
                counts[message.conversationID, default: (0, 0)].messages += 1
                if message.direction == .received, !listed.isRead {
                    unread.insert(message.txid)
                    counts[message.conversationID, default: (0, 0)].unread += 1
                }
                sums[listed.message.conversationID, default: 0] &+= Self.hash(listed)
            }
            messages = held.sorted()
            content = conversations.map {
                let counts = "\($0.messages) messages, last \($0.lastTxID?.shortHex ?? "-")"
                return "\($0.conversationID): \(counts), \(String(sums[$0.conversationID] ?? 0, radix: 16))"
            }
            // Not the lanes that a device wrote before: a node that met it after two fresh starts never saw the record
            // in which the middle lane named the first (seed 162 of a day).
            content += try account.devices.all(wall: account.store.wall).compactMap { device in
                let name = device.description?.name ?? "no name"
                return device.id.map { "device \($0.shortHex): \(name)" }
            }
            .sorted()
        }
        var observation = NodeObservation(
            digest: digest, messages: messages, content: content, reads: reads,
            gauges: gauges, missing: account.store.wantedCount)
        guard isFull else { return observation }
        observation.unread = unread
        observation.stubs = Set(try account.chat.stubs.list(limit: Limits.listedStubs).map(\.txid))
        observation.words = words
        observation.wrongCounts = conversations.compactMap { shown in
            let (messages, unread) = counts[shown.conversationID] ?? (0, 0)
            guard shown.messages != messages || shown.unread != unread else { return nil }
            return "\(shown.conversationID) has \(messages) messages and \(unread) unread, "
                + "and says \(shown.messages) and \(shown.unread)"
        }
        return observation
    }

    private static func hash(_ listed: ListedMessage) -> UInt64 {
        var hash = TraceHash()
        hash.mix(listed.message.txid.bytes)
        hash.mix(listed.message.conversationID)
        hash.mix(listed.message.contact)
        hash.mix(listed.message.body)
        hash.mix(UInt64(listed.message.direction.rawValue))
        hash.mix(listed.message.senderTimestamp)
        hash.mix(listed.message.blockTime ?? .max)
        hash.mix(listed.message.acceptingDaaScore ?? .max)
        hash.mix(listed.message.status.name)
        return hash.value
    }

    /// Bytes that compare like the position's scales; unset ones come first.
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

    /// In addition to bounded quantities, events that must not happen at all while disks keep their data and all are
    /// honest: fresh starts, alarms and refused records.
    private var gauges: [NodeObservation.Gauge] {
        let counters = served?.sync.counters
        let isCaughtUp = served?.sync.isCaughtUp ?? false
        // At the end of the latest turn.
        let now = account.changes.now
        let waited = account.chat.waitingBesideDevicesSince.map { now - $0 } ?? .zero
        let patience = Chat.Limits.burstAge + Chat.Limits.rankPauseMost
        func none(_ name: String, _ value: Int) -> NodeObservation.Gauge {
            NodeObservation.Gauge(name: name, value: value, limit: 0)
        }
        return [
            NodeObservation.Gauge(
                name: "sessions", value: served?.sync.peers.count ?? 0, limit: Gossip.Limits.sessionsPerZone),
            NodeObservation.Gauge(
                name: "known addresses", value: machine.dialer.entries(place: account.handle).count,
                limit: Gossip.Limits.addressesPerZone),
            NodeObservation.Gauge(
                name: "bytes waiting for one peer", value: connections.values.map(\.waitingBytes).max() ?? 0,
                limit: 2 << 20),
            NodeObservation.Gauge(
                name: "seconds that a message waits beside a device", value: Int(waited.components.seconds),
                limit: Int(patience.components.seconds)),
            none("messages queued while caught up", isCaughtUp ? account.chat.queuedCount : 0),
            none("fresh starts", served?.sync.freshStarts.count ?? 0),
            none("alarms", Int(clamping: counters?.alarms ?? 0)),
            none("refused records", Int(clamping: counters?.recordsRejected ?? 0)),
            none("bad blobs", Int(clamping: counters?.badBlobs ?? 0)),
        ]
    }
}

extension ChainWord {
    fileprivate init(_ message: ChatMessage) {
        switch (message.status, message.acceptingDaaScore) {
        case (.reorged, _): self = .reorged
        case (_, let score?): self = .confirmed(acceptingDaaScore: score)
        default: self = .pending
        }
    }
}
