import ChatTestKit
import NodeCore
import SyncState
import Testing

@testable import Chat

@Suite struct RowListTests {
    @Test func namesComeBackAscendingAndOnce() throws {
        let names = (0..<3 as Range<UInt64>).map { Bytes16(7, $0) }
        let blob = RowList.blob(names[...])
        #expect(RowList.names(blob) == names)
        #expect(RowList.names([]).isEmpty)
        for wrong in [Array(blob.dropLast()), RowList.blob([names[1], names[0]]), RowList.blob([names[0], names[0]])] {
            #expect(RowList.names(wrong).isEmpty)
        }
        for list in [RowList(rows: nil), RowList(rows: 1...1), RowList(rows: 7...SyncState.Limits.highestSeq)] {
            #expect(try RowList(fields: list.encoded, hasBlob: true) == list)
            #expect(throws: CBORError.self) { try RowList(fields: list.encoded, hasBlob: false) }
        }
        for wrong in [[0x81, 1], [0x82, 0, 1], [0x82, 2, 1], [0x80, 0]] as [[UInt8]] {
            #expect(throws: CBORError.self) { try RowList(fields: wrong, hasBlob: true) }
        }
    }

    /// One blob holds 16,384 names; the rest go into another.
    @Test func longListsAreDivided() throws {
        let zone = try TestZone(device: 1)
        let hashes = (0..<UInt64(Limits.listedRows + 2)).map { RecordHash(Bytes32($0 + 1, 0, 0, 0)) }
        let blobs = try zone.zone.lists.write(hashes.reversed() + hashes)
        try zone.zone.commit()
        #expect(try blobs.map { try zone.zone.lists.names($0)?.count } == [Limits.listedRows, 2])
        let again = try zone.reopened()
        #expect(try again.zone.lists.names(blobs[1]) == hashes.suffix(2).map(\.prefix))
        // Lists travel like any other record, and are found on the other device.
        let other = try TestZone(device: 2)
        try other.take(from: zone)
        #expect(try other.zone.lists.names(blobs[0])?.first == hashes[0].prefix)
        #expect(try other.zone.lists.names(BlobHash(.zero)) == nil)
        // Until a list is here, no message is known to be missing because of it.
        let late = try TestZone(device: 3)
        for record in try zone.store.records(of: zone.zone.lane) { try late.store.put(record) }
        #expect(try late.store.wantedCount == 2 && late.store.wantedTimes() == nil)
    }

    /// A device with a lane's lists checks the signatures of the lists alone.
    @Test func whatAListNamesNeedsNoSignature() throws {
        let author = try TestZone(device: 1)
        for number in 0..<Limits.ownListRows + 20 { try author.writeFact("fact \(number)") }
        try author.read("bob", score: 1)
        try author.zone.commit()
        let lane = author.zone.lane
        let lists = try author.zone.lists.records(of: lane)
        #expect(lists.count == 1)
        let again = try author.reopened()
        try again.writeFact("a further one")
        try again.zone.commit()
        #expect(try again.zone.lists.records(of: lane) == lists)

        let newcomer = try TestZone(device: 2)
        let worker = InTurn()
        newcomer.store.signatures.worker = worker
        try newcomer.store.put(Record(encoded: lists[0]))
        let wanted = try #require(newcomer.store.wanted(limit: 1).first)
        let blob = try author.store.blob(of: lane, seq: wanted.record.seq, hashPrefix: wanted.blob.hash.shortPrefix)
        _ = try newcomer.store.put(blob: #require(blob), for: wanted)
        let rows = try author.store.records(of: lane)
        func take(_ records: ArraySlice<Record>) throws {
            newcomer.store.signatures.expect(records.map(\.encoded))
            for record in records { try newcomer.store.put(record) }
        }
        try take(rows.prefix(Limits.ownListRows))
        #expect(worker.runs == 0)
        try take(rows.dropFirst(Limits.ownListRows))
        #expect(worker.runs == 1)
        try newcomer.zone.commit()
        #expect(newcomer.store.lane(lane)?.rows == rows.count)
    }

    /// A list speaks only for its own lane: listing a row of another lane does not sign it.
    @Test func aListOfAnotherLaneProvesNothing() throws {
        let (author, thief) = (try TestZone(device: 1), try TestZone(device: 2))
        let fact = try author.writeFact("fact")
        let forged = Record(header: fact.header, blob: nil, sealedMeta: fact.sealedMeta)
        try thief.store.begin()
        try thief.zone.lists.write(RowList(rows: 1...9), RowList.blob([forged.hash.prefix]))
        _ = try thief.zone.lists.write([forged.hash])
        try thief.zone.commit()
        let newcomer = try TestZone(device: 3)
        try newcomer.take(from: thief)
        #expect(throws: RecordRejection.notAuthentic) { try newcomer.store.put(forged) }
        try newcomer.store.put(fact)
    }
}

extension ListsPart {
    /// Writes lists of these rows, which a Remove can name.
    func write(_ rows: [RecordHash]) throws -> [BlobHash] {
        try RowList.blobs(naming: rows).compactMap { try write(RowList(rows: nil), $0).blob?.hash }
    }
}
