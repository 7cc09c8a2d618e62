import Chat
import ChatTestKit
import NodeCore
import SyncState
import Testing

@Suite struct ZoneStoreFreshStartTests {
    /// Two copies of a home run: one continues in a new lane, and the other learns that from the ledger.
    @Test func aCopyOfADeviceThatWentOnStartsAfresh() throws {
        let one = try TestZone(device: 1)
        try one.read("c", score: 5)
        try one.zone.commit()
        let (old, twin) = (one.zone.lane, try one.reopened())
        try one.store.startAfresh(.clone)
        try one.zone.commit()
        try twin.learnLedger(of: one)
        try twin.zone.commit()
        #expect(one.zone.lane != old && twin.zone.lane != old && one.zone.lane != twin.zone.lane)
        #expect(twin.store.takeFreshStarts().map(\.reason) == [.succeeded])
        #expect(try twin.position("c") == 5)
        // The new key is there after a restart too.
        #expect(try twin.reopened().zone.lane == twin.zone.lane)
        for zone in [one, twin] { #expect(!zone.zone.membership.isSucceeded && !zone.zone.membership.path.isEmpty) }
    }

    /// A device publishes again what its copy has replaced.
    @Test func whatACopyReplacedIsSaidAgain() throws {
        let one = try TestZone(device: 1)
        try one.zone.commit()
        let twin = try one.reopened()
        let message = ChatMessage.sample(1, score: 1)
        try one.read("c", score: 9)
        _ = try one.zone.deletions.delete(message: message.txid, wall: .day(1))
        try one.zone.details.change("c", [.pinned(true)], wall: .day(1))
        try one.zone.commit()
        for _ in 0..<3 { try twin.writeFact("so that its rows come later") }
        try twin.read("c", score: 5)
        _ = try twin.zone.deletions.delete(message: message.txid, wall: .day(1))
        _ = try twin.zone.deletions.restore(message: message.txid, wall: .day(1))
        try twin.zone.details.change("c", [.muted(true)], wall: .day(1))
        try twin.zone.commit()
        try one.meet(twin)
        let newcomer = try TestZone(device: 2)
        try newcomer.meet(one)
        for zone in [one, twin, newcomer] {
            #expect(try zone.position("c") == 9)
            let details = try zone.zone.chat.details("c")
            #expect(details.isPinned?.value == true && details.isMuted?.value == true)
            // It was undone by a device that knew of it.
            #expect(try !zone.zone.chat.isDeleted(message.txid))
        }
    }

    @Test func aLaneThatWentOnElsewhereIsLeft() throws {
        let one = try TestZone(device: 1)
        try one.writeFact("before")
        try one.zone.commit()
        let twin = try one.reopened()
        let beyond = try twin.writeFact("of the copy")
        try one.store.put(beyond)
        try one.zone.commit()
        #expect(one.zone.lane != twin.zone.lane)
        #expect(one.store.takeFreshStarts().map(\.reason) == [.forked])
    }

    @Test func theGuardNoticesACopyAndAnOlderStore() throws {
        let one = try TestZone(device: 1)
        let first = try one.zone.checkGuard(nil, place: [1])
        try one.zone.commit()
        let lane = one.zone.lane
        let older = try one.reopened()

        let second = try one.zone.checkGuard(first, place: [1])
        try one.zone.commit()
        #expect(one.zone.lane == lane)
        let third = try one.zone.checkGuard(second, place: [1])
        try one.zone.commit()
        #expect(one.zone.lane == lane)

        // This is the store of the first start beside the guard of the third.
        _ = try older.zone.checkGuard(third, place: [1])
        try older.zone.commit()
        #expect(older.zone.lane != lane)

        // These are the same files in another place.
        let copy = try one.reopened()
        _ = try copy.zone.checkGuard(third, place: [2])
        try copy.zone.commit()
        #expect(copy.zone.lane != lane)

        // This is the database alone.
        let bare = try one.reopened()
        _ = try bare.zone.checkGuard(nil, place: [1])
        try bare.zone.commit()
        #expect(bare.zone.lane != lane)
    }
}
