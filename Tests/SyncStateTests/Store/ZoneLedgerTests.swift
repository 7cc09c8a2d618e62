import Chat
import ChatTestKit
import Ledger
import NodeCore
import SyncState
import Testing

/// The ledger in its database.
@Suite struct ZoneLedgerTests {
    private let keys = TestZone.keys

    private func lane(_ number: UInt8) -> Ed25519.KeyPair {
        Ed25519.KeyPair(seed: Secret(bytes: [UInt8](repeating: number, count: 32)))
    }

    private func enter(_ number: UInt8, by endorser: Ed25519.KeyPair? = nil) -> LedgerRecord {
        let key = lane(number)
        let person = keys.identity
        let member = MemberID(person: person, firstLane: .zero)
        let message = Enter.endorsed(
            lane: LaneID(key.publicKey), member: member, isReplica: false, sealKey: key.publicKey, succeeds: .zero,
            zone: keys.zone)
        let door: Enter.Entrance =
            endorser.map { .lane(LaneID($0.publicKey), $0.sign(message)) }
            ?? .person(TestZone.signer.identity.sign(message))
        return LedgerRecord(
            zone: keys.zone, signer: key.publicKey, prev: .zero,
            act: .enter(Enter(person: person, firstLane: .zero, sealKey: key.publicKey, entrance: door)),
            sign: key.sign)
    }

    @Test func itIsReadAgainAsItWas() throws {
        let database = try Database(path: ":memory:")
        let ledger = try ZoneLedger(database: database, genesis: keys.genesis)
        let records = [enter(1), enter(2, by: lane(1)), enter(3, by: lane(2))]
        // The last one comes first, since a set has no order.
        #expect(try ledger.take(records.reversed().map(\.encoded)).added.count == 3)
        #expect(try ledger.take(records.map(\.encoded)).added.isEmpty)
        let again = try ZoneLedger(database: database, genesis: keys.genesis)
        #expect(again.digest == ledger.digest && again.names == ledger.names)
        #expect(again.state.standingLanes == ledger.state.standingLanes)
        #expect(again.state.standingLanes.count == 3)
    }

    /// A record with a flipped bit on disk counts as not received, since peers would refuse it as forged.
    @Test func whatRottedComesAgain() throws {
        let zone = try TestZone(device: 9)
        let database = zone.store.database
        let records = [enter(1), enter(2, by: lane(1))]
        _ = try ZoneLedger(database: database, genesis: keys.genesis).take(records.map(\.encoded))
        let digest = try ZoneLedger(database: database, genesis: keys.genesis).digest
        let rot = try database.prepare("UPDATE ledger SET record = ? WHERE hash = ?")
        // The signature, at the end, is not in the hash.
        for place in records[1].encoded.indices {
            var bytes = records[1].encoded
            bytes[place] ^= 1
            rot.bind(1, bytes)
            rot.bind(2, records[1].hash.bytes)
            try rot.run()
            let again = try ZoneLedger(database: database, genesis: keys.genesis)
            #expect(!again.state.set.contains(records[1].hash))
            try again.dropRotten(from: zone.store)
            #expect(try again.take(records.map(\.encoded)).added == [records[1].hash])
            #expect(try ZoneLedger(database: database, genesis: keys.genesis).digest == digest)
        }
    }

    /// Records of lanes without a place are not stored; once the lane has one, they need not come again.
    @Test func whatHasNoPlaceIsStoredOnceItHas() throws {
        let ledger = try ZoneLedger(database: Database(path: ":memory:"), genesis: keys.genesis)
        let orphan = enter(3, by: lane(2))
        #expect(try ledger.take([orphan.encoded]).added.isEmpty)
        #expect(ledger.names.count == 1)
        #expect(try ledger.take([enter(1), enter(2, by: lane(1))].map(\.encoded)).added.count == 2)
        #expect(ledger.names.count == 4 && ledger.arrivals.last == orphan.hash)
        #expect(try ledger.take([orphan.encoded]).added.isEmpty)
    }

    /// Sessions continue after it, and their peers say nothing twice.
    @Test func aRollbackForgetsNothingThatPeersSaid() throws {
        let database = try Database(path: ":memory:")
        let ledger = try ZoneLedger(database: database, genesis: keys.genesis)
        let (first, second, orphan) = (enter(1), enter(2, by: lane(1)), enter(3, by: lane(2)))
        #expect(try ledger.take([first.encoded]).added.count == 1)
        #expect(try ledger.take([orphan.encoded]).added.isEmpty)
        try database.begin()
        _ = try ledger.take([second.encoded])
        let passedOn = ledger.arrivals.count
        #expect(ledger.names.count == 4 && passedOn == 3)
        database.rollback()
        try ledger.reload()
        #expect(ledger.names.count == 2)
        _ = try ledger.take([second.encoded])
        #expect(ledger.names.count == 4)
        #expect(Set(ledger.arrivals.dropFirst(passedOn)) == [second.hash, orphan.hash])
    }

    @Test func whatWaitsForItsPlaceIsNotTrusted() throws {
        let ledger = try ZoneLedger(database: Database(path: ":memory:"), genesis: keys.genesis)
        var forged = enter(3, by: lane(2)).encoded
        forged[forged.count - 3] ^= 4
        #expect(try !ledger.take([forged]).isForged)
        #expect(try ledger.take([enter(1), enter(2, by: lane(1))].map(\.encoded)).added.count == 2)
        #expect(ledger.names.count == 3)
        let orphan = enter(4, by: lane(3))
        #expect(try ledger.take([orphan.encoded]).added.isEmpty)
        #expect(try ledger.take([enter(3, by: lane(2)).encoded]).added.count == 1)
        #expect(ledger.names.count == 5)
    }

    @Test func whatALaneWritesBeyondItsBoundTakesNoRoom() throws {
        let ledger = try ZoneLedger(database: Database(path: ":memory:"), genesis: keys.genesis)
        let first = enter(1)
        var prev = first.hash
        var records = [first]
        for number in 0..<300 as Range<UInt64> {
            let act = LedgerAct.seal(Seal(rotate: RecordHash(Bytes32(1, 2, 3, number)), ephemeral: .zero, entries: []))
            let record = LedgerRecord(
                zone: keys.zone, signer: lane(1).publicKey, prev: prev, act: act, sign: lane(1).sign)
            records.append(record)
            prev = record.hash
        }
        #expect(try ledger.take(records.map(\.encoded)).added.count == LedgerBounds().accountRecords)
        #expect(ledger.names.count == 1 + LedgerBounds().accountRecords)
    }

    @Test func ofWhatCameWithAForgedRecordNothingIsTaken() throws {
        let ledger = try ZoneLedger(database: Database(path: ":memory:"), genesis: keys.genesis)
        var forged = enter(2).encoded
        forged[forged.count - 3] ^= 4
        let taking = try ledger.take([forged, enter(1).encoded])
        #expect(taking.isForged && taking.added.isEmpty)
        #expect(ledger.names.count == 1)
    }

    /// A command that ends before reading a clock leaves that to the next start.
    @Test func whatWasWrittenWithoutAClockIsDatedAtTheNextStart() throws {
        let database = try Database(path: ":memory:")
        let record = enter(1)
        let early = try ZoneLedger(database: database, genesis: keys.genesis)
        #expect(try early.take([record.encoded]).added == [record.hash])
        #expect(try early.arrived(record.hash) == nil)
        let later = try ZoneLedger(database: database, genesis: keys.genesis) { WallTime(milliseconds: 7) }
        #expect(later.isUndated)
        try later.dateFirst()
        #expect(try later.arrived(record.hash) == WallTime(milliseconds: 7) && !later.isUndated)
        try later.reload()
        #expect(!later.isUndated)
    }
}
