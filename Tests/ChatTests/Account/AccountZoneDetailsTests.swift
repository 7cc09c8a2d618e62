import ChatTestKit
import NodeCore
import SyncState
import Testing

@testable import Chat

@Suite struct AccountZoneDetailsTests {
    private func details(_ zone: TestZone) throws -> ConversationDetails { try zone.zone.chat.details("bob") }

    @Test func devicesThatChangeDifferentThingsOfflineBothWin() throws {
        let (one, other) = (try TestZone(device: 1), try TestZone(device: 2))
        try one.zone.details.change("bob", [.title(ConversationTitle("Bob")), .pinned(true)], wall: .day(1))
        try one.meet(other)
        try one.zone.details.change("bob", [.muted(true)], wall: .day(2))
        try other.zone.details.change("bob", [.pinned(false), .archived(true)], wall: .day(0))
        try one.meet(other)
        for zone in [one, other] {
            let details = try details(zone)
            #expect(details.title?.value.text == "Bob")
            #expect(details.isMuted?.value == true && details.isArchived?.value == true)
            // It had seen the flag, so its earlier clock does not matter.
            #expect(details.isPinned?.value == false)
        }
        #expect(try !one.zone.details.change("bob", [.muted(true), .markedUnread(false)], wall: .day(3)))
    }

    @Test func theyOutliveTheirDeviceAndFreshStarts() throws {
        let (one, other) = (try TestZone(device: 1), try TestZone(device: 2))
        try one.zone.details.change("bob", [.title(ConversationTitle("Bob"))], wall: .day(1))
        try one.meet(other)
        try other.zone.devices.forget(one.zone.lane, wall: .day(1))
        try other.zone.commit()
        #expect(try other.zone.details.live("bob") == details(other))
        let newcomer = try TestZone(device: 3)
        try newcomer.take(from: other)
        #expect(try details(newcomer).title?.value.text == "Bob")

        let fresh = try TestZone(device: 4)
        try fresh.zone.details.change("ann", [.muted(true)], wall: .day(1))
        try fresh.zone.commit()
        let left = fresh.zone.lane
        try fresh.store.startAfresh(.forked)
        try fresh.zone.commit()
        #expect(fresh.zone.lane != left)
        #expect(try fresh.zone.details.live("ann").isMuted?.value == true)
        #expect(try fresh.store.liveRegisters(of: fresh.zone.lane).count == 1)
    }

    /// A device writes the highest possible revision: everyone, newcomers too, still sees the next correction.
    @Test func aHugeRevisionUsesUpNothing() throws {
        let (one, bad) = (try TestZone(device: 1), try TestZone(device: 2))
        var huge = ConversationDetails(conversationID: "bob")
        huge.title = Revised(try ConversationTitle("owned"), revision: SyncState.Limits.revision, at: .day(9))
        try bad.store.write(
            RecordMeta(type: .conversation, fields: huge.encoded), slotName: huge.slotName, kind: .register)
        try bad.zone.commit()
        try one.meet(bad)
        #expect(try details(one).title?.value.text == "owned")
        for (day, title) in ["Bob", "Bobby"].enumerated() {
            #expect(try one.zone.details.change("bob", [.title(ConversationTitle(title))], wall: .day(day)))
            try one.meet(bad)
            let newcomer = try TestZone(device: 3)
            try newcomer.take(from: bad)
            for zone in [one, bad, newcomer] { #expect(try details(zone).title?.value.text == title) }
        }
    }

    @Test func titlesAndParticipantsLieNowhereInClear() throws {
        let zone = try TestZone(device: 1)
        let participants = try ConversationParticipants([.init(address: "addressinclear", name: "nameinclear")])
        try zone.archive(.sample(1))
        try zone.zone.details.change(
            "bob", [.title(ConversationTitle("titleinclear")), .participants(participants)], wall: .day(1))
        try zone.zone.commit()
        try zone.zone.tidy()
        let bytes = try zone.database.snapshot()
        for text in ["titleinclear", "addressinclear", "nameinclear"] {
            let word = Array(text.utf8)
            let places = bytes.indices.dropLast(word.count)
            #expect(!places.contains { bytes[$0] == word[0] && bytes[$0...].starts(with: word) })
        }
        let again = try zone.reopened()
        #expect(try again.zone.chat.conversation("bob")?.title == "titleinclear")
        #expect(try again.zone.chat.conversationList().map(\.details) == [try details(zone)])
        // Damaged details are not shown, and they stop nothing.
        try again.database.execute("UPDATE conversation SET details = zeroblob(40)")
        #expect(try again.reopened().zone.chat.conversation("bob")?.title == nil)
    }

    @Test func theNextMarkEndsMarkedUnread() throws {
        let (one, other) = (try TestZone(device: 1), try TestZone(device: 2))
        try one.archive(.sample(1, score: 5))
        #expect(try one.zone.reads.markRead("bob", upTo: nil, now: .zero, wall: .day(1)))
        try one.zone.details.change("bob", [.markedUnread(true)], wall: .day(1))
        try one.meet(other)
        #expect(try details(other).isMarkedUnread?.value == true)
        // Everything is read already, and the flag still goes.
        #expect(try !one.zone.reads.markRead("bob", upTo: nil, now: .zero, wall: .day(1)))
        try one.meet(other)
        #expect(try details(other).isMarkedUnread?.value == false)
    }

    @Test func whatARollbackUndidWasNeverSaid() throws {
        let zone = try TestZone(device: 1)
        try zone.zone.details.change("bob", [.pinned(true)], wall: .day(1))
        try zone.zone.rollback()
        #expect(try details(zone).isPinned == nil)
        try zone.zone.details.change("bob", [.muted(true)], wall: .day(1))
        try zone.zone.commit()
        #expect(try details(zone.reopened()).isMuted?.value == true)
    }
}
