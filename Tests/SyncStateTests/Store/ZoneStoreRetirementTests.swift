import Chat
import ChatTestKit
import NodeCore
import SyncState
import Testing

@Suite struct ZoneStoreRetirementTests {
    @Test func aRetiredLaneLosesRegistersAndNothingElse() throws {
        let gone = try TestZone(device: 1)
        let fact = try gone.writeFact("fact")
        let marker = try gone.read("c", score: 5)
        let late = try gone.read("d", score: 6)
        let other = try TestZone(device: 2)
        for record in [fact, marker] { try other.store.put(record) }
        try other.store.advance(gone.zone.lane, head: 2)
        try other.store.retire(gone.zone.lane)
        try other.zone.commit()

        #expect(try other.store.holds(fact))
        #expect(try !other.store.holds(marker))
        #expect(other.store.lane(gone.zone.lane)?.retiredThrough == 2)
        // What was read stays read: raised into the own lane in the same commit.
        #expect(try other.position("c") == 5)
        #expect(try other.zone.reads.livePosition("c").scorePoint?.acceptingDaaScore == 5)

        // What the retirer had not read counts, and stays.
        guard case .added = try other.store.put(late) else { throw Failure("an unread register was dropped") }
        guard case .dropped = try other.store.put(marker) else { throw Failure("a read register came back") }
    }

    @Test func aDeviceWhoseLaneIsRetiredStartsAfresh() throws {
        let one = try TestZone(device: 1)
        try one.read("c", score: 5)
        try one.zone.commit()
        let old = one.zone.lane
        let other = try TestZone(device: 2)
        let retirement = try {
            try other.store.retire(old)
            return try #require(other.store.takeWritten().last?.record)
        }()
        try one.store.put(retirement)
        try one.zone.commit()
        #expect(one.zone.lane != old)
        #expect(one.store.takeFreshStarts().map(\.reason) == [.retired])
        #expect(try one.zone.reads.livePosition("c").scorePoint?.acceptingDaaScore == 5)
        // The new key is there after a restart too.
        #expect(try one.reopened().zone.lane == one.zone.lane)
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
        // A seq says nothing in a fork: the retirement drops no register.
        #expect(one.store.lane(twin.zone.lane)?.retiredThrough == 0)
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

        // The store of the first start beside the guard of the third.
        _ = try older.zone.checkGuard(third, place: [1])
        try older.zone.commit()
        #expect(older.zone.lane != lane)

        // The same files elsewhere.
        let copy = try one.reopened()
        _ = try copy.zone.checkGuard(third, place: [2])
        try copy.zone.commit()
        #expect(copy.zone.lane != lane)

        // The database alone.
        let bare = try one.reopened()
        _ = try bare.zone.checkGuard(nil, place: [1])
        try bare.zone.commit()
        #expect(bare.zone.lane != lane)
    }
}
