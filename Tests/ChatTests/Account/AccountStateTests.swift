import ChatTestKit
import NodeCore
import SyncState
import Testing

@testable import Chat

@Suite struct AccountStateTests {
    private func state(_ random: inout SeededRandom) -> AccountState {
        AccountState(
            schemaVersion: random.next() % 4, createdAt: WallTime(milliseconds: Int64(random.next() % 4)))
    }

    @Test func mergingIsAJoin() {
        var random = SeededRandom(seed: 3)
        for _ in 0..<1000 {
            let (a, b, c) = (state(&random), state(&random), state(&random))
            #expect(a.merged(with: b) == b.merged(with: a))
            #expect(a.merged(with: b).merged(with: c) == a.merged(with: b.merged(with: c)))
            #expect(a.merged(with: a) == a)
        }
    }

    @Test func theFieldsComeBack() throws {
        let state = AccountState(schemaVersion: 7, createdAt: WallTime(milliseconds: -5))
        #expect(try AccountState(encoded: state.encoded) == state)
        #expect(state.encoded == [0x82, 0x07, 0x24])
    }

    @Test(
        arguments: [
            [0x81, 0x01], [0x82, 0x01, 0x60], [0x82, 0x01], [0x82, 0x20, 0x00], [0x82, 0x01, 0x00, 0x00],
            [0x83, 0x01, 0x01, 0x00],
        ] as [[UInt8]])
    func whatIsOutOfBoundsIsRefused(_ bytes: [UInt8]) {
        #expect(throws: CBORError.self) { try AccountState(encoded: bytes) }
    }

    // MARK: In a zone

    private static let wall = WallTime(milliseconds: 1_700_000_000_000)

    /// The registers that the device's own lane holds.
    private func states(_ zone: TestZone) throws -> [Record] {
        try zone.store.records(of: zone.zone.lane).filter {
            try zone.zone.sealer.open($0).type == MetaType.accountState.rawValue
        }
    }

    private func give(_ records: [Record], to zone: TestZone) throws {
        for record in records { try zone.store.put(record) }
        try zone.zone.commit()
    }

    @Test func oneRegisterADeviceHoweverOftenItStarts() throws {
        var zone = try TestZone(device: 1)
        for _ in 0..<3 {
            try zone.zone.accountState.declare(createdAt: Self.wall)
            try zone.zone.commit()
            zone = try zone.reopened()
        }
        #expect(try states(zone).count == 1)
        #expect(zone.zone.accountState.state == AccountState(schemaVersion: 1, createdAt: Self.wall))
    }

    @Test func theEarliestDeviceSaysWhenTheAccountWasMade() throws {
        let (old, new) = (try TestZone(device: 1), try TestZone(device: 2))
        try old.zone.accountState.declare(createdAt: Self.wall)
        try new.zone.accountState.declare(createdAt: Self.wall + .seconds(60))
        try old.zone.commit()
        try new.zone.commit()
        try give(states(new), to: old)
        try give(states(old), to: new)
        #expect(old.zone.accountState.state?.createdAt == Self.wall)
        #expect(new.zone.accountState.state?.createdAt == Self.wall)
        // The live registers say so already, so neither device writes again.
        #expect(try states(old).count == 1)
        #expect(try states(new).map(\.seq) == states(new).map(\.seq))
        #expect(new.store.recordCount == 2)
    }

    @Test func aFreshStartCarriesTheStateOver() throws {
        let zone = try TestZone(device: 1)
        try zone.zone.accountState.declare(createdAt: Self.wall)
        try zone.zone.commit()
        try zone.store.startAfresh(.clone)
        try zone.zone.commit()
        #expect(try states(zone).count == 1)
    }

    // MARK: Pause

    @Test func whileItPausesTheQueueWaits() throws {
        var zone = try TestZone(device: 1)
        let message = ChatMessage(
            txid: .zero, conversationID: "alice", contact: "alice", direction: .received,
            senderTimestamp: 1_700_000_000, status: .pending, body: "hello")
        _ = try zone.zone.accept(message, now: .zero)
        try zone.zone.accountState.pause(by: "user", wall: Self.wall)
        try zone.zone.accountState.pause(by: "somebody else", wall: Self.wall + .seconds(1))
        try zone.zone.commit()
        zone = try zone.reopened()
        #expect(zone.zone.pause == ZonePause(by: "user", since: Self.wall))
        let late = MonotonicTime.zero + .seconds(3_600)
        #expect(try zone.zone.cut(force: false, now: late) == 0)
        #expect(zone.zone.chat.queuedCount == 1)
        try zone.zone.accountState.resume()
        #expect(try zone.zone.cut(force: false, now: late) == 1)
        try zone.zone.commit()
        #expect(try zone.reopened().zone.pause == nil)
    }
}
