import ChatTestKit
import NodeCore
import SyncState
import Testing

@testable import Chat

/// Rows were damaged on the only device that had them: it must show no more than others can know.
@Suite struct AccountZoneLossTests {
    /// Damages all rows without blobs, and lets a scrub find that.
    private func loseRows(of device: TestZone) throws {
        try device.database.execute("UPDATE record SET rec = zeroblob(length(rec)) WHERE blob IS NULL")
        var cursor = ZoneStore.ScrubCursor()
        while try device.store.scrub(&cursor) {}
        try device.zone.commit()
        #expect(cursor.report.damagedRows > 0)
    }

    private func phone() throws -> TestZone {
        let phone = try TestZone(device: 1)
        phone.store.setTime(now: .zero, wall: .day(0))
        try phone.zone.devices.describe(name: "phone", appVersion: "1.0", wall: .day(0))
        try phone.archive(.sample(1, score: 1), .sample(2, score: 2), .sample(3))
        return phone
    }

    @Test func aDeviceWritesAgainWhatItSaid() throws {
        let (phone, laptop) = (try phone(), try TestZone(device: 2))
        let txid = ChatMessage.sample(3).txid
        _ = try phone.zone.learn(
            ChainEvent(txid: txid, kind: .confirm, acceptingDaaScore: 7, status: .confirmed), now: .zero)
        _ = try phone.zone.details.change("bob", [.pinned(true)], wall: .day(0))
        _ = try phone.zone.deletions.delete(message: ChatMessage.sample(1).txid, wall: .day(0))
        _ = try phone.zone.reads.markRead("bob", upTo: ChatMessage.sample(2).txid, now: .zero, wall: .day(0))
        try phone.zone.reads.publishReads()
        try phone.zone.devices.names.give("old one", to: laptop.zone.lane)
        try phone.zone.commit()
        try loseRows(of: phone)
        #expect(try phone.zone.chat.details("bob").isPinned?.value == true)
        try laptop.meet(phone)
        #expect(try laptop.zone.devices.name(of: phone.zone.lane) == "phone")
        #expect(try laptop.zone.devices.name(of: laptop.zone.lane) == "old one")
        #expect(try laptop.zone.chat.details("bob").isPinned?.value == true)
        #expect(try laptop.zone.chat.isDeleted(ChatMessage.sample(1).txid))
        #expect(try laptop.zone.chat.message(ChatMessage.sample(2).txid)?.isRead == true)
        #expect(try laptop.zone.chat.message(txid)?.message.acceptingDaaScore == 7)
    }

    @Test func nobodySpeaksForAnotherDevice() throws {
        let (phone, laptop) = (try phone(), try TestZone(device: 2))
        _ = try phone.zone.details.change("bob", [.pinned(true)], wall: .day(0))
        _ = try phone.zone.reads.markRead("bob", upTo: ChatMessage.sample(2).txid, now: .zero, wall: .day(0))
        try phone.zone.reads.publishReads()
        try phone.zone.devices.names.give("old one", to: laptop.zone.lane)
        try phone.zone.commit()
        try laptop.meet(phone)
        #expect(try laptop.zone.chat.details("bob").isPinned?.value == true)
        try loseRows(of: laptop)
        #expect(try laptop.zone.devices.name(of: phone.zone.lane) == nil)
        #expect(try laptop.zone.devices.name(of: laptop.zone.lane) != "old one")
        #expect(try laptop.zone.chat.details("bob").isPinned == nil)
        #expect(try laptop.zone.chat.message(ChatMessage.sample(2).txid)?.isRead == false)
        // The rows arrive again.
        try laptop.take(from: phone)
        #expect(try laptop.zone.devices.name(of: phone.zone.lane) == "phone")
        #expect(try laptop.zone.devices.name(of: laptop.zone.lane) == "old one")
        #expect(try laptop.zone.chat.details("bob").isPinned?.value == true)
        #expect(try laptop.zone.chat.message(ChatMessage.sample(2).txid)?.isRead == true)
    }
}
