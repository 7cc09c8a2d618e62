import Ledger
import NodeCore
import Testing

@Suite struct LedgerRecordTests {
    /// A record of each kind.
    static func each() -> [LedgerRecord] {
        var scene = LedgerScene.group()
        let invite = scene.invite("o", .admin, keys: ["t0", "t1"])
        scene.enter("m", person: "M", first: "m", .ticket(invite, 0, key: "t0"))
        scene.enter("m2", person: "M", first: "m", .lane("m"), succeeds: "m")
        let third = scene.enter("m3", person: "M", first: "m", .person)
        let member = scene.member("m")
        let ticket = TicketID(invite: invite.hash, index: 1)
        scene.remove("m2", by: "M", heads: [invite], children: [third])
        let zone = scene.zone
        let acts: [LedgerAct] = [
            .rotate(
                Rotate(
                    number: 7, root: LedgerScene.root, covers: [invite.hash],
                    tips: [.init(rotate: RecordHash(zone.storage), sealedRoot: [1, 2, 3])])),
            .seal(
                Seal(
                    rotate: invite.hash, ephemeral: LedgerScene.root.reading,
                    entries: [.init(recipient: LedgerScene.lane("m").storage, sealed: [4])])),
            .leave, .end(LedgerScene.lane("r")),
            .revoke(Revoke(invite: invite.hash, stays: [.init(index: 1, member: member)])),
            .word(
                Word(
                    member: member, role: .viewer, revision: 3, ticket: .init(issuer: member, ticket: ticket),
                    keep: .admin, heads: [invite.hash])),
            .word(Word(member: member, role: .none, revision: 4, keep: .none)),
            .title(Title(revision: 1, sealed: [9])), .suspend(member), .unsuspend(invite.hash),
            .offer(Offer(group: zone, tickets: [.init(member: member, lane: LedgerScene.lane("m"), sealed: [5])])),
            .close(Close(heads: [invite.hash], successor: .init(group: zone, founder: member))),
            .close(Close(heads: [], successor: nil)), .unopened([invite.hash]), .later(kind: 99, fields: [1, 2]),
        ]
        for act in acts { scene.write("o", act) }
        return scene.records + LedgerScene.account().records
    }

    @Test func eachKindIsReadAsItWasWritten() throws {
        let records = Self.each()
        #expect(Set(records.map(\.act.kind)).isSuperset(of: LedgerKind.allCases.map(\.rawValue)))
        for record in records {
            let read = try LedgerRecord(encoded: record.encoded)
            #expect(read.hash == record.hash && read.act == record.act && read.encoded == record.encoded)
            #expect(read.prev == record.prev && read.home == record.home)
        }
    }

    @Test func aFlippedBitIsRefused() throws {
        var random = SeededRandom(seed: 7)
        for record in Self.each() {
            for _ in 0..<8 {
                var bytes = record.encoded
                let at = Int(random.next() % UInt64(bytes.count))
                bytes[at] ^= 1 << UInt8(random.next() % 8)
                #expect(throws: LedgerError.self) { try LedgerRecord(encoded: bytes) }
            }
        }
    }

    @Test func whatIsCutShortOrTooLongIsRefused() {
        for record in Self.each() {
            let bytes = record.encoded
            for count in [0, 1, bytes.count / 2, bytes.count - 1] {
                #expect(throws: LedgerError.malformed) { try LedgerRecord(encoded: Array(bytes.prefix(count))) }
            }
            #expect(throws: LedgerError.malformed) { try LedgerRecord(encoded: bytes + [0]) }
        }
        let long = [UInt8](repeating: 0, count: Limits.recordBytes + 1)
        #expect(throws: LedgerError.tooLong) { try LedgerRecord(encoded: long) }
    }

    /// The words found the same account on two devices that never met.
    @Test func anAccountsGenesisHasNoFreeField() {
        #expect(LedgerScene.account().zone == LedgerScene.account().zone)
    }

    @Test func aRecordOfAnotherZoneIsNotTaken() {
        var scene = LedgerScene.account()
        let stranger = LedgerScene.group().records[1]
        let count = scene.records.count
        scene.insert(stranger)
        #expect(scene.records.count == count)
    }

    @Test func oneRecordTakesFortySeals() throws {
        var scene = LedgerScene.account()
        let entries = (0..<Limits.sealEntries).map {
            Seal.Entry(
                recipient: LedgerScene.lane("\($0)").storage,
                sealed: [UInt8](repeating: 7, count: Limits.sealedRootBytes))
        }
        let seal = scene.write("a", .seal(Seal(rotate: scene.genesis.hash, ephemeral: .zero, entries: entries)))
        #expect(seal.encoded.count <= Limits.recordBytes)
        _ = try LedgerRecord(encoded: seal.encoded)
    }

    /// Otherwise a record would be passed on with a hash other than the signed one.
    @Test func aListOutOfOrderIsRefused() throws {
        let scene = LedgerScene.group()
        let (one, other) = (LedgerScene.member("A", "a"), LedgerScene.member("B", "b"))
        func fields(_ stays: [(UInt64, MemberID)]) -> [UInt8] {
            var writer = CBORWriter()
            writer.write(scene.genesis.hash)
            writer.writeArray(stays.count)
            for (index, member) in stays {
                writer.writeArray(2)
                writer.write(index)
                writer.write(member)
            }
            return writer.bytes
        }
        /// The record with these fields, as bytes.
        func record(_ stays: [(UInt64, MemberID)]) -> [UInt8] {
            scene.make(
                "o", prev: scene.genesis.hash, .later(kind: LedgerKind.revoke.rawValue, fields: fields(stays))
            ).encoded
        }
        _ = try LedgerRecord(encoded: record([(1, one), (2, other)]))
        for wrong in [[(2, one), (1, other)], [(1, one), (1, one)]] as [[(UInt64, MemberID)]] {
            #expect(throws: LedgerError.malformed) { try LedgerRecord(encoded: record(wrong)) }
        }
    }
}
