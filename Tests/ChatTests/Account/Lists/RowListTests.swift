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
        for wrong in [Array(blob.dropLast()), RowList.blob([names[1], names[0]]), RowList.blob([names[0], names[0]])] {
            #expect(RowList.names(wrong).isEmpty)
        }
        #expect(try RowList(fields: RowList().encoded, hasBlob: true) == RowList())
        #expect(throws: CBORError.self) { try RowList(fields: RowList().encoded, hasBlob: false) }
        #expect(throws: CBORError.self) { try RowList(fields: [0x81, 0], hasBlob: true) }
    }

    /// One blob holds 16,384 names, and the next ones begin another.
    @Test func longListsAreDivided() throws {
        let zone = try TestZone(device: 1)
        let hashes = (0..<UInt64(Limits.listedRows + 2)).map { RecordHash(Bytes32($0 + 1, 0, 0, 0)) }
        let blobs = try zone.zone.lists.write(hashes.reversed() + hashes)
        try zone.zone.commit()
        #expect(try blobs.map { try zone.zone.lists.names($0)?.count } == [Limits.listedRows, 2])
        let again = try zone.reopened()
        #expect(try again.zone.lists.names(blobs[1]) == hashes.suffix(2).map(\.prefix))
        // They travel like any other record, and are found again there.
        let other = try TestZone(device: 2)
        try other.take(from: zone)
        #expect(try other.zone.lists.names(blobs[0])?.first == hashes[0].prefix)
        #expect(try other.zone.lists.names(BlobHash(.zero)) == nil)
    }
}
