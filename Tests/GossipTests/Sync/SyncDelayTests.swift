import NodeCore
import SyncState
import Testing

@testable import Gossip

/// A peer with the account's keys withholds what others would give, by answering slowly or with nothing.
@Suite struct SyncDelayTests {
    private static let (bad, good) = (SessionID(1), SessionID(2))

    private let victim: SyncBench
    private let honest: SyncBench
    private var author = ScriptedPeer(10)
    private var liar = ScriptedPeer(9)
    private let records: [Record]
    private let blob = [UInt8](repeating: 5, count: 100)

    /// An honest node holds the rows of a third one, and the victim has the first row.
    init() throws {
        (victim, honest) = (try SyncBench(1), try SyncBench(2))
        var rows: [Record] = []
        for seq in 1...400 as ClosedRange<UInt64> { rows.append(author.fact(seq, blob: blob)) }
        records = rows
        for record in records { try honest.store.put(record) }
        try honest.store.advance(author.lane, head: 400)
        while let wanted = try honest.store.wanted(limit: 1, below: nil).first {
            _ = try blob.withUnsafeBytes { try honest.store.put(blob: $0, for: wanted, from: nil) }
        }
        try honest.turn()
        try victim.store.put(records[0])
        try victim.store.advance(author.lane, head: 1)
        try victim.turn()
    }

    private var hasAllRows: Bool { victim.store.lane(author.lane)?.rows == records.count }

    /// Its pages contain only rows that are here already.
    @Test mutating func aLaneIsNotKeptByOldRows() throws {
        try liar.greet(victim, Self.bad, [liar.entry(400, lane: author.lane)])
        try victim.meet(honest, Self.good)
        let page = Message.page(
            lane: author.lane, through: 1, target: 400, isDone: false, rows: [records[0].encoded])
        // There are fewer pages than in a pull, after which it would be another peer's turn.
        for _ in 0..<12 where !hasAllRows {
            try victim.pass(.seconds(9))
            try victim.take(page, on: Self.bad)
            try victim.talk(honest, Self.good)
        }
        #expect(hasAllRows)
        #expect(victim.closed[Self.bad] == nil)
    }

    /// It gives one row with each page, and takes another turn after each full pull.
    @Test mutating func aLaneIsNotKeptByDrops() throws {
        try liar.greet(victim, Self.bad, [liar.entry(400, lane: author.lane)])
        victim.faces(honest)
        try victim.open(Self.good, isInitiator: true)
        try honest.open(Self.good)
        var next = 1
        for _ in 0..<6 where !hasAllRows {
            for case .pull in victim.takeOutbox(Self.bad) {
                for record in records[next..<next + Int(Limits.pullPages)] {
                    try victim.take(
                        .page(
                            lane: author.lane, through: record.seq, target: 400, isDone: false,
                            rows: [record.encoded]), on: Self.bad)
                }
                next += Int(Limits.pullPages)
            }
            try honest.take(victim.takeOutbox(Self.good), on: Self.good)
            try honest.produce(Self.good)
            try victim.take(honest.takeOutbox(Self.good), on: Self.good)
        }
        #expect(hasAllRows)
        #expect(victim.closed[Self.bad] == nil)
    }

    /// It shows more with each answer, and has nothing.
    @Test mutating func promisesAreAskedForLessAndLess() throws {
        var head: UInt64 = 400
        try liar.greet(victim, Self.bad, [liar.entry(head, lane: author.lane)])
        var pulls = 0
        for _ in 0..<600 {
            for case .pull in victim.takeOutbox(Self.bad) {
                pulls += 1
                let page = Message.page(lane: author.lane, through: head, target: head, isDone: true, rows: [])
                head += 1
                let more = Message.vector(scope: .update, entries: [liar.entry(head, lane: author.lane)])
                try victim.take([page, more], on: Self.bad)
            }
            try victim.pass(.milliseconds(100))
        }
        #expect((8...12).contains(pulls), "\(pulls)")
        // Another peer is asked at once.
        try victim.meet(honest, Self.good)
        try victim.talk(honest, Self.good)
        #expect(hasAllRows)
        #expect(victim.closed[Self.bad] == nil)
    }

    /// It gives one small blob after another.
    @Test mutating func blobsAreNotKeptByDrops() throws {
        for record in records { try victim.store.put(record) }
        try victim.store.advance(author.lane, head: 400)
        try victim.turn()
        try liar.greet(victim, Self.bad, [liar.entry(400, lane: author.lane)])
        try victim.meet(honest, Self.good)
        #expect(victim.store.wantedCount == 400)
        for _ in 0..<3 where victim.store.wantedCount > 0 {
            try victim.pass(.seconds(15))
            try victim.take(.blob(.backfill, blob[...]), on: Self.bad)
            try victim.talk(honest, Self.good)
        }
        #expect(victim.store.wantedCount == 0)
        #expect(victim.closed[Self.bad] == nil)
    }
}
