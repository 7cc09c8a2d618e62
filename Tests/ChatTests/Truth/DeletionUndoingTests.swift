import ChatTestKit
import NodeCore
import SyncState
import TestScale
import Testing

@testable import Chat

/// A deletion can be undone for seven days of running time, on any device, whatever another one writes.
@Suite struct DeletionUndoingTests {
    private static let messages = (1...6).map {
        ChatMessage.sample(UInt64($0), score: UInt64($0), blockTime: 1_700_000_000_000 + UInt64($0), body: "body \($0)")
    }
    private static let bodies = messages.map(\.body)
    private static let later = WallTime(milliseconds: 1_700_000_100_000)
    private static let week = SyncState.Limits.keptAside

    private func archived(_ count: Int) throws -> TruthCluster {
        let cluster = try TruthCluster(count)
        for message in Self.messages { _ = try cluster.devices[0].zone.accept(message, now: .zero) }
        try cluster.devices[0].zone.cut(force: true, now: .zero)
        try cluster.devices[0].zone.commit()
        try cluster.settle()
        return cluster
    }

    private func shown(_ device: TestZone) throws -> [String] {
        try device.zone.chat.messages(conversation: "bob", limit: 100).map(\.message.body).sorted()
    }

    /// Writes a register as a program that follows no rule does.
    private func write(_ deletion: Deletion, on device: TestZone) throws {
        try device.store.write(
            RecordMeta(type: .deletion, fields: deletion.encoded), slotName: deletion.subject.slotName, kind: .register)
        try device.zone.commit()
    }

    @Test func aMessageComesBackAndStays() throws {
        let cluster = try archived(3)
        let gone = Self.messages[2]
        let rest = Self.bodies.filter { $0 != gone.body }
        _ = try cluster.devices[1].zone.deletions.delete(message: gone.txid, wall: Self.later)
        try cluster.devices[1].zone.commit()
        try cluster.settle()
        for device in cluster.devices {
            #expect(try shown(device) == rest)
            let recent = try device.zone.deletions.recentlyDeleted()
            #expect(recent.map(\.subject) == [.message(gone.txid)])
            #expect(recent.first?.copy == gone && recent.first?.at == Self.later && recent.first?.left == Self.week)
            try device.run(for: Self.week - .seconds(1))
        }
        #expect(try cluster.devices[2].zone.deletions.restore(message: gone.txid, wall: Self.later))
        #expect(try !cluster.devices[2].zone.deletions.restore(message: gone.txid, wall: Self.later))
        try cluster.devices[2].zone.commit()
        try cluster.settle()
        for device in cluster.devices {
            #expect(try device.zone.deletions.recentlyDeleted().isEmpty)
            try device.run(for: Self.week)
        }
        try cluster.settle()
        for device in cluster.devices {
            #expect(try shown(device) == Self.bodies)
            #expect(try device.zone.chat.stats().unread == 6)
            #expect(try device.zone.accept(gone, now: .zero) == .known)
        }
        // It is deleted once more.
        #expect(try cluster.devices[0].zone.deletions.delete(message: gone.txid, wall: Self.later).messages == 1)
        try cluster.devices[0].zone.commit()
        try cluster.settle()
        for device in cluster.devices { #expect(try shown(device) == rest) }
    }

    /// One device deleted while another undid what it knew of: only a device that knew of both decides.
    @Test func undoingGoesBeforeWhatItKnew() throws {
        let cluster = try archived(3)
        let txid = Self.messages[0].txid
        for place in [0, 1] { _ = try cluster.devices[place].zone.deletions.delete(message: txid, wall: Self.later) }
        try cluster.devices[0].zone.commit()
        try cluster.devices[1].zone.commit()
        try cluster.pull(2, from: 0)
        #expect(try cluster.devices[2].zone.deletions.restore(message: txid, wall: Self.later))
        try cluster.devices[2].zone.commit()
        try cluster.settle()
        for device in cluster.devices { #expect(try shown(device) == Self.bodies) }
    }

    /// The message was not archived, and the queue keeps it.
    @Test func aQueuedMessageComesBack() throws {
        let device = try TestZone(device: 1)
        _ = try device.zone.accept(Self.messages[0], now: .zero)
        _ = try device.zone.deletions.delete(message: Self.messages[0].txid, wall: Self.later)
        try device.zone.commit()
        #expect(try shown(device).isEmpty)
        try device.zone.cut(force: true, now: .zero)
        try device.zone.commit()
        #expect(try shown(device).isEmpty && device.zone.chat.stats().messages == 0)
        #expect(try device.zone.deletions.restore(message: Self.messages[0].txid, wall: Self.later))
        #expect(try shown(device) == ["body 1"])
        // Once its deletion is final, a queued copy goes with the others.
        _ = try device.zone.accept(Self.messages[1], now: .zero)
        _ = try device.zone.deletions.delete(message: Self.messages[1].txid, wall: Self.later)
        try device.zone.commit()
        try device.run(for: Self.week)
        #expect(device.zone.chat.queuedCount == 0)
    }

    /// An archive has the deletion without the message, so there is nothing to bring back.
    @Test func whatIsNotHereIsNotOfferedToBeBroughtBack() throws {
        let cluster = try archived(2)
        let device = try TestZone(device: 9)
        _ = try cluster.devices[0].zone.deletions.delete(message: Self.messages[1].txid, wall: Self.later)
        for deletion in try cluster.devices[0].zone.deletions.all() {
            #expect(try device.zone.deletions.adopt(deletion))
        }
        try device.zone.commit()
        #expect(try device.zone.deletions.recentlyDeleted().isEmpty)
        #expect(try device.zone.accept(Self.messages[1], now: .zero) == .deleted)
        // The message can be brought back once it is here.
        try device.take(from: cluster.devices[0])
        #expect(try device.zone.deletions.recentlyDeleted().map(\.copy) == [Self.messages[1]])
    }

    @Test func aConversationComesBackWhole() throws {
        let cluster = try archived(3)
        // This message was deleted earlier by itself, and does not come back with the others.
        _ = try cluster.devices[0].zone.deletions.delete(
            message: Self.messages[0].txid, wall: Self.later - .seconds(5))
        // A message in no block is named by itself when the conversation is deleted.
        _ = try cluster.devices[0].zone.accept(.sample(9, timestamp: 1_700_000_050, body: "loose"), now: .zero)
        try cluster.devices[0].zone.commit()
        try cluster.settle()
        _ = try cluster.devices[0].zone.deletions.delete(conversation: "bob", wall: Self.later)
        try cluster.devices[0].zone.commit()
        try cluster.devices[0].zone.cut(force: true, now: .zero)
        try cluster.devices[0].zone.commit()
        try cluster.settle()
        for device in cluster.devices {
            #expect(try shown(device).isEmpty)
            let recent = try device.zone.deletions.recentlyDeleted()
            #expect(recent.map(\.subject) == [.conversation("bob"), .message(Self.messages[0].txid)])
        }
        // The same holds after a restart.
        cluster.devices[1] = try cluster.devices[1].reopened()
        #expect(try cluster.devices[1].zone.deletions.restore(conversation: "bob", wall: Self.later) == 6)
        #expect(try cluster.devices[1].zone.deletions.restore(conversation: "bob", wall: Self.later) == nil)
        try cluster.devices[1].zone.commit()
        try cluster.settle()
        for device in cluster.devices {
            #expect(try shown(device) == (Self.bodies.dropFirst() + ["loose"]).sorted())
            #expect(try device.zone.chat.stats().unread == 6 && device.zone.chat.stats().messages == 6)
            try device.run(for: Self.week)
            #expect(try device.zone.deletions.recentlyDeleted().isEmpty)
        }
        try cluster.settle()
        for device in cluster.devices { #expect(try shown(device).count == 6) }
    }

    /// A deletion reaches no further than the message it names, and nowhere until that is here.
    @Test func aDeletionAtTheEndOfTimeDoesNothing() throws {
        let cluster = try archived(2)
        let (bad, end) = (cluster.devices[1], Chat.Limits.timeMilliseconds)
        let unknown = Deletion.Bound(through: end, named: ChatMessage.sample(77).txid)
        try write(Deletion(conversation: "bob", upTo: unknown, at: Self.later), on: bad)
        try cluster.settle()
        for device in cluster.devices { #expect(try shown(device) == Self.bodies) }
        let second = Deletion.Bound(through: end, named: Self.messages[1].txid)
        try write(Deletion(conversation: "bob", upTo: second, at: Self.later), on: bad)
        try cluster.settle()
        // Messages that come later are not deleted either.
        _ = try cluster.devices[0].zone.accept(
            .sample(20, score: 20, blockTime: 1_700_000_000_020, body: "body 20"), now: .zero)
        try cluster.devices[0].zone.cut(force: true, now: .zero)
        try cluster.devices[0].zone.commit()
        try cluster.settle()
        for device in cluster.devices {
            #expect(try shown(device) == (Self.bodies.dropFirst(2) + ["body 20"]).sorted())
        }
    }

    /// A new device hears of the deletion before it has the message that it names.
    @Test func itCountsWithTheMessageThatItNames() throws {
        let cluster = try archived(1)
        _ = try cluster.devices[0].zone.deletions.delete(conversation: "bob", wall: Self.later)
        try cluster.devices[0].zone.commit()
        let newcomer = try TestZone(device: 2)
        cluster.devices.append(newcomer)
        for lane in cluster.devices[0].store.vector {
            for record in try cluster.devices[0].store.records(of: lane.id) { try newcomer.store.put(record) }
        }
        // An earlier message had not been archived there.
        _ = try newcomer.zone.accept(.sample(30, score: 1, blockTime: 1_700_000_000_001, body: "old"), now: .zero)
        try newcomer.zone.commit()
        #expect(try shown(newcomer) == ["old"])
        cluster.devices[1] = try newcomer.reopened()
        try cluster.pull(1, from: 0)
        #expect(try shown(cluster.devices[1]).isEmpty)
    }

    /// One device takes the highest possible revision, and a correction still counts.
    @Test func revisionsAreNotUsedUp() throws {
        let cluster = try archived(3)
        let txid = Self.messages[0].txid
        let huge = Deletion(message: txid, revision: SyncState.Limits.revision, at: Self.later)
        try write(huge, on: cluster.devices[2])
        try cluster.settle()
        // It stands alone, and counts.
        for device in cluster.devices { #expect(try shown(device) == Array(Self.bodies.dropFirst())) }
        #expect(try cluster.devices[0].zone.deletions.restore(message: txid, wall: Self.later))
        try cluster.devices[0].zone.commit()
        try cluster.settle()
        for device in cluster.devices { #expect(try shown(device) == Self.bodies) }
        try write(huge, on: cluster.devices[2])
        try cluster.settle()
        for device in cluster.devices { #expect(try shown(device) == Self.bodies) }
        _ = try cluster.devices[1].zone.deletions.delete(message: txid, wall: Self.later)
        try cluster.devices[1].zone.commit()
        try cluster.settle()
        for device in cluster.devices { #expect(try shown(device) == Array(Self.bodies.dropFirst())) }
    }

    /// The segment was rewritten without the message: a device with the old one archives the body again.
    @Test(arguments: 0..<3)
    func aRemovedBodyComesBackFromAside(undoing place: Int) throws {
        let cluster = try archived(3)
        let gone = Self.messages[2]
        _ = try cluster.devices[1].zone.deletions.delete(message: gone.txid, wall: Self.later)
        try cluster.devices[1].zone.commit()
        try cluster.settle()
        for device in cluster.devices { try device.run(for: Self.week) }
        try cluster.settle()
        for index in 0..<3 {
            cluster.devices[index] = try cluster.devices[index].reopened()
            #expect(try cluster.devices[index].zone.chat.heldCopy(of: gone.txid)?.hasContent == false)
            #expect(try !cluster.bodies(of: index).contains(gone.body))
            try cluster.devices[index].run(for: Self.week - .seconds(1))
        }
        #expect(try cluster.devices[place].zone.deletions.restore(message: gone.txid, wall: Self.later))
        try cluster.devices[place].zone.commit()
        try cluster.settle()
        for device in cluster.devices {
            #expect(try shown(device) == Self.bodies && device.zone.chat.stats().messages == 6)
        }
        try cluster.devices[2].zone.cut(force: true, now: .zero)
        try cluster.devices[2].zone.commit()
        try cluster.settle()
        for device in cluster.devices {
            try device.run(for: Self.week)
            #expect(try shown(device) == Self.bodies && device.zone.chat.queuedCount == 0)
        }
    }

    /// Only one device still has the old segment, and then not even that one.
    @Test(arguments: [true, false])
    func aBodyComesBackFromAsideForSevenDays(isInTime: Bool) throws {
        let cluster = try archived(3)
        let gone = Self.messages[2]
        _ = try cluster.devices[0].zone.deletions.delete(message: gone.txid, wall: Self.later)
        try cluster.devices[0].zone.commit()
        try cluster.settle()
        for place in [0, 2] { try cluster.devices[place].run(for: Self.week) }
        try cluster.pull(2, from: 0)
        for place in [0, 2] { try cluster.devices[place].run(for: Self.week) }
        try cluster.pull(1, from: 0)
        try cluster.devices[1].run(for: isInTime ? Self.week - .seconds(1) : Self.week)
        #expect(try cluster.devices[2].zone.deletions.restore(message: gone.txid, wall: Self.later))
        try cluster.devices[2].zone.commit()
        let rest = Self.bodies.map { $0 == gone.body ? "" : $0 }.sorted()
        #expect(try shown(cluster.devices[2]) == rest)
        try cluster.settle()
        try cluster.devices[1].zone.cut(force: true, now: .zero)
        try cluster.devices[1].zone.commit()
        try cluster.settle()
        for device in cluster.devices { #expect(try shown(device) == (isInTime ? Self.bodies : rest)) }
    }

    @Test func theBodiesOfAConversationComeBackFromAside() throws {
        let cluster = try archived(2)
        _ = try cluster.devices[0].zone.deletions.delete(message: Self.messages[0].txid, wall: Self.later - .seconds(5))
        _ = try cluster.devices[0].zone.deletions.delete(conversation: "bob", wall: Self.later)
        try cluster.devices[0].zone.commit()
        try cluster.settle()
        try cluster.devices[0].run(for: Self.week)
        try cluster.pull(1, from: 0)
        #expect(try cluster.devices[1].zone.deletions.restore(conversation: "bob", wall: Self.later) == 5)
        try cluster.devices[1].zone.commit()
        #expect(try shown(cluster.devices[1]) == Array(Self.bodies.dropFirst()))
    }

    /// The writer had not heard that the deletion was undone.
    @Test func whoKnowsItIsUndoneKeepsTheBody() throws {
        let cluster = try archived(3)
        let (gone, other) = (Self.messages[2], Self.messages[3])
        for message in [gone, other] {
            _ = try cluster.devices[1].zone.deletions.delete(message: message.txid, wall: Self.later)
        }
        try cluster.devices[1].zone.commit()
        try cluster.settle()
        #expect(try cluster.devices[2].zone.deletions.restore(message: gone.txid, wall: Self.later))
        try cluster.devices[2].zone.commit()
        try cluster.pull(1, from: 2)
        try cluster.devices[0].run(for: Self.week)
        try cluster.pull(1, from: 0)
        #expect(try shown(cluster.devices[1]) == Self.bodies.filter { $0 != other.body })
        #expect(cluster.devices[1].zone.chat.queuedCount == 1)
        try cluster.settle()
        for device in cluster.devices { #expect(try shown(device) == Self.bodies.filter { $0 != other.body }) }
    }

    /// As in docs/models/lanes.py: whoever wrote what in which order, all show the same, and undoing everything with
    /// knowledge of all of it brings everything back.
    @Test(arguments: TestScale.range("CHAT_SEEDS", usual: 8, proof: 400))
    func historiesEndAlike(seed: UInt64) throws {
        var random = SeededRandom(seed: seed)
        let cluster = try archived(3)
        for step in 0..<25 {
            let device = try #require(cluster.devices.randomElement(using: &random))
            let message = try #require(Self.messages.randomElement(using: &random))
            let at = Self.later + .seconds(step)
            switch Int.random(in: 0..<9, using: &random) {
            case 0, 1: _ = try device.zone.deletions.delete(message: message.txid, wall: at)
            case 2, 3: _ = try device.zone.deletions.restore(message: message.txid, wall: at)
            case 4: _ = try? device.zone.deletions.delete(conversation: "bob", wall: at)
            case 5: _ = try device.zone.deletions.restore(conversation: "bob", wall: at)
            case 6 where device === cluster.devices[2]:
                let revision = SyncState.Limits.revision - UInt64.random(in: 0...1, using: &random)
                try write(Deletion(message: message.txid, revision: revision, at: at), on: device)
                let bound = Deletion.Bound(
                    through: Chat.Limits.timeMilliseconds,
                    named: Bool.random(using: &random) ? message.txid : ChatMessage.sample(99).txid)
                try write(Deletion(conversation: "bob", upTo: bound, revision: revision, at: at), on: device)
            case 7: try device.run(for: min(Self.week * 3 / 5, Self.week * 19 / 10 - device.store.runningTime))
            default:
                try cluster.pull(Int.random(in: 0..<3, using: &random), from: Int.random(in: 0..<3, using: &random))
            }
            try device.zone.commit()
        }
        try cluster.settle()
        let listed = try shown(cluster.devices[0])
        for device in cluster.devices { #expect(try shown(device) == listed) }
        _ = try cluster.devices[1].zone.deletions.restore(conversation: "bob", wall: Self.later)
        for message in Self.messages {
            _ = try cluster.devices[1].zone.deletions.restore(message: message.txid, wall: Self.later)
        }
        try cluster.devices[1].zone.commit()
        try cluster.settle()
        for device in cluster.devices {
            try device.zone.cut(force: true, now: .zero)
            try device.zone.commit()
        }
        try cluster.settle()
        for device in cluster.devices {
            #expect(try shown(device) == Self.bodies)
            #expect(try device.zone.deletions.recentlyDeleted().isEmpty)
            let again = try device.reopened()
            #expect(try shown(again) == Self.bodies && again.zone.chat.stats().messages == 6)
        }
    }
}
