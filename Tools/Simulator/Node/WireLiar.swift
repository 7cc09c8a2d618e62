import Gossip
import NodeCore
import SyncState

/// The messages of a device that breaks the protocol with all keys of its account: it withholds, claims what it does
/// not have, answers late, twice, or with what another was asked for. It signs for nobody else, so its rows stay true.
final class WireLiar {
    private enum Lie: CaseIterable {
        case withhold, repeats, late, vector, rows, blob, sums, names, demand, refuse
    }

    /// A habit of some liars, beside that.
    private enum Manner: CaseIterable {
        case none, promises, oldRows, drops
    }

    private struct Late {
        let at: MonotonicTime
        let session: SessionID
        let bytes: [UInt8]
        let priority: SendPriority
    }

    private var random: any RandomSource
    /// Of a run: some liars do one thing only, some everything.
    private let lies: [Lie]
    /// How often, of each message.
    private let share: Double
    private let manner: Manner
    /// Its last claim of each lane.
    private var claims: [LaneID: VectorEntry] = [:]
    private var nextDrop = MonotonicTime.zero
    /// In the order in which they leave.
    private var late: [Late] = []
    private var formerBlob: ArraySlice<UInt8> = [1, 2, 3]

    init(seed: UInt64) {
        random = SeededRandom(seed: seed)
        let count = Bool.random(using: &random) ? 1 : Int.random(in: 2...Lie.allCases.count, using: &random)
        lies = Array(Lie.allCases.shuffled(using: &random).prefix(count))
        share = [0.02, 0.1, 0.3, 1].randomElement(using: &random) ?? 1
        manner = Manner.allCases.randomElement(using: &random) ?? .none
    }

    var deadline: MonotonicTime? { late.map(\.at).min() }

    /// The messages that were held back until now.
    func takeLate(now: MonotonicTime) -> [(session: SessionID, bytes: [UInt8], priority: SendPriority)] {
        defer { late.removeAll { $0.at <= now } }
        return late.filter { $0.at <= now }.map { ($0.session, $0.bytes, $0.priority) }
    }

    /// Returns the messages that are sent in place of one.
    func say(
        _ bytes: [UInt8], to session: SessionID, _ priority: SendPriority, now: MonotonicTime
    ) -> [[UInt8]] {
        guard let message = try? Message(decoding: bytes) else { return [bytes] }
        // What waits is looked through in each turn.
        guard late.count < 300 else { return [bytes] }
        if let said = inManner(message, to: session, priority, now: now) { return said.map(\.encoded) }
        guard Double.random(in: 0..<1, using: &random) < share else { return [bytes] }
        if case .hello = message { return [bytes] }
        switch lies.randomElement(using: &random) ?? .withhold {
        case .withhold:
            if case .blob(let kind, _) = message { return [Message.missing(kind).encoded] }
            return []
        case .repeats: return [bytes, bytes]
        case .late:
            let wait = Duration.milliseconds(Int.random(in: 1...90_000, using: &random))
            late.append(Late(at: now + wait, session: session, bytes: bytes, priority: priority))
            return []
        case .vector: return [twistedVector(message).encoded]
        case .rows: return [twistedRows(message).encoded]
        case .blob: return [twistedBlob(message).encoded]
        case .sums: return [twistedSums(message).encoded]
        case .names: return [twistedNames(message).encoded]
        case .demand: return [bytes] + demands(message).map(\.encoded)
        case .refuse:
            let busy = UInt64.random(in: 0...600_000, using: &random)
            let refusals: [Message] = [.busy(retryAfterMilliseconds: busy), .bye(.shutdown), .dismiss([]), .who]
            return [bytes, (refusals.randomElement(using: &random) ?? .who).encoded]
        }
    }

    /// Keeps somebody waiting for it who could ask another.
    private func inManner(
        _ message: Message, to session: SessionID, _ priority: SendPriority, now: MonotonicTime
    ) -> [Message]? {
        func hold(_ message: Message, until at: MonotonicTime) {
            late.append(Late(at: at, session: session, bytes: message.encoded, priority: priority))
        }
        switch (manner, message) {
        case (.promises, .vector(let scope, let entries)):
            return [.vector(scope: scope, entries: entries.map(claimingMore))]
        case (.promises, .page(let lane, _, _, _, _)):
            guard let claim = claims[lane] else { return nil }
            return [
                .page(lane: lane, through: claim.head, target: claim.head, isDone: true, rows: []),
                .vector(scope: .update, entries: [claimingMore(claim)]),
            ]
        case (.oldRows, .page(let lane, let through, let target, _, let rows)):
            let page = Message.page(lane: lane, through: through, target: target + 1, isDone: false, rows: rows)
            for number in 1...100 { hold(page, until: now + .seconds(5 * number)) }
            return [page]
        case (.drops, .blob):
            nextDrop = max(nextDrop, now) + .seconds(14)
            hold(message, until: nextDrop)
            return []
        default: return nil
        }
    }

    private func claimingMore(_ entry: VectorEntry) -> VectorEntry {
        var entry = entry
        entry.head = max(entry.head, claims[entry.lane]?.head ?? 0) + 1
        entry.target = entry.head
        claims[entry.lane] = entry
        return entry
    }

    private func moved(_ number: UInt64) -> UInt64 {
        [0, 1, number / 2, number &+ 1, number &+ 1_000, (1 << 44) - 1].randomElement(using: &random) ?? 0
    }

    private func twistedVector(_ message: Message) -> Message {
        guard case .vector(let scope, var entries) = message, !entries.isEmpty else { return message }
        let at = Int.random(in: 0..<entries.count, using: &random)
        switch Int.random(in: 0..<5, using: &random) {
        case 0: entries.remove(at: at)
        case 1: entries[at].head = moved(entries[at].head)
        case 2: entries[at].target = moved(entries[at].target)
        case 3: entries[at].fingerprint = entries.randomElement(using: &random)?.fingerprint ?? .ofNoRows
        default: (entries[at].head, entries[at].target) = (0, 0)
        }
        return .vector(scope: scope, entries: entries)
    }

    private func twistedRows(_ message: Message) -> Message {
        func some(_ rows: [[UInt8]]) -> [[UInt8]] {
            guard !rows.isEmpty else { return [] }
            var rows = rows
            let at = Int.random(in: 0..<rows.count, using: &random)
            switch Int.random(in: 0..<3, using: &random) {
            case 0: rows.remove(at: at)
            case 1: rows.append(rows[at])
            default: rows.reverse()
            }
            return rows
        }
        switch message {
        case .page(let lane, let through, let target, _, let rows):
            return .page(
                lane: lane, through: Bool.random(using: &random) ? moved(through) : through,
                target: Bool.random(using: &random) ? moved(target) : target,
                isDone: Bool.random(using: &random), rows: some(rows))
        case .rows(let rows): return .rows(some(rows))
        case .have(let since, let record, let blob): return .have(since: moved(since), record: record, blob: blob)
        default: return message
        }
    }

    /// Another blob, as one that somebody else was sent, or one that rotted.
    private func twisted(_ blob: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
        defer { formerBlob = blob }
        guard Bool.random(using: &random), !blob.isEmpty else { return formerBlob }
        var bytes = Array(blob)
        bytes[Int.random(in: 0..<bytes.count, using: &random)] ^= 1
        return bytes[...]
    }

    private func twistedBlob(_ message: Message) -> Message {
        switch message {
        case .blob(let kind, let blob): .blob(kind, twisted(blob))
        case .missing(let kind): .blob(kind, formerBlob)
        case .found(let record, let blob): .found(record: record, blob: twisted(blob))
        case .have(let since, let record, let blob): .have(since: since, record: record, blob: twisted(blob))
        case .blobPart(let kind, let total, let offset, let bytes):
            .blobPart(kind, totalBytes: moved(total), offset: moved(offset), bytes)
        default: message
        }
    }

    private func twistedSums(_ message: Message) -> Message {
        switch message {
        case .ranges(let lane, var sums):
            guard !sums.isEmpty else { return message }
            let at = Int.random(in: 0..<sums.count, using: &random)
            (sums[at].fingerprint, sums[at].count) = (nil, moved(sums[at].count))
            return .ranges(lane: lane, sums)
        case .keys(let lane, let low, let high, var names):
            guard var name = names.popLast() else { return message }
            if Bool.random(using: &random) { name.seq = moved(high) }
            name.hash = random.identifier()
            names.append(name)
            return .keys(lane: lane, low: low, high: high, names)
        default: return message
        }
    }

    private func twistedNames(_ message: Message) -> Message {
        switch message {
        case .names(_, let names):
            .names(isLast: Bool.random(using: &random), Array(names.dropFirst(Int.random(in: 0...2, using: &random))))
        case .ledger(_, let records): .ledger(isLast: Bool.random(using: &random), Array(records.dropFirst()))
        case .vouch: .vouch([])
        default: message
        }
    }

    /// Work for the other, again and again.
    private func demands(_ message: Message) -> [Message] {
        switch message {
        case .vector(_, let entries): entries.prefix(3).map { .pull(lane: $0.lane, since: 0, pages: 1_000) }
        case .want, .find, .fetch, .names, .ranges: [message, message, message]
        case .pull(let lane, _, _): [.peek(lane: lane, count: 1_000), .fetch(lane: lane, [])]
        default: [.ping, .names(isLast: true, [])]
        }
    }
}
