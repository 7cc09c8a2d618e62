import Chat
import ChatTestKit
import Ledger
import NodeCore
import SyncState
import Testing

@testable import Gossip

/// Two nodes with different rows of a lane up to the same head unite them.
@Suite struct SyncHealingTests {
    private static let id = SessionID(1)

    /// Two nodes with rows 1 to `count` of a third one's lane, except those that each lacks.
    private func parted(
        _ count: UInt64, lacking: [(UInt64) -> Bool]
    ) throws -> (nodes: [SyncBench], lane: LaneID, missing: Int) {
        var author = ScriptedPeer(9)
        let records = (1...count).map { author.fact($0) }
        let nodes = try [SyncBench(1), SyncBench(2)]
        var missing = 0
        for (node, lacks) in zip(nodes, lacking) {
            for record in records {
                if record.seq < count, lacks(record.seq) { missing += 1 } else { try node.store.put(record) }
            }
            try node.store.advance(author.lane, head: count)
            try node.turn()
        }
        return (nodes, author.lane, missing)
    }

    private func ranges(_ messages: [Message]) -> [RangeSum] {
        messages.flatMap { message -> [RangeSum] in
            if case .ranges(_, let ranges) = message { ranges } else { [] }
        }
    }

    /// Whatever a turn may read, each missing row is given only once, and in one message.
    @Test(
        arguments: [(40, 7, .max), (3_000, 600, .max), (3_000, 10, .max), (3_000, 10, 300), (1_500, 5, 7)]
            as [(UInt64, UInt64, UInt64)])
    func eachRowTravelsOnce(count: UInt64, every: UInt64, rows: UInt64) throws {
        let (nodes, _, missing) = try parted(count, lacking: [{ $0 % every == 3 }, { $0 % every == 4 }])
        try nodes[0].meet(nodes[1], Self.id, rows: rows)
        #expect(nodes[0].store.digest == nodes[1].store.digest)
        #expect(nodes[0].givenRows + nodes[1].givenRows == missing)
        #expect(nodes.allSatisfy { $0.sync.counters.lanesHealed == 1 })
    }

    /// A lost log may leave the file between two commits, with a row that its lane's count and hashes lack. Comparing
    /// finds equal rows and different hashes; the node with the wrong ones derives them again.
    @Test(
        arguments: [
            (["lane"], 500, 0), (["lane"], 500, 1), (["lane", "chunk"], 500, 0), (["lane", "chunk"], 500, 1),
            (["lane", "chunk"], 12, 0), (["lane", "chunk"], 12, 1),
        ] as [([String], UInt64, Int)])
    func hashesWithoutARowAreMadeAgain(tables: [String], count: UInt64, opener: Int) throws {
        let (nodes, lane, _) = try parted(count, lacking: [{ $0 == 7 }, { _ in false }])
        let (damaged, other) = (nodes[0], nodes[1])
        for table in tables {
            try damaged.database.execute("CREATE TEMP TABLE \(table)_before AS SELECT * FROM main.\(table)")
        }
        let number = try #require(other.store.laneNumber(lane))
        for seventh in try other.store.records(lane: number, seq: 7) { try damaged.store.put(seventh) }
        try damaged.turn()
        try #require(damaged.store.digest == other.store.digest)
        for table in tables {
            try damaged.database.execute("REPLACE INTO main.\(table) SELECT * FROM \(table)_before")
        }
        try damaged.store.rollback()
        try #require(damaged.store.digest != other.store.digest)
        try nodes[opener].meet(nodes[1 - opener], Self.id)
        #expect(damaged.store.digest == other.store.digest)
        #expect(try damaged.store.repairs(limit: 9).count == 1)
        #expect(try other.store.repairs(limit: 9).isEmpty)
    }

    /// Either end may find the difference first.
    @Test func theSideThatDidNotOpenTheSessionMayStart() throws {
        let (nodes, _, missing) = try parted(500, lacking: [{ $0 % 9 == 3 }, { $0 % 9 == 4 }])
        // The opener waits for the newest rows of another lane.
        for number in 0..<600 { try nodes[1].zone.opaque.add(name: "thing \(number)", [1]) }
        try nodes[1].turn()
        try nodes[0].meet(nodes[1], Self.id)
        for _ in 0..<5 {
            try nodes[0].pass(.seconds(1))
            try nodes[0].talk(nodes[1], Self.id)
        }
        #expect(nodes[0].store.digest == nodes[1].store.digest)
        #expect(nodes[0].givenRows + nodes[1].givenRows == missing + Int(Limits.peekRows))
    }

    /// Peeked rows are above the head, and nobody else has the rows between: they still reach others, and no page
    /// claims the gap.
    @Test(arguments: [0, 10] as [UInt64])
    func peekedRowsOfADeviceThatIsGoneReachOthers(head: UInt64) throws {
        var author = ScriptedPeer(9)
        let records = (1...3_000).map { author.fact($0) }
        let nodes = try [SyncBench(1), SyncBench(2)]
        for record in records where record.seq <= head || record.seq > 2_900 { try nodes[0].store.put(record) }
        try nodes[0].store.advance(author.lane, head: head)
        try nodes[0].turn()
        try nodes[0].meet(nodes[1], Self.id)
        #expect(nodes[0].store.digest == nodes[1].store.digest)
        for node in nodes {
            let lane = try #require(node.store.lane(author.lane))
            #expect(lane.head == head && lane.rows == Int(head) + 100)
        }
    }

    /// Rows refused for lack of a control record or root are asked for again once that is here, in the same session,
    /// whichever end opened it: the lane has the same fingerprints as before.
    @Test(arguments: [true, false]) func whatWasRefusedIsAskedForAgain(isOpenedByHolder: Bool) throws {
        // There are two lanes, so that none waits for the other.
        let authors = [ScriptedPeer(60), ScriptedPeer(61)]
        let (holder, other) = (try SyncBench(1), try SyncBench(2))
        try (isOpenedByHolder ? holder : other).meet(isOpenedByHolder ? other : holder, Self.id)
        _ = try holder.zone.membership.records.take(authors.map(\.enter.encoded))
        for var author in authors {
            // The first row is missing, so that no head shows that there is more.
            for seq in 2...100 as ClosedRange<UInt64> { try holder.store.put(author.fact(seq)) }
        }
        try holder.turn()
        let said = holder.takeOutbox(Self.id)
        func isLedger(_ message: Message) -> Bool { if case .ledger = message { true } else { false } }
        try other.take(said.filter { !isLedger($0) }, on: Self.id)
        try holder.talk(other, Self.id)
        #expect(other.sync.counters.rejections[.notYet] == 198)
        // Meanwhile neither says that both hold the same.
        #expect(!other.sync.isCaughtUp && other.sync.peers.map(\.isEqual) == [false])
        try other.take(said.filter(isLedger), on: Self.id)
        for node in [holder, other] { try node.pass(Limits.healPause) }
        try holder.talk(other, Self.id)
        #expect(other.store.digest == holder.store.digest)
        #expect(other.sync.isCaughtUp && other.sync.peers.map(\.isEqual) == [true])
        #expect(holder.closed.isEmpty && other.closed.isEmpty)
        #expect(holder.givenRows == 2 * 198)
    }

    /// A peer whose lane still differs is compared again, but only after it was quiet for a while.
    @Test func whatStillDiffersIsComparedAgainLater() throws {
        let node = try SyncBench(1)
        var peer = ScriptedPeer(9)
        try node.store.put(peer.fact(5))
        try node.store.advance(peer.lane, head: 5)
        try node.turn()
        func starts() -> Int { node.takeOutbox(Self.id).count { if case .ranges = $0 { true } else { false } } }
        try peer.greet(node, Self.id, [peer.entry(5)])
        #expect(starts() == 1)
        try node.take(.rows([peer.fact(4).encoded]), on: Self.id)
        #expect(starts() == 0)
        try node.pass(Limits.healPause / 2)
        try node.take(.rows([peer.fact(3).encoded]), on: Self.id)
        try node.pass(Limits.healPause / 2)
        #expect(starts() == 0)
        #expect(node.sync.deadline == node.now + Limits.healPause / 2)
        try node.pass(Limits.healPause / 2)
        #expect(starts() == 1)
        // It starts once for each pair.
        try node.pass(Limits.healPause)
        #expect(starts() == 0)
    }

    /// A device that writes more at one seq than there is room for cannot divide the others.
    @Test func ofTooManyAtOneSeqAllHoldTheSame() throws {
        var author = ScriptedPeer(9)
        let records = (0..<300).map { number in
            let name = OpaqueName("fact \(number)")
            return author.record(
                5, RecordMeta(type: .opaque, fields: name.encoded), slot: name.slotName, kind: .immutable)
        }
        let nodes = try [SyncBench(1), SyncBench(2)]
        for (node, given) in zip(nodes, [records[..<200], records[100...]]) {
            for record in given { _ = try? node.store.put(record) }
            try node.store.advance(author.lane, head: 5)
            try node.turn()
        }
        try nodes[0].meet(nodes[1], Self.id)
        let lowest = records.map(\.hash).sorted().prefix(SyncState.Limits.forksPerSeq)
        for node in nodes {
            var held: [RecordHash] = []
            try node.store.forEachRecord { if $0.lane == author.lane { held.append($0.hash) } }
            #expect(held.sorted() == Array(lowest))
        }
        #expect(nodes[0].store.digest == nodes[1].store.digest)
        #expect(nodes.allSatisfy { $0.sync.isCaughtUp })
    }

    @Test func namesAreComparedByTheirWholeLength() throws {
        let node = try SyncBench(1)
        var peer = ScriptedPeer(9)
        let row = peer.fact(5)
        try node.store.put(row)
        try node.turn()
        try peer.greet(node, Self.id)
        _ = node.takeOutbox(Self.id)
        let name = row.hash.prefix
        let similar = KeyName(seq: 5, hash: Bytes16(name.w0, name.w1 ^ 1))
        try node.take(
            [.keys(lane: peer.lane, low: 0, high: 9, [similar]), .fetch(lane: peer.lane, [similar])], on: Self.id)
        try node.produce(Self.id)
        let said = node.takeOutbox(Self.id)
        #expect(
            said.map(\.encoded)
                == [
                    Message.fetch(lane: peer.lane, [similar]), .rows([row.encoded]),
                ].map(\.encoded))
    }

    /// An answer ends at the turn's share, and names the rest.
    @Test func theRestOfARangeIsAskedForAgain() throws {
        let node = try SyncBench(1)
        var peer = ScriptedPeer(9)
        for seq in 1...3_000 as ClosedRange<UInt64> { try node.store.put(peer.fact(seq)) }
        try node.turn()
        try peer.greet(node, Self.id)
        _ = node.takeOutbox(Self.id)
        func ask(_ message: Message, rows: UInt64) throws -> [RangeSum] {
            let before = node.store.scannedRows
            try node.take(message, on: Self.id)
            try node.produce(Self.id, rows: rows)
            #expect(node.store.scannedRows - before <= rows + 2)
            return ranges(node.takeOutbox(Self.id))
        }
        let other = Fingerprint(Bytes16(1, 1))
        let chunk = RangeSum(low: 1_024, high: 2_047, fingerprint: other, count: 1_024)
        let parts = try ask(.ranges(lane: peer.lane, [chunk]), rows: 100)
        #expect(parts.dropLast().reduce(0) { $0 + $1.count } == UInt64(parts.last?.low ?? 0) - 1_024)
        #expect(parts.last == RangeSum(low: 1_124, high: 2_047, fingerprint: nil, count: 0))
        // Nothing is kept of it: the rest is a range like any other.
        let rest = try ask(.ranges(lane: peer.lane, [try #require(parts.last)]), rows: 5_000)
        #expect(rest.reduce(0) { $0 + $1.count } == 2_047 - 1_124 + 1)
        #expect(rest.allSatisfy { $0.fingerprint != nil })
        // Only some of these names were compared; the rest of a chunk, whole chunks and part of one follow.
        let unnamed = try ask(.keys(lane: peer.lane, low: 1, high: 2_999, []), rows: 500)
        #expect(unnamed.map(\.low) == [501, 1_024, 2_048] && unnamed.map(\.high) == [1_023, 2_047, 2_999])
        #expect(unnamed.allSatisfy { $0.fingerprint == nil })
    }

    /// Many small chunks cost time too.
    @Test func chunksThatAreManyAreReadInParts() throws {
        let node = try SyncBench(1)
        var peer = ScriptedPeer(9)
        for number in 0..<400 as Range<UInt64> { try node.store.put(peer.fact(1 + number << 20)) }
        try node.turn()
        try peer.greet(node, Self.id)
        _ = node.takeOutbox(Self.id)
        let all = RangeSum(low: 0, high: (1 << 44) - 1, fingerprint: Fingerprint(Bytes16(1, 1)), count: 1_000)
        let before = node.store.scannedRows
        try node.take(.ranges(lane: peer.lane, [all]), on: Self.id)
        try node.produce(Self.id, rows: 10)
        #expect(node.store.scannedRows - before <= 12)
        let parts = ranges(node.takeOutbox(Self.id))
        #expect(parts.dropLast().reduce(0) { $0 + $1.count } == 160)
        #expect(parts.last == RangeSum(low: 160 << 20, high: (1 << 44) - 1, fingerprint: nil, count: 0))
    }

    /// A node with a damaged row notices it when the other asks for it: the remaining rows become equal, and the row
    /// returns if the other has it.
    @Test(arguments: [false, true], [true, false])
    func whatRottedIsNoticedByWhoeverIsAskedForIt(isReadable: Bool, isHeldByTheOther: Bool) throws {
        var author = ScriptedPeer(9)
        let records = (1...200).map { author.fact($0) }
        let nodes = try [SyncBench(1), SyncBench(2)]
        // The other one lacks a row, so that there is something to compare.
        for (node, held) in zip(nodes, [records, isHeldByTheOther ? records.filter { $0.seq != 11 } : []]) {
            for record in held { try node.store.put(record) }
            if !held.isEmpty { try node.store.advance(author.lane, head: 200) }
            try node.turn()
        }
        for record in [records[70], records[199]] {
            var rotten = record.encoded
            rotten[isReadable ? rotten.count - 1 : 0] ^= 1
            let update = try nodes[0].database.prepare("UPDATE record SET rec = ? WHERE rec = ?")
            update.bind(1, rotten)
            update.bind(2, record.encoded)
            try update.run()
        }
        try nodes[0].meet(nodes[1], Self.id)
        for _ in 0..<5 {
            try nodes[0].pass(.seconds(1))
            try nodes[1].pass(.seconds(1))
            try nodes[0].talk(nodes[1], Self.id)
        }
        #expect(nodes.allSatisfy { $0.closed.isEmpty })
        #expect(nodes[0].store.digest == nodes[1].store.digest)
        let rows = isHeldByTheOther ? 200 : 198
        #expect(nodes.map { $0.store.lane(author.lane)?.rows } == [rows, rows])
    }

    /// The node keeps to what it said of the lane, though it now holds less.
    @Test func whoseHeadRotsWhileItServesIsNoLiar() throws {
        var author = ScriptedPeer(9)
        // There are too few for the newest to be asked for first, and more than fit a page.
        let records = (1...Limits.peekAbove).map { author.fact($0) }
        let nodes = try [SyncBench(1), SyncBench(2)]
        for record in records { try nodes[0].store.put(record) }
        try nodes[0].store.advance(author.lane, head: Limits.peekAbove)
        try nodes[0].turn()
        nodes[0].faces(nodes[1])
        try nodes[0].open(Self.id, isInitiator: true)
        try nodes[1].open(Self.id)
        func isServing(_ message: Message) -> Bool { if case .page = message { true } else { false } }
        for _ in 0..<100 where nodes[0].outbox[Self.id]?.contains(where: isServing) != true {
            let (mine, theirs) = (nodes[0].takeOutbox(Self.id), nodes[1].takeOutbox(Self.id))
            try nodes[1].take(mine, on: Self.id)
            try nodes[0].take(theirs, on: Self.id)
            try nodes[0].produce(Self.id, budgetBytes: 1)
        }
        #expect(nodes[0].sync.isServing(Self.id), "there is another page")
        try nodes[0].store.loseRow(of: #require(records.last))
        try nodes[0].turn()
        #expect(nodes[0].store.lane(author.lane)?.head == Limits.peekAbove - 1)
        try nodes[0].talk(nodes[1], Self.id)
        #expect(nodes.allSatisfy { $0.closed.isEmpty })
        #expect(nodes[0].store.digest == nodes[1].store.digest)
        #expect(nodes[1].store.lane(author.lane)?.rows == records.count - 1)
    }

    /// Otherwise the head stays where it was, and two nodes with the same rows have different digests (found by
    /// docs/models/lane.pml).
    @Test func aHeadIsBelievedOnceItsRowIsHere() throws {
        let node = try SyncBench(1)
        var peer = ScriptedPeer(9)
        let rows = (1...3).map { peer.fact($0).encoded }
        func pulls() -> Int { node.takeOutbox(Self.id).count { if case .pull = $0 { true } else { false } } }
        try peer.greet(node, Self.id, [peer.entry(3)])
        #expect(pulls() == 1)
        // The peer lost the row at its head meanwhile.
        try node.take(.page(lane: peer.lane, through: 3, target: 3, isDone: true, rows: Array(rows[..<2])), on: Self.id)
        #expect(pulls() == 0)
        #expect(node.store.lane(peer.lane)?.head == 2)
        try node.take(.rows([rows[2]]), on: Self.id)
        #expect(pulls() == 1)
        try node.take(.page(lane: peer.lane, through: 3, target: 3, isDone: true, rows: [rows[2]]), on: Self.id)
        #expect(pulls() == 0)
        #expect(node.store.lane(peer.lane)?.head == 3)
    }
}
