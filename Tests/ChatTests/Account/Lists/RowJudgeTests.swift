import ChatTestKit
import Ledger
import NodeCore
import SyncState
import Testing

@testable import Chat

/// A removed lane's rows count where lists name them, everywhere alike (docs/PROTOCOL.md, §5.2).
@Suite struct RowJudgeTests {
    private static let first = ChatMessage.sample(1, score: 1, blockTime: 1_700_000_000_001)
    private static let late = ChatMessage.sample(2, score: 2, blockTime: 1_700_000_000_002)
    private static let mine = ChatMessage.sample(3, score: 3, blockTime: 1_700_000_000_003)

    private let phone: TestZone
    private let thief: TestZone
    /// A device that met both before the theft, and nobody since.
    private let tablet: TestZone
    /// The thief's rows from before the theft.
    private let honest: [RecordHash]

    init() throws {
        (phone, thief, tablet) = (try TestZone(device: 1), try TestZone(device: 2), try TestZone(device: 3))
        try phone.archive(Self.mine)
        try thief.archive(Self.first)
        try thief.title("Bob")
        for _ in 0..<2 {
            for (one, other) in [(phone, thief), (tablet, thief), (phone, tablet)] { try one.meet(other) }
        }
        honest = try thief.store.records(of: thief.zone.lane).map(\.hash)
        // Now it is stolen.
        try thief.archive(Self.late)
        try thief.title("Mallory")
        _ = try thief.zone.deletions.delete(message: Self.mine.txid, wall: .day(2))
        _ = try thief.zone.deletions.delete(message: Self.first.txid, wall: .day(2))
        try phone.meet(thief)
    }

    private func enter(_ zone: TestZone) -> RecordHash { TestZone.signer.enter(zone.store.device).hash }

    private func remove(_ stays: [BlobHash]) -> LedgerRecord {
        TestZone.signer.remove([thief.zone.lane], heads: [enter(thief)], stays: stays)
    }

    private func hear(_ record: LedgerRecord, _ zone: TestZone) throws {
        try zone.store.begin()
        #expect(try zone.zone.membership.records.take([record.encoded]).added == [record.hash])
        try zone.zone.commit()
    }

    private func shown(_ zone: TestZone) throws -> [Bool] {
        try [Self.mine, Self.first, Self.late].map { try zone.zone.chat.message($0.txid) != nil }
    }

    private func title(_ zone: TestZone) throws -> String? { try zone.zone.chat.details("bob").title?.value.text }

    @Test func theDamageIsUndoneAndTheRestStays() throws {
        #expect(try shown(phone) == [false, false, true] && title(phone) == "Mallory")
        try phone.store.begin()
        let lists = try phone.zone.lists.write(honest)
        try hear(remove(lists), phone)
        for zone in [phone, try phone.reopened()] {
            #expect(try shown(zone) == [true, true, false])
            #expect(try title(zone) == "Bob")
            #expect(try Set(zone.store.records(of: thief.zone.lane).map(\.hash)) == Set(honest))
            #expect(try zone.zone.deletions.recentlyDeleted().isEmpty)
        }
        // It is as if the rest had never been, as on the tablet, which never had it.
        try tablet.meet(phone)
        #expect(phone.store.digest == tablet.store.digest)
        #expect(phone.store.total.held == tablet.store.total.held && phone.store.wantedCount == 0)
        #expect(try shown(tablet) == [true, true, false])
        // The rest stays out, whoever brings it.
        let rows = try thief.store.records(of: thief.zone.lane).filter { !honest.contains($0.hash) }
        #expect(rows.count == 4)
        for row in rows {
            #expect(throws: RecordRejection.removed) { try tablet.store.put(row) }
            #expect(throws: RecordRejection.removed) { try phone.store.put(row) }
            // It is served by its hash for a while, since a further Remove may name it.
            let served = try phone.store.row(of: row.lane, seq: row.seq, hash: row.hash.prefix)
            #expect(served == row.encoded)
        }
        try phone.run(for: SyncState.Limits.keptAside)
        #expect(try phone.store.row(of: rows[0].lane, seq: rows[0].seq, hash: rows[0].hash.prefix) == nil)
    }

    /// Joins run over the rows that count: values joined from the others fall with them.
    @Test func valuesFallWithTheirRows() throws {
        let group = GroupMembershipTests.id(1)
        func membership(_ state: GroupMembership.State) -> GroupMembership {
            GroupMembershipTests.membership(group, state)
        }
        func achievements(_ number: UInt64) throws -> AchievementSet {
            AchievementSet([
                try Achievement(
                    id: AchievementID(Bytes16(0, number)), category: "wins", thresholds: [:], currentValue: 1,
                    currentTier: nil, unlockDates: [:], lastUpdated: .day(1))
            ])
        }
        let paid = ChatMessage.sample(5, score: 5, blockTime: 1_700_000_000_005)
        try phone.archive(paid)
        try phone.read("bob", score: 1)
        try phone.zone.groups.put(membership(.joined))
        try phone.zone.achievements.merge(achievements(1))
        try phone.zone.accountState.declare(createdAt: .day(1))
        _ = try phone.zone.learn(ChainEvent(txid: paid.txid, kind: .confirm, acceptingDaaScore: 30), now: .zero)
        try phone.zone.commit()
        try thief.meet(phone)
        try thief.read("bob", score: 99)
        try thief.zone.groups.put(membership(.left))
        try thief.zone.achievements.merge(achievements(2))
        try thief.zone.accountState.declare(createdAt: .day(0))
        _ = try thief.zone.learn(ChainEvent(txid: paid.txid, kind: .reorg), now: .zero)
        try thief.zone.commit()
        try phone.meet(thief)
        #expect(try phone.position("bob") == 99 && phone.zone.accountState.state?.createdAt == .day(0))
        #expect(phone.zone.groups.membership(of: group)?.state == .left)
        #expect(phone.zone.achievements.known.count == 2)
        #expect(try phone.zone.chat.message(paid.txid)?.message.status == .reorged)
        try phone.store.begin()
        try hear(remove(phone.zone.lists.write(honest)), phone)
        for zone in [phone, try phone.reopened()] {
            #expect(try zone.position("bob") == 1 && zone.zone.accountState.state?.createdAt == .day(1))
            #expect(zone.zone.groups.membership(of: group)?.state == .joined)
            #expect(zone.zone.achievements.known.count == 1)
            #expect(try zone.zone.chat.message(paid.txid)?.message.acceptingDaaScore == 30)
        }
    }

    /// A change made while nobody knows of the theft repeats nothing that the thief said.
    @Test func whatOthersSayOfTheirOwnDoesNotRepeatIt() throws {
        try phone.zone.details.change("bob", [.pinned(true)], wall: .day(3))
        try phone.zone.commit()
        try hear(remove(phone.zone.lists.write(honest)), phone)
        #expect(try title(phone) == "Bob")
        #expect(try phone.zone.chat.details("bob").isPinned?.value == true)
    }

    /// When a thief retracts what it said, others must not repeat it.
    @Test func whatALaneTakesBackNobodySaysForIt() throws {
        try thief.read("bob", score: 99)
        try phone.meet(thief)
        #expect(try phone.position("bob") == 99)
        let rows = phone.store.lane(phone.zone.lane)?.rows
        try thief.read("bob", score: 5)
        try phone.meet(thief)
        #expect(try phone.position("bob") == 5)
        #expect(phone.store.lane(phone.zone.lane)?.rows == rows)
    }

    /// Until the list is here, nobody can tell what stays, so waiting rows are kept.
    @Test func rowsWaitForTheirList() throws {
        try phone.store.begin()
        let lists = try phone.zone.lists.write(honest)
        let record = remove(lists)
        try hear(record, phone)
        try hear(record, tablet)
        #expect(try shown(tablet) == [true, false, false])
        #expect(tablet.store.lane(thief.zone.lane)?.rows == 0)
        for row in try thief.store.records(of: thief.zone.lane) {
            #expect(throws: RecordRejection.notYet) { try tablet.store.put(row) }
        }
        try tablet.run(for: SyncState.Limits.keptAside)
        let waiting = try tablet.reopened()
        let takings = waiting.zone.zoneAccess.takings
        try waiting.meet(phone)
        #expect(waiting.zone.zoneAccess.takings != takings)
        #expect(try shown(waiting) == [true, true, false])
        #expect(waiting.store.digest == phone.store.digest && waiting.store.wantedCount == 0)
    }

    /// A later Remove of the same lane names more rows, which return from aside with their blobs.
    @Test func whatAFurtherListNamesComesBack() throws {
        try phone.store.begin()
        try hear(remove(phone.zone.lists.write(honest)), phone)
        #expect(try shown(phone) == [true, true, false])
        let segment = try thief.store.records(of: thief.zone.lane).filter { $0.kind == .segment }.map(\.hash)
        try phone.store.begin()
        try hear(remove(phone.zone.lists.write(segment)), phone)
        #expect(try shown(phone) == [true, true, true])
        #expect(try title(phone) == "Bob")
        try thief.zone.commit()
        let newcomer = try TestZone(device: 4)
        try newcomer.take(from: phone)
        // The lists come with the blobs, and the rows that waited for them are asked for again.
        try newcomer.take(from: phone)
        #expect(try shown(newcomer) == [true, true, true])
        #expect(newcomer.store.lane(thief.zone.lane)?.fingerprint == phone.store.lane(thief.zone.lane)?.fingerprint)
    }

    @Test func aRollbackUndoesIt() throws {
        let digest = phone.store.digest
        try phone.store.begin()
        let record = try remove(phone.zone.lists.write(honest))
        _ = try phone.zone.membership.records.take([record.encoded])
        phone.store.beforeCommit = { throw Fault() }
        #expect(throws: Fault.self) { try phone.zone.commit() }
        phone.store.beforeCommit = nil
        try phone.zone.rollback()
        #expect(phone.store.digest == digest)
        #expect(try shown(phone) == [false, false, true] && title(phone) == "Mallory")
        _ = try phone.writeFact("so that it commits")
        try phone.zone.commit()
        #expect(try shown(phone) == [false, false, true])
    }

    /// Rows of a lane that has lost its path to the person wait until it is let in again.
    @Test func whatALapsedLaneWroteComesBackWithIt() throws {
        let child = try TestZone(device: 40)
        try child.archive(.sample(9))
        let device = child.store.device
        let message = Enter.endorsed(
            lane: device.lane, member: phone.zone.membership.member, isReplica: false,
            sealKey: device.sealing.publicKey, succeeds: .zero, zone: TestZone.keys.zone)
        let enter = LedgerRecord(
            zone: TestZone.keys.zone, signer: device.signing.publicKey, prev: .zero,
            act: .enter(
                Enter(
                    person: TestZone.keys.identity, firstLane: .zero,
                    sealKey: device.sealing.publicKey,
                    entrance: .lane(thief.zone.lane, thief.store.device.signing.sign(message)))),
            sign: device.signing.sign)
        let row = try #require(child.store.records(of: device.lane).first)
        #expect(throws: RecordRejection.notYet) { try tablet.store.put(row) }
        try hear(enter, tablet)
        for record in try child.store.records(of: device.lane) { try tablet.store.put(record) }
        for wanted in try tablet.store.wanted(limit: 9) {
            let blob = try child.store.blob(
                of: device.lane, seq: wanted.record.seq, hashPrefix: wanted.blob.hash.shortPrefix)
            _ = try tablet.store.put(blob: #require(blob), for: wanted)
        }
        try tablet.zone.commit()
        #expect(try tablet.zone.chat.message(ChatMessage.sample(9).txid) != nil)
        let digest = tablet.store.lane(device.lane)?.fingerprint
        try hear(remove([]), tablet)
        #expect(try tablet.zone.chat.message(ChatMessage.sample(9).txid) == nil)
        #expect(tablet.store.lane(device.lane)?.rows == 0)
        try tablet.run(for: SyncState.Limits.keptAside)
        try hear(TestZone.signer.enter(device), tablet)
        #expect(try tablet.zone.chat.message(ChatMessage.sample(9).txid) != nil)
        #expect(tablet.store.lane(device.lane)?.fingerprint == digest)
    }

    private struct Fault: Error {}
}

extension TestZone {
    fileprivate func title(_ text: String) throws {
        try zone.details.change("bob", [.title(ConversationTitle(text))], wall: .day(1))
        try zone.commit()
    }
}
