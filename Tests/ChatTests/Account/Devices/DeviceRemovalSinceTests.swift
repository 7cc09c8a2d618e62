import ChatTestKit
import Ledger
import NodeCore
import SyncState
import Testing

@testable import Chat

/// A device is removed some time after it was stolen: what came from it since is undone (docs/PROTOCOL.md, §5.2).
@Suite struct DeviceRemovalSinceTests {
    private static let first = ChatMessage.sample(1, score: 1, blockTime: 1_700_000_000_001)
    private static let late = ChatMessage.sample(2, score: 2, blockTime: 1_700_000_000_002)
    private static let mine = ChatMessage.sample(3, score: 3, blockTime: 1_700_000_000_003)

    private let laptop, phone, tablet: TestZone

    init() throws {
        // These are not in the family that all test zones know.
        (laptop, phone, tablet) = (try TestZone(device: 21), try TestZone(device: 22), try TestZone(device: 23))
        try begin(day: 1)
        try laptop.archive(Self.mine)
        try phone.archive(Self.first)
        try phone.writeFact("a row that nothing replaces")
        try phone.title("Bob")
        try tablet.writeFact("a row by which it is known")
        for _ in 0..<2 {
            try laptop.settle(with: tablet)
            try laptop.settle(with: phone)
        }
        // The thief has the phone from now on.
        try begin(day: 2)
        try phone.archive(Self.late)
        try phone.title("Mallory")
        for message in [Self.first, Self.mine] {
            _ = try phone.zone.deletions.delete(message: message.txid, wall: .day(2))
        }
        try phone.zone.devices.rename(tablet.zone.lane, to: "bricked", wall: .day(2))
        try laptop.settle(with: phone)
        try begin(day: 3)
    }

    private func begin(day: Int) throws {
        for zone in [laptop, phone, tablet] { try zone.begin(day: day) }
    }

    private func remove(since day: Int?) throws -> DeviceRemoval.Undone {
        let undone = try laptop.zone.removal.remove(
            phone.zone.lane, since: day.map { .day($0, 0) }, by: TestZone.signer)
        try laptop.zone.commit()
        return undone
    }

    private func shown(_ zone: TestZone) throws -> [Bool] {
        try [Self.mine, Self.first, Self.late].map { try zone.zone.chat.message($0.txid) != nil }
    }

    private func title(_ zone: TestZone) throws -> String? { try zone.zone.chat.details("bob").title?.value.text }

    private func standing(_ lane: LaneID) -> LedgerState.LaneStanding { laptop.zone.membership.laneStanding(of: lane) }

    @Test func whatItDidSinceIsUndone() throws {
        #expect(try shown(laptop) == [false, false, true] && title(laptop) == "Mallory")
        #expect(try laptop.zone.devices.names.name(of: tablet.zone.lane)?.name == "bricked")
        let undone = try remove(since: 2)
        #expect(undone == DeviceRemoval.Undone(messages: 1, changes: 4))
        for zone in [laptop, try laptop.reopened()] {
            #expect(try shown(zone) == [true, true, false] && title(zone) == "Bob")
            #expect(try zone.zone.devices.names.name(of: tablet.zone.lane) == nil)
        }
        // A device that had not met the phone since then ends with the same rows.
        try laptop.settle(with: tablet)
        #expect(laptop.store.digest == tablet.store.digest)
        #expect(try shown(tablet) == [true, true, false] && title(tablet) == "Bob")
    }

    /// Deleting and restoring a conversation is no reason to keep what the thief wrote in it.
    @Test(arguments: [true, false]) func whatWasRestoredGetsNothingBack(before: Bool) throws {
        func deleteAndRestore() throws {
            let id = Self.late.conversationID
            _ = try laptop.zone.deletions.delete(conversation: id, wall: .day(3))
            try laptop.zone.commit()
            _ = try laptop.zone.deletions.restore(conversation: id, wall: .day(3, 43_200_001))
            try laptop.zone.commit()
        }
        if before { try deleteAndRestore() }
        #expect(try remove(since: 2).messages == 1)
        if !before { try deleteAndRestore() }
        #expect(try shown(laptop) == [true, true, false])
        try laptop.settle(with: tablet)
        #expect(try shown(tablet) == [true, true, false])
    }

    @Test func withoutATimeAllStays() throws {
        #expect(try remove(since: nil) == DeviceRemoval.Undone())
        #expect(try shown(laptop) == [false, false, true] && title(laptop) == "Mallory")
    }

    /// Rows that return from aside keep their first arrival time, since a copy of this store may be asked too.
    @Test func rowsKeepTheTimeAtWhichTheyCame() throws {
        func times() throws -> [RecordHash: WallTime] {
            var times: [RecordHash: WallTime] = [:]
            try RowArrivals(laptop.store).forEach(of: phone.zone.lane) { encoded, at, isHeld in
                if isHeld { times[Record.hash(of: encoded)] = at }
            }
            return times
        }
        let before = try times()
        #expect(Set(before.values) == [.day(1), .day(2)])
        _ = try remove(since: 2)
        let after = try times()
        #expect(Set(after.values) == [.day(1)])
        #expect(after.keys.contains { before[$0] == nil })
    }

    /// A device that the thief let in goes with the phone; one that its owner had let in before stays.
    @Test func whatItLetInSinceLapses() throws {
        try begin(day: 1)
        let (early, late) = (try letIn(tag: 1), try letIn(tag: 2))
        try take(early)
        try begin(day: 2)
        try take(late)
        try begin(day: 3)
        #expect(standing(early.lane) == .active && standing(late.lane) == .active)
        _ = try remove(since: 2)
        #expect(standing(early.lane) == .active && standing(late.lane) == .lapsed)
    }

    /// Control records are undone too: a root that the thief made does not count.
    @Test func whatItSaidOfTheAccountSinceFalls() throws {
        try phone.zone.membership.rotate()
        try phone.zone.commit()
        try laptop.learnLedger(of: phone)
        let root = phone.zone.membership.root.rotate
        #expect(laptop.zone.membership.state.rotates[root] == 1)
        _ = try remove(since: 3)
        #expect(laptop.zone.membership.state.rotates[root] == nil)
        #expect(laptop.zone.membership.ownStanding == .active)
    }

    @Test func aTimeThatCannotBeMeantIsRefused() throws {
        #expect(throws: DeviceError.inTheFuture) { try remove(since: 4) }
        #expect(throws: DeviceError.onlyHereSince(.day(1))) { try remove(since: 0) }
        let young = try TestZone(device: 24)
        young.store.setTime(now: .zero, wall: .day(3))
        try young.run(for: .seconds(1))
        try laptop.settle(with: young)
        #expect(throws: DeviceError.enteredAt(.day(3))) {
            try laptop.zone.removal.remove(young.zone.lane, since: .day(2), by: TestZone.signer)
        }
        #expect(throws: DeviceError.onlyHereSince(.day(3))) {
            try young.zone.removal.remove(phone.zone.lane, since: .day(2), by: TestZone.signer)
        }
        #expect(laptop.zone.membership.state.removals.isEmpty)
        #expect(try shown(laptop) == [false, false, true])
    }

    /// The Enter of a lane that the phone lets in.
    private func letIn(tag: UInt64) throws -> LedgerRecord {
        let device = DeviceKeys(
            deviceSecret: Secret(bytes: [UInt8](repeating: 77, count: 32)),
            tag: Bytes16(9, tag))
        let sealKey = device.sealing.publicKey
        let door = Enter.Entrance.lane(
            phone.zone.lane, phone.zone.membership.endorse(device.lane, sealKey: sealKey))
        return LedgerRecord(
            zone: TestZone.keys.zone, signer: device.signing.publicKey, prev: .zero,
            act: .enter(
                Enter(person: TestZone.keys.identity, firstLane: .zero, sealKey: sealKey, entrance: door)),
            sign: device.signing.sign)
    }

    private func take(_ enter: LedgerRecord) throws {
        try laptop.store.begin()
        _ = try laptop.zone.membership.records.take([enter.encoded])
        try laptop.zone.commit()
    }
}

extension TestZone {
    fileprivate func title(_ text: String) throws {
        try zone.details.change("bob", [.title(ConversationTitle(text))], wall: .day(1))
        try zone.commit()
    }
}
