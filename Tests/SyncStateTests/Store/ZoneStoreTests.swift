import Chat
import ChatTestKit
import Ledger
import NodeCore
import SyncState
import Testing

@Suite struct ZoneStoreTests {
    @Test func aRecordIsTakenOnceAndServedAsItCame() throws {
        let one = try TestZone(device: 1)
        let other = try TestZone(device: 2)
        let record = try one.writeFact("fact")
        try one.zone.commit()

        guard case .added = try other.store.put(record) else { throw Failure("not added") }
        guard case .known = try other.store.put(Record(encoded: record.encoded)) else { throw Failure("not known") }
        try other.zone.commit()

        #expect(try other.store.newest(of: one.zone.lane, count: 9) == [record.encoded])
        #expect(other.store.lane(one.zone.lane)?.fingerprint == one.store.own.fingerprint)
        // A row that came without its page moves no head.
        #expect(other.store.lane(one.zone.lane)?.head == 0)
        #expect(other.store.lane(one.zone.lane)?.target == 1)
    }

    @Test func aRegisterIsSupersededInItsLaneOnly() throws {
        let one = try TestZone(device: 1)
        let old = try one.read("c", score: 5)
        let new = try one.read("c", score: 7)
        #expect(try !one.store.holds(old))
        #expect(try one.store.holds(new))

        let other = try TestZone(device: 2)
        try other.store.put(new)
        guard case .superseded = try other.store.put(old) else { throw Failure("an older row came back") }
        try other.read("c", score: 3)
        #expect(try other.store.holds(new))
        #expect(try other.position("c") == 7)
    }

    /// SQLite rolls back a transaction by itself after some errors, and whoever waits for its commit is told.
    @Test func aTransactionThatVanishedIsNotCommitted() throws {
        let one = try TestZone(device: 1)
        try one.zone.commit()
        let lost = try one.read("c", score: 5)
        try one.store.database.execute("ROLLBACK")
        #expect(one.store.hasUncommitted)
        #expect(throws: DatabaseError.self) { try one.zone.commit() }
        #expect(throws: DatabaseError.self) { try one.read("c", score: 6) }
        try one.zone.rollback()
        #expect(!one.store.hasUncommitted)
        #expect(try !one.store.holds(lost))
        let kept = try one.read("c", score: 7)
        try one.zone.commit()
        #expect(try one.reopened().store.holds(kept))
    }

    @Test func theSlotIndexOutlivesACrash() throws {
        let one = try TestZone(device: 1)
        let first = try one.read("c", score: 5)
        try one.zone.commit()
        // The store was not tidied: the slot is in memory only, and is read again from the rows.
        let again = try one.reopened()
        try again.read("c", score: 6)
        #expect(try !again.store.holds(first))
        try again.zone.commit()
        try again.zone.tidy()
        // The store was tidied, so the slot is found in the packed index.
        let third = try again.reopened()
        try third.read("c", score: 7)
        #expect(third.store.own.rows == 1)
    }

    @Test func aForgedOrForeignRecordIsRefused() throws {
        let one = try TestZone(device: 1)
        let record = try one.writeFact("fact")
        var bytes = record.encoded
        bytes[bytes.count - 10] ^= 1
        let forged = try Record(encoded: bytes)
        let other = try TestZone(device: 2)
        #expect(throws: RecordRejection.notAuthentic) { try other.store.put(forged) }

        let signer = AccountSigner(seed: Secret(bytes: [UInt8](repeating: 9, count: 64)))
        let stranger = try TestZone(device: 3, signer: signer)
        _ = try stranger.zone.membership.records.take([signer.enter(one.store.device).encoded])
        // It may be sealed under a root that is not here yet.
        #expect(throws: RecordRejection.notYet) { try stranger.store.put(record) }
    }

    /// A device with the account's keys can seal anything, but can write only in its own lane.
    @Test(arguments: [1, 40]) func aRecordThatItsLaneDidNotSignIsRefused(rows: Int) throws {
        let one = try TestZone(device: 1)
        let other = try TestZone(device: 2)
        let worker = InTurn()
        other.store.signatures.worker = worker
        let records = try (0..<rows).map { try one.writeFact("fact \($0)") }
        let record = records[rows - 1]
        func signed(_ key: Ed25519.KeyPair, for zone: ZoneID) -> Record {
            Record(header: record.header, blob: nil, sealedMeta: record.sealedMeta, zone: zone, signedBy: key)
        }
        let forged = [
            Record(header: record.header, blob: nil, sealedMeta: record.sealedMeta),
            signed(other.store.device.signing, for: one.store.zone),
            signed(one.store.device.signing, for: ZoneID(Bytes32(1, 2, 3, 4))),
        ]
        other.store.signatures.expect((records + forged).map(\.encoded))
        for wrong in forged {
            #expect(throws: RecordRejection.notAuthentic) { try other.store.put(wrong) }
        }
        for record in records { try other.store.put(record) }
        #expect(other.store.recordCount == rows)
        #expect(worker.runs == (rows > 1 ? 1 : 0))
    }

    /// The seal does not reveal a damaged signature.
    @Test func aRowWhoseSignatureRottedIsDropped() throws {
        let one = try TestZone(device: 1)
        let record = try one.writeFact("fact")
        try one.writeFact("another")
        try one.zone.commit()
        let again = try one.scrubbed(afterRotOf: [record])
        #expect(again.store.recordCount == 1)
    }

    /// The index of slots still names the damaged row.
    @Test func whatARottenRowHadReplacedIsTakenAgain() throws {
        let one = try TestZone(device: 1)
        let old = try one.read("c", score: 5)
        try one.zone.commit()
        let new = try one.read("c", score: 7)
        try one.zone.commit()
        let other = try TestZone(device: 2)
        try other.store.put(old)
        try other.store.put(new)
        try other.zone.commit()
        let again = try other.scrubbed(afterRotOf: [new])
        guard case .added = try again.store.put(old) else { throw Failure("it has nothing newer") }
        guard case .added = try again.store.put(new) else { throw Failure("it is newer") }
        #expect(try !again.store.holds(old))
    }

    /// In a forked lane, another row may be in the place that the index of slots names.
    @Test(arguments: [false, true]) func bothRowsOfAForkThatRottedComeBack(isTurned: Bool) throws {
        let one = try TestZone(device: 1)
        let copy = try one.reopened()
        let rows = try [one.read("c", score: 5), copy.read("d", score: 5)]
        let other = try TestZone(device: 2)
        for row in rows { try other.store.put(row) }
        try other.zone.commit()
        let again = try other.scrubbed(afterRotOf: rows)
        #expect(again.store.recordCount == 0)
        for row in isTurned ? rows.reversed() : rows { try again.store.put(row) }
        #expect(try again.store.holds(rows[0]) && again.store.holds(rows[1]))
    }

    @Test func aRecordInAnotherSlotThanItsContentIsRefused() throws {
        let one = try TestZone(device: 1)
        let fields = OpaqueName("fact")
        #expect(throws: RecordRejection.foreignSlot) {
            try one.store.write(
                RecordMeta(type: .opaque, fields: fields.encoded), slotName: "opaque.other", kind: .immutable)
        }
    }

    @Test(arguments: [1, 2, 3, 100]) func pagesGiveALaneWholeWhateverTheirSize(rows: Int) throws {
        let one = try TestZone(device: 1)
        for number in 0..<20 { try one.writeFact("fact \(number)") }
        for score in 1...5 { try one.read("c", score: UInt64(score)) }
        try one.zone.commit()

        let other = try TestZone(device: 2)
        let lane = one.zone.lane
        var pages = 0
        while true {
            let head = other.store.lane(lane)?.head ?? 0
            let page = try one.store.page(of: lane, since: head, rows: rows, sizeBytes: 100_000)
            for row in page.rows { try other.store.put(Record(encoded: row)) }
            try other.store.advance(lane, head: page.through)
            try other.zone.commit()
            pages += 1
            #expect(page.isDone || page.through > head)
            if page.isDone { break }
        }
        #expect(other.store.lane(lane)?.head == 25)
        #expect(other.store.lane(lane)?.fingerprint == one.store.own.fingerprint)
        #expect(pages >= 21 / rows)
    }

    @Test func aPageNeverCarriesRowsAboveTheHead() throws {
        let one = try TestZone(device: 1)
        let records = try (0..<4).map { try one.writeFact("fact \($0)") }
        let other = try TestZone(device: 2)
        try other.store.put(records[3])
        let page = try other.store.page(of: one.zone.lane, since: 0, rows: 10, sizeBytes: 100_000)
        #expect(page.rows.isEmpty)
        #expect(page.through == 0)
        #expect(page.target == 4)
    }

    @Test func nothingOfARolledBackTurnStays() throws {
        let one = try TestZone(device: 1)
        try one.writeFact("kept")
        try one.zone.commit()
        let digest = one.store.digest
        try one.writeFact("lost")
        try one.read("c", score: 9)
        try one.zone.rollback()
        #expect(one.store.digest == digest)
        #expect(one.store.own.head == 1)
        #expect(try one.position("c") == nil)
        // The next write takes the seq again.
        #expect(try one.writeFact("next").seq == 2)
    }

    @Test func aRangeIsReadAsFarAsItMay() throws {
        let one = try TestZone(device: 1)
        for number in 0..<30 { try one.writeFact("fact \(number)") }
        let lane = one.zone.lane
        let (keys, through) = try one.store.keys(of: lane, from: 5, through: 99)
        #expect(keys.map(\.seq) == Array(5...30) && through == 99)
        let (few, end) = try one.store.keys(of: lane, from: 5, through: 99, rows: 3)
        #expect(few.map(\.seq) == [5, 6, 7] && end == 7)
    }
}

extension TestZone {
    /// The next run, after a bit of each of these records was flipped and a scrub found it.
    fileprivate func scrubbed(afterRotOf records: [Record]) throws -> TestZone {
        for record in records {
            var rotten = record.encoded
            rotten[rotten.count - 1] ^= 1
            let update = try database.prepare("UPDATE record SET rec = ? WHERE rec = ?")
            update.bind(1, rotten)
            update.bind(2, record.encoded)
            try update.run()
        }
        let again = try reopened()
        var cursor = ZoneStore.ScrubCursor()
        while try again.store.scrub(&cursor) {}
        #expect(cursor.report.damagedRows == records.count)
        return again
    }
}

struct Failure: Error {
    let what: String

    init(_ what: String) { self.what = what }
}
