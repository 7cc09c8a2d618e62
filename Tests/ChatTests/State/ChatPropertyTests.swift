import ChatTestKit
import NodeCore
import SyncState
import TestScale
import Testing

@testable import Chat

/// Random histories of one node, compared with a reader of all the bytes.
@Suite struct ChatPropertyTests {
    static let seeds = TestScale.range("CHAT_SEEDS", usual: 8, proof: 1_600)

    private struct Run {
        var random: SeededRandom
        var now = MonotonicTime.zero
        /// The messages that an app gave and that were committed.
        var accepted: Set<TxID> = []
        var own: [String: ReadMarker] = [:]
        var others: [String: ReadMarker] = [:]
        var facts: [TxID: ChainFact] = [:]
        var deleted: Set<TxID> = []
        var deletedThrough: [String: UInt64] = [:]
        var sequence: UInt64 = 0

        mutating func message() -> ChatMessage {
            let number = UInt64.random(in: 1...150, using: &random)
            // The number decides the conversation and day; other differences make further versions of the message.
            let score = number % 7 == 0 ? nil : 1_000 + number / 3
            let isPending = Int.random(in: 0..<4, using: &random) == 0
            let blockTime: UInt64? = number % 11 == 0 ? nil : 1_700_000_000_000 + number * 500
            return .sample(
                number, conversation: ["ann", "bob", "#room"][Int(number % 3)],
                direction: number % 4 == 0 ? .sent : .received, timestamp: 1_700_000_000 + number % 2 * 86_400 + number,
                score: isPending ? nil : score, blockTime: isPending ? nil : blockTime,
                body: Int.random(in: 0..<10, using: &random) == 0 ? "other" : nil)
        }
    }

    /// The message with its fact applied; nil if it is deleted.
    private func effective(_ copy: ChatMessage, _ run: Run) -> ChatMessage? {
        if run.deleted.contains(copy.txid) { return nil }
        let message = run.facts[copy.txid]?.applied(to: copy) ?? copy
        if let through = run.deletedThrough[message.conversationID],
            MessageOrder.time(blockTime: message.blockTime, senderTimestamp: message.senderTimestamp) <= through
        {
            return nil
        }
        return message
    }

    private func time(_ message: ChatMessage) -> UInt64 {
        MessageOrder.time(blockTime: message.blockTime, senderTimestamp: message.senderTimestamp)
    }

    /// Adds the facts that the node made by itself.
    private func learnFacts(of node: ChatFixture, _ run: inout Run) throws {
        try node.chat.synchronise()
        for overlay in try node.chat.index.overlays.unpublishedOverlays(limit: 10_000) {
            run.facts[overlay.txid] = overlay.fact
        }
    }

    /// This device's marks, with the names the node added to keep messages read.
    private final class OwnMarks: OwnReadMarks {
        var marks: [String: ReadMarker] = [:]
        func ownMark(of conversation: String) throws -> ReadMarker? { marks[conversation] }
        func isNamed(_ txid: TxID, in conversation: String) -> Bool { true }
        func keep(_ marker: ReadMarker) throws { marks[marker.conversationID] = marker }
    }

    /// Lets the positions follow the marks, as a commit does.
    private func settle(_ node: ChatFixture, _ run: inout Run) throws {
        try node.chat.flush()
        run.own = own.marks
        for id in ["ann", "bob", "#room"] { try node.chat.reads.follow(marks(of: id, run), in: id) }
    }

    private func marks(of id: String, _ run: Run) -> [ReadMark] {
        [
            run.own[id].map { ReadMark(lane: ChatFixture.lane, marker: $0) },
            run.others[id].map { ReadMark(lane: ChatFixture.otherLane, marker: $0) },
        ].compactMap(\.self)
    }

    private let own = OwnMarks()

    private func open(_ home: TemporaryDatabase, hashBits: Int, _ run: Run) throws -> ChatFixture {
        let node = try ChatFixture(home.open(), hashBits: hashBits, now: run.now)
        own.marks = run.own
        node.chat.reads.own = own
        return node
    }

    @Test(arguments: seeds) func theListingIsWhatTheBytesSay(seed: UInt64) throws {
        let home = TemporaryDatabase()
        // With few bits of hash messages collide; with all of them they do not.
        let hashBits = [46, 46, 3, 6][Int(seed % 4)]
        var run = Run(random: SeededRandom(seed: seed))
        var held: ChatFixture? = try open(home, hashBits: hashBits, run)
        var rot = SeededRandom(seed: seed + 1_000)
        for _ in 0..<80 {
            run.now += .seconds(Int.random(in: 0...60, using: &run.random))
            let before = run
            // The process died, and the tail in memory went with it.
            if held == nil { held = try open(home, hashBits: hashBits, run) }
            let node = try #require(held)
            if Int.random(in: 0..<8, using: &run.random) > 0 {
                try step(node, &run)
            } else {
                // The step is undone as a whole: at its end, or where a database operation fails.
                var operations = Int.random(in: 0..<400, using: &run.random)
                try node.database.begin()
                node.database.probe = { (_) throws(DatabaseError) in
                    operations -= 1
                    if operations < 0 { throw DatabaseError(code: 10, message: "the disk is gone") }
                }
                try? step(node, &run)
                node.database.probe = nil
                node.database.rollback()
                run.accepted = before.accepted
                (run.own, run.others) = (before.own, before.others)
                own.marks = run.own
                (run.facts, run.deleted) = (before.facts, before.deleted)
                run.deletedThrough = before.deletedThrough
            }
            try learnFacts(of: node, &run)
            try settle(node, &run)
            if Int.random(in: 0..<20, using: &rot) == 0 { try mend(node, &rot) }
            if Int.random(in: 0..<6, using: &run.random) == 0 { try check(node, &run) }
            if Int.random(in: 0..<15, using: &run.random) == 0 { held = nil }
        }
        if held == nil { held = try open(home, hashBits: hashBits, run) }
        try check(#require(held), &run)
        try held?.cut(now: run.now)
        #expect(held?.chat.queuedCount == 0)
        held = nil
        try check(open(home, hashBits: hashBits, run), &run)
    }

    /// Damages bytes of a leaf, which is found, so that all trees are derived again.
    private func mend(_ node: ChatFixture, _ random: inout SeededRandom) throws {
        #expect(try !node.mendIndex())
        let leaves = try node.database.prepare("SELECT id, entries FROM packed_leaf ORDER BY id")
        var found: [(Int64, [UInt8])] = []
        while try leaves.step() { found.append((leaves.int(0), leaves.blob(1))) }
        guard let (id, intact) = found.randomElement(using: &random) else { return }
        var bytes = intact
        bytes[Int.random(in: bytes.indices, using: &random)] ^= 1 << UInt8.random(in: 0..<8, using: &random)
        let write = try node.database.prepare("UPDATE packed_leaf SET entries = ? WHERE id = ?")
        write.bind(1, bytes)
        write.bind(2, id)
        try write.run()
        #expect(try node.mendIndex())
        #expect(try !node.mendIndex())
    }

    private func step(_ node: ChatFixture, _ run: inout Run) throws {
        switch Int.random(in: 0..<22, using: &run.random) {
        case 0..<8:
            try node.database.transaction {
                for _ in 0..<Int.random(in: 1...12, using: &run.random) {
                    let message = run.message()
                    let isGone = run.deleted.contains(message.txid)
                    if try node.chat.accept(message, now: run.now) == .deleted {
                        #expect(isGone || effective(message, run) == nil)
                    } else {
                        #expect(!isGone)
                        run.accepted.insert(message.txid)
                    }
                }
            }
        case 8..<11: try node.cut(force: Bool.random(using: &run.random), now: run.now)
        case 11..<14:
            let first = run.message()
            var batch = [first.txid: first]
            for _ in 0..<8 {
                let message = run.message()
                if message.conversationID == first.conversationID { batch[message.txid] = message }
            }
            run.sequence += 1
            try node.arrive(batch.values.sorted { $0.txid < $1.txid }, sequence: run.sequence)
        case 14:
            // A foreign segment goes, with the messages that only it held, unless they were accepted here.
            let foreign = try node.store.contents().filter { $0.writer == ChatFixture.otherLane }
            guard let gone = foreign.randomElement(using: &run.random) else { return }
            let others = try Set(
                node.store.contents().filter { $0.arrivalID != gone.arrivalID }.flatMap { $0.messages.map(\.txid) })
            for message in gone.messages where !others.contains(message.txid) { run.accepted.remove(message.txid) }
            try node.remove(gone.arrivalID)
        case 15, 16:
            let message = run.message()
            let id = message.conversationID
            let target = Bool.random(using: &run.random) ? message.txid : nil
            let before = own.marks[id]
            if let marker = try? node.chat.reads.mark(id, upTo: target, wall: WallTime(milliseconds: 1), own: before) {
                (own.marks[id], run.own[id]) = (marker, marker)
                try node.chat.reads.follow(marks(of: id, run), in: id)
                let again = try node.chat.reads.mark(id, upTo: target, wall: WallTime(milliseconds: 2), own: marker)
                #expect(again == nil)
            }
        case 17:
            // Another device marks a message, a bad one at the end of time, or one that does not exist.
            let message = run.message()
            var bound = ReadBound(message)
            if Bool.random(using: &run.random) {
                bound = ReadBound(
                    txid: Bool.random(using: &run.random) ? message.txid : TxID(Bytes32(1, 1, 1, 1)),
                    acceptingDaaScore: Bool.random(using: &run.random) ? Limits.acceptingDaaScore : nil,
                    timeMilliseconds: Limits.timeMilliseconds)
            }
            let marker = ReadMarker(
                conversationID: message.conversationID, bounds: [bound], readAt: WallTime(milliseconds: 5))
            run.others[message.conversationID] = marker
        case 18..<21: try truth(node, &run)
        default: try node.chat.flush()
        }
    }

    /// Takes chain facts and deletions.
    private func truth(_ node: ChatFixture, _ run: inout Run) throws {
        for _ in 0..<Int.random(in: 1...6, using: &run.random) {
            let message = run.message()
            let score = Bool.random(using: &run.random) ? 1_000 + UInt64.random(in: 0...60, using: &run.random) : nil
            switch Int.random(in: 0..<8, using: &run.random) {
            case 0..<3:
                let event = ChainEvent(
                    txid: message.txid, kind: Bool.random(using: &run.random) ? .confirm : .reorg,
                    blockTime: Bool.random(using: &run.random) ? message.blockTime : nil, acceptingDaaScore: score)
                _ = try node.database.transaction { try node.chat.learn(event, now: run.now) }
                try learnFacts(of: node, &run)
            case 3..<6:
                let fact = ChainFact(
                    txid: message.txid, revision: UInt64.random(in: 1...4, using: &run.random),
                    acceptingDaaScore: score, status: score == nil ? .reorged : .confirmed)
                let counts = run.facts[fact.txid].map { fact.isPreferred(over: $0) } ?? true
                let changed = try node.database.transaction { try node.chat.merge(ChainFacts([fact])) }
                #expect(changed == (counts ? [fact.txid] : []))
                if counts { run.facts[fact.txid] = fact }
            case 6:
                // Some deletions are undone.
                let gone = Int.random(in: 0..<3, using: &run.random) == 0 ? run.deleted.min() : nil
                let (txid, isDeleted) = (gone ?? message.txid, gone == nil)
                let isNew = try node.database.transaction { try node.chat.deletions.setDeleted(txid, isDeleted) }
                #expect(isNew == (isDeleted ? run.deleted.insert(txid).inserted : run.deleted.remove(txid) != nil))
            default:
                guard Int.random(in: 0..<6, using: &run.random) == 0 else { continue }
                let id = message.conversationID
                let through: UInt64? =
                    Int.random(in: 0..<4, using: &run.random) == 0
                    ? nil : 1_700_000_000_000 + UInt64.random(in: 0...40_000, using: &run.random)
                let before = run.deletedThrough[id]
                let isLowered = try node.database.transaction {
                    let isLowered = try node.chat.deletions.setDeleted(conversation: id, through: through)
                    if isLowered == true {
                        try node.chat.deletions.relist(id, node.store.contents().map { ($0.arrivalID, $0.messages) })
                    }
                    return isLowered
                }
                #expect(isLowered == (through == before ? nil : (through ?? 0) < (before ?? 0)))
                run.deletedThrough[id] = through
            }
        }
    }

    /// The reach of marks: to the messages they name as held, deleted or not.
    private func reach(of marks: [ReadMark], _ copies: [TxID: ChatMessage], _ run: Run) -> ReadPosition {
        var position = ReadPosition.empty
        for marker in marks.map(\.marker) {
            position = position.merged(with: ReadPosition(named: marker.named))
            for bound in marker.bounds {
                guard let copy = copies[bound.txid], copy.conversationID == marker.conversationID else { continue }
                let message = run.facts[bound.txid]?.applied(to: copy) ?? copy
                position = position.merged(with: bound.reach(message))
            }
        }
        return position
    }

    private func check(_ node: ChatFixture, _ run: inout Run) throws {
        try node.chat.flush()
        try settle(node, &run)
        let segments = try node.store.contents()
        let queued = try node.chat.queue.rows().compactMap { try node.chat.queue.message(row: $0.row) }
        #expect(queued.count == node.chat.queuedCount)
        // Each message is in the queue or in one segment of this device, never both.
        let own = segments.filter { $0.writer == ChatFixture.lane }.flatMap { $0.messages.map(\.txid) }
        let waiting = queued.map(\.txid)
        #expect(Set(own + waiting).count == own.count + waiting.count)

        var best: [TxID: ChatMessage] = [:]
        for message in segments.flatMap(\.messages) + queued {
            if let held = best[message.txid], !message.isPreferred(over: held) { continue }
            best[message.txid] = message
        }
        #expect(run.accepted.isSubset(of: best.keys))
        let copies = best
        best = copies.compactMapValues { effective($0, run) }

        var unread = 0
        for conversation in ["ann", "bob", "#room"] {
            let expected = best.values.filter { $0.conversationID == conversation }.sorted {
                ($0.order, $0.txid) > ($1.order, $1.txid)
            }
            let listed = try node.listing(conversation, pageSize: 7)
            #expect(listed.map(\.message) == expected)
            let position = try node.chat.reads.position(of: conversation)
            #expect(position == reach(of: marks(of: conversation, run), copies, run))
            let naive = expected.count { $0.direction == .received && !position.covers($0) }
            #expect(listed.count { !$0.isRead } == naive)
            unread += naive
            let summary = try node.chat.conversationList().first { $0.conversationID == conversation }
            #expect(summary?.unread ?? 0 == naive)
            #expect(summary?.messages ?? 0 == expected.count)
            // The newest of three messages: the last with a score, the last only in a block, and the last of the rest.
            let lasts = (0...2 as ClosedRange<UInt64>).compactMap { rank in
                expected.first { $0.order.word >> 62 == rank }
            }
            let newest = lasts.max { time($0) <= time($1) }
            #expect(summary?.lastTxID == newest?.txid && summary?.lastBlockTime == newest?.blockTime)
            #expect(summary?.lastSenderTimestamp == newest?.senderTimestamp)
        }
        for message in best.values.prefix(20) {
            #expect(try node.chat.message(message.txid)?.message == message)
        }
        for txid in copies.keys where best[txid] == nil { #expect(try node.chat.message(txid) == nil) }
        let stats = try node.chat.stats()
        #expect(stats.messages == best.count && stats.unread == unread && stats.segments == segments.count)
    }
}
