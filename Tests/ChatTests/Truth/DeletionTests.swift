import ChatTestKit
import NodeCore
import SyncState
import Testing

@testable import Chat

@Suite struct DeletionTests {
    private static let messages = (1...6).map {
        ChatMessage.sample(UInt64($0), score: UInt64($0), blockTime: 1_700_000_000_000 + UInt64($0), body: "body \($0)")
    }
    private static let later = WallTime(milliseconds: 1_700_000_100_000)
    private static let week = SyncState.Limits.keptAside

    private static let endOfTime = Deletion.Bound(through: Chat.Limits.timeMilliseconds, named: messages[0].txid)

    private func archived(_ count: Int) throws -> TruthCluster {
        let cluster = try TruthCluster(count)
        for message in Self.messages { _ = try cluster.devices[0].zone.accept(message, now: .zero) }
        try cluster.devices[0].zone.cut(force: true, now: .zero)
        try cluster.devices[0].zone.commit()
        try cluster.settle()
        return cluster
    }

    @Test func deletionsComeBackAsTheyWent() throws {
        for deletion in [
            Deletion(message: Self.messages[0].txid, at: Self.later),
            Deletion(message: Self.messages[0].txid, isDeleted: false, revision: 7, at: Self.later),
            Deletion(conversation: "a.b", upTo: Self.endOfTime, at: Self.later),
            Deletion(conversation: "a.b", upTo: nil, revision: SyncState.Limits.revision, at: Self.later),
        ] {
            #expect(try Deletion(encoded: deletion.encoded) == deletion)
            for count in 0..<deletion.encoded.count {
                #expect(throws: CBORError.self) { try Deletion(encoded: Array(deletion.encoded.prefix(count))) }
            }
        }
        #expect(throws: CBORError.self) {
            try Deletion(encoded: Deletion(conversation: "", upTo: nil, at: Self.later).encoded)
        }
        #expect(throws: CBORError.self) {
            try Deletion(encoded: Deletion(conversation: "a", upTo: nil, revision: 0, at: Self.later).encoded)
        }
    }

    /// The body leaves every device's archive, and all others stay in place.
    @Test func theWriterCutsItsSegmentAnew() throws {
        let cluster = try archived(3)
        let gone = Self.messages[2]
        let report = try cluster.devices[1].zone.deletions.delete(message: gone.txid, wall: Self.later)
        #expect(report.messages == 1 && report.cutAnew == 0 && report.staySealed == 0)
        #expect(report.waitFor.map(\.device) == [cluster.devices[0].zone.lane])
        try cluster.devices[1].zone.commit()
        #expect(try cluster.devices[1].zone.chat.message(gone.txid) == nil)
        try cluster.settle()
        #expect(try cluster.bodies(of: 0).contains(gone.body))
        // Half of the time passes before a restart, after which the device no longer knows what it wrote before.
        try cluster.devices[0].run(for: Self.week / 2)
        _ = try cluster.devices[0].writeFact("so that it commits")
        try cluster.devices[0].zone.commit()
        cluster.devices[0] = try cluster.devices[0].reopened()
        #expect(try cluster.bodies(of: 0).contains(gone.body))
        // Setting a clock says nothing about how long somebody could have undone the deletion.
        cluster.devices[0].store.setTime(now: .zero, wall: Self.later + .seconds(90 * 86_400))
        try cluster.devices[0].run(for: .zero)
        #expect(try cluster.bodies(of: 0).contains(gone.body))
        try cluster.devices[0].run(for: Self.week / 2)
        try cluster.settle()
        for place in 0..<3 {
            #expect(try cluster.bodies(of: place).filter { !$0.isEmpty }.count == 5)
            #expect(try !cluster.bodies(of: place).contains(gone.body))
            let chat = cluster.devices[place].zone.chat
            #expect(try chat.messages(conversation: "bob", limit: 10).count == 5)
            #expect(try chat.stats().messages == 5 && chat.stats().unread == 5)
            // No import restores it.
            #expect(try cluster.devices[place].zone.accept(gone, now: .zero) == .deleted)
            try cluster.devices[place].zone.commit()
            #expect(chat.queuedCount == 0)
        }
        #expect(try cluster.devices[0].zone.deletions.delete(message: gone.txid, wall: Self.later).messages == 0)
    }

    /// The others stay from the new record's arrival until its blob's, which may never come.
    @Test func theOthersStayUntilTheNewSegmentIsHere() throws {
        let cluster = try archived(3)
        let gone = Self.messages[2]
        _ = try cluster.devices[1].zone.deletions.delete(message: gone.txid, wall: Self.later)
        try cluster.devices[1].zone.commit()
        try cluster.pull(0, from: 1)
        try cluster.devices[0].run(for: Self.week)
        // Only the records arrive, and then the writer cannot be reached.
        func takeRecords(_ place: Int) throws {
            let (giver, taker) = (cluster.devices[0], cluster.devices[place])
            for lane in giver.store.vector {
                for record in try giver.store.records(of: lane.id) { try taker.store.put(record) }
                try taker.store.advance(lane.id, head: lane.head)
            }
            try taker.zone.commit()
        }
        func check(_ place: Int) throws {
            let zone = cluster.devices[place].zone
            let listed = try zone.chat.messages(conversation: "bob", limit: 10)
            #expect(listed.map(\.message.body).sorted() == Self.messages.map(\.body).filter { $0 != gone.body })
            #expect(try zone.chat.message(gone.txid) == nil)
            #expect(try zone.chat.stats().messages == 5 && zone.chat.stats().unread == 5)
        }
        for place in [1, 2] {
            try takeRecords(place)
            try check(place)
            #expect(cluster.devices[place].store.wantedCount == 1)
            #expect(cluster.devices[place].store.total.wanted.blobs == 1)
            #expect(cluster.devices[place].store.digest == cluster.devices[0].store.digest)
            // The device is killed and restarted, then derives its index again from the blobs too.
            cluster.devices[place] = try cluster.devices[place].reopened()
            try check(place)
            var cursor = ZoneStore.ScrubCursor()
            while try cluster.devices[place].store.scrub(&cursor) {}
            try cluster.devices[place].zone.commit()
            #expect(cursor.report.damagedBlobs == 0)
            try check(place)
        }
        // Neither has it to give to the other.
        try cluster.pull(1, from: 2)
        try check(1)
        // The segment is cut once more, before anybody had the first new one.
        _ = try cluster.devices[0].zone.deletions.delete(message: Self.messages[0].txid, wall: Self.later)
        try cluster.devices[0].zone.commit()
        try cluster.devices[0].run(for: Self.week)
        try takeRecords(1)
        #expect(try cluster.devices[1].zone.chat.messages(conversation: "bob", limit: 10).count == 4)
        // The writer comes back, and the old bodies go everywhere.
        for place in [1, 2] { try cluster.pull(place, from: 0) }
        for place in 0..<3 {
            #expect(try cluster.bodies(of: place).filter { !$0.isEmpty }.count == 4)
            let chat = cluster.devices[place].zone.chat
            #expect(try chat.messages(conversation: "bob", limit: 10).count == 4)
            #expect(try chat.stats().messages == 4 && chat.stats().unread == 4 && chat.stats().segments == 1)
            #expect(cluster.devices[place].store.aside.shownCount == 0)
            #expect(cluster.devices[place].store.total.wanted.blobs == 0)
        }
    }

    enum Occasion: CaseIterable { case isForgotten, isAskedFor, afterAWeek }

    /// The writer died before anybody had the new blob. A device that kept the old one archives the rest of it when the
    /// user says so, after some minutes if a device asks for the new one, or after a week.
    @Test(arguments: Occasion.allCases) func theOthersOutliveTheirWriter(occasion: Occasion) throws {
        let cluster = try archived(3)
        let gone = Self.messages[2]
        let writer = cluster.devices[0].zone.lane
        _ = try cluster.devices[0].zone.deletions.delete(message: gone.txid, wall: Self.later)
        try cluster.devices[0].zone.commit()
        try cluster.devices[0].run(for: Self.week)
        for place in [1, 2] {
            let taker = cluster.devices[place]
            for lane in cluster.devices[0].store.vector {
                for record in try cluster.devices[0].store.records(of: lane.id) { try taker.store.put(record) }
                try taker.store.advance(lane.id, head: lane.head)
            }
            try taker.zone.commit()
            #expect(taker.store.aside.shownCount == 1)
        }
        let keeper = cluster.devices[1]
        switch occasion {
        case .isForgotten:
            try keeper.zone.devices.forget(writer, wall: Self.later)
            try keeper.zone.commit()
        case .isAskedFor:
            let wanted = try #require(try keeper.store.wanted(limit: 2).first)
            for wait in [SyncState.Limits.replacementPatience - .seconds(1), .seconds(1)] {
                try #require(keeper.store.aside.shownCount == 1)
                try keeper.run(for: wait)
                try keeper.store.noteLack(
                    of: writer, seq: wanted.record.seq, hashPrefix: wanted.blob.hash.shortPrefix)
                try keeper.zone.commit()
            }
        case .afterAWeek:
            try keeper.run(for: Self.week - .seconds(1))
            try #require(keeper.store.aside.shownCount == 1)
            try keeper.run(for: .seconds(61))
        }
        #expect(keeper.store.aside.shownCount == 0 && keeper.zone.chat.queuedCount == 5)
        try keeper.zone.cut(force: true, now: .zero)
        try keeper.zone.commit()
        cluster.devices.append(try TestZone(device: 4))
        for place in [2, 3] {
            try cluster.pull(place, from: 1)
            if occasion != .isForgotten { try cluster.devices[place].run(for: Self.week + .seconds(60)) }
            let chat = cluster.devices[place].zone.chat
            #expect(chat.queuedCount == 0 && cluster.devices[place].store.aside.shownCount == 0)
            let listed = try chat.messages(conversation: "bob", limit: 10)
            #expect(listed.map(\.message.body).sorted() == Self.messages.map(\.body).filter { $0 != gone.body })
            #expect(try chat.stats().messages == 5)
            #expect(try !cluster.bodies(of: place).contains(gone.body))
        }
    }

    @Test(arguments: ["blob SET data = zeroblob(length(data))", "superseded SET rec = x'00'"])
    func whatRottedAsideIsLetGo(_ damage: String) throws {
        let cluster = try archived(2)
        _ = try cluster.devices[0].zone.deletions.delete(message: Self.messages[0].txid, wall: Self.later)
        try cluster.devices[0].zone.commit()
        try cluster.devices[0].run(for: Self.week)
        let taker = cluster.devices[1]
        for lane in cluster.devices[0].store.vector {
            for record in try cluster.devices[0].store.records(of: lane.id) { try taker.store.put(record) }
            try taker.store.advance(lane.id, head: lane.head)
        }
        try taker.zone.commit()
        #expect(taker.store.aside.shownCount == 1)
        try taker.database.execute("UPDATE \(damage)")
        if damage.hasPrefix("superseded") {
            // Nobody can archive it again, and it triggers no further turns until it is found.
            try taker.run(for: Self.week + .seconds(60))
            try taker.store.purgeAside()
            #expect(!taker.store.hasUncommitted)
        }
        var cursor = ZoneStore.ScrubCursor()
        while try taker.store.scrub(&cursor) {}
        try taker.zone.commit()
        #expect(cursor.report.damagedBlobs == 1)
        #expect(taker.store.aside.shownCount == 0)
        #expect(try taker.zone.chat.messages(conversation: "bob", limit: 10).isEmpty)
        try cluster.pull(1, from: 0)
        #expect(try taker.zone.chat.messages(conversation: "bob", limit: 10).count == 5)
        #expect(try taker.zone.chat.stats().messages == 5 && taker.zone.chat.stats().segments == 1)
    }

    @Test func aDeviceThatWasAwayAndAnOldCopyReviveNothing() throws {
        let cluster = try archived(3)
        let old = try Database(snapshot: cluster.devices[0].database.snapshot())
        // The third device was away throughout: it has the message in its queue, and everything from before.
        _ = try cluster.devices[2].zone.accept(
            .sample(9, score: 9, blockTime: 1_700_000_000_009, body: "away"), now: .zero)
        try cluster.devices[2].zone.commit()
        try cluster.pull(0, from: 1)
        let report = try cluster.devices[0].zone.deletions.delete(conversation: "bob", wall: Self.later)
        #expect(report.messages == 6 && report.cutAnew == 1)
        try cluster.devices[0].zone.commit()
        #expect(try cluster.devices[0].zone.chat.conversationList().isEmpty)
        try cluster.pull(1, from: 0)
        // The first device is lost and comes back from the earlier copy.
        cluster.devices[0] = try TestZone(device: 1, database: old)
        #expect(try cluster.devices[0].zone.chat.stats().messages == 6)
        try cluster.settle()
        try cluster.devices[2].zone.cut(force: true, now: .zero)
        try cluster.devices[2].zone.commit()
        try cluster.settle()
        for device in cluster.devices {
            // Only a message that nobody had seen when the conversation was deleted reopens it.
            #expect(try device.zone.chat.messages(conversation: "bob", limit: 10).map(\.message.body) == ["away"])
            #expect(try device.zone.chat.stats().unread == 1)
        }
    }

    @Test func aDeviceThatIsForgottenRevivesNothing() throws {
        let cluster = try archived(3)
        _ = try cluster.devices[0].zone.deletions.delete(message: Self.messages[0].txid, wall: Self.later)
        try cluster.devices[0].zone.commit()
        _ = try cluster.devices[0].zone.deletions.delete(conversation: "bob", wall: Self.later)
        try cluster.devices[0].zone.commit()
        try cluster.pull(1, from: 0)
        try cluster.devices[1].zone.devices.forget(cluster.devices[0].zone.lane, wall: Self.later)
        try cluster.devices[1].zone.commit()
        try cluster.pull(2, from: 1)
        let newcomer = try TestZone(device: 9)
        cluster.devices = [cluster.devices[1], cluster.devices[2], newcomer]
        try cluster.settle()
        for device in cluster.devices { #expect(try device.zone.chat.stats().messages == 0) }
        let report = try cluster.devices[0].zone.deletions.delete(message: Self.messages[1].txid, wall: Self.later)
        #expect(report.staySealed == 1 && report.waitFor.isEmpty)
    }

    @Test func aLaterMessageOpensTheConversationAgain() throws {
        let cluster = try archived(2)
        let zone = cluster.devices[0].zone
        // A message in no block, by a clock that is ahead, is deleted by name and does not hide later ones.
        _ = try zone.accept(.sample(10, timestamp: 9_000_000_000, body: "ahead"), now: .zero)
        try zone.commit()
        _ = try zone.deletions.delete(conversation: "bob", wall: Self.later)
        try zone.commit()
        #expect(throws: ChatError.unknownConversation) {
            try zone.deletions.delete(conversation: "bob", wall: Self.later)
        }
        #expect(try zone.accept(.sample(11, timestamp: 1_700_000_200, body: "new"), now: .zero) == .new)
        // A message that was there is named, so a reorg that changes its time does not matter.
        let event = ChainEvent(
            txid: Self.messages[5].txid, kind: .reorg, blockTime: 1_800_000_000_000, acceptingDaaScore: 99)
        #expect(try cluster.devices[1].zone.learn(event, now: .zero) == .upgraded)
        try cluster.devices[1].zone.commit()
        try zone.cut(force: true, now: .zero)
        try zone.commit()
        try cluster.settle()
        for device in cluster.devices { try device.run(for: Self.week) }
        try cluster.settle()
        for device in cluster.devices {
            #expect(try device.zone.chat.messages(conversation: "bob", limit: 10).map(\.message.body) == ["new"])
        }
        #expect(try !cluster.bodies(of: 1).contains { $0.hasPrefix("body") })
    }
}
