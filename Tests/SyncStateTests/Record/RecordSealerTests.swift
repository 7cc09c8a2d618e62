import Ledger
import NodeCore
import SyncState
import Testing

@Suite struct RecordSealerTests {
    /// A device can make roots until one has the number of a root that others still lack.
    @Test func aRootThatIsToComeIsNotMistakenForAnotherOfItsNumber() throws {
        var random: any RandomSource = SeededRandom(seed: 5)
        let roots = (1...3).map { (number: UInt64) in
            ZoneRoot(
                rotate: RecordHash(Bytes32(7 << 32 | number, 0, 0, 0)), secret: Secret(random: &random, count: 32))
        }
        func sealer(_ held: [ZoneRoot], of rotates: [ZoneRoot]) -> RecordSealer {
            let sealer = RecordSealer(
                zone: ZoneID(Bytes32(1, 2, 3, 4)), first: roots[0], slotKey: Secret(random: &random, count: 32))
            sealer.use(held, of: rotates.map(\.rotate))
            return sealer
        }
        let writer = sealer([roots[1]], of: roots)
        let header = RecordHeader(
            lane: LaneID(Bytes32(1, 2, 3, 4)), seq: 1, slot: .zero, kind: .immutable, keyVersion: writer.keyVersion)
        let meta = RecordMeta(number: 9, fields: [])
        let record = Record(
            header: header, blob: nil, sealedMeta: writer.seal(meta, header: header, blob: nil, random: &random))
        #expect(try sealer([roots[0], roots[1]], of: roots).open(record).type == 9)
        #expect(throws: RecordRejection.notYet) { try sealer([roots[0]], of: roots).open(record) }
        #expect(throws: RecordRejection.notAuthentic) { try sealer([roots[0]], of: [roots[0]]).open(record) }
    }
}
