import ChatTestKit
import NodeCore
import SyncState
import Testing

@testable import Chat

/// The changes that readers get when a known message's content is replaced.
@Suite struct ChangeFeedContentTests {
    private func entries(of device: TestZone, after number: UInt64) throws -> [ChangeEntry] {
        try device.zone.changes.read(after: number, limit: Chat.Limits.readChanges)
    }

    /// Two devices were given different texts of one message, or the same text in different conversations. Where the
    /// shown text changes, an app is told to read the message and both conversations again.
    @Test(arguments: [nil, "eve"], [false, true]) func anotherTextIsToldWhereItIsShown(
        conversation: String?, isArchived: Bool
    ) throws {
        let one = ChatMessage.sample(1, body: "one")
        let other = ChatMessage.sample(1, conversation: conversation ?? "bob", body: "other")
        let (loser, winner) = one.isPreferred(over: other) ? (other, one) : (one, other)
        let (home, away) = (try TestZone(device: 1), try TestZone(device: 2))
        _ = try home.zone.accept(loser, now: .zero)
        try home.zone.commit()
        if isArchived {
            try home.zone.cut(force: true, now: .zero)
            #expect(try home.zone.chat.message(loser.txid)?.message == loser)
            try home.zone.commit()
        }
        try away.archive(winner)
        let told = home.zone.changes.latest
        try home.take(from: away)
        // This happens before anybody asks.
        try home.zone.commit()
        try expect(winner, insteadOf: loser, in: entries(of: home, after: told))
        #expect(try home.zone.chat.message(loser.txid)?.message == winner)
        // The change is told once, and not where it is shown already.
        let latest = home.zone.changes.latest
        let seen = away.zone.changes.latest
        try home.zone.cut(force: true, now: .zero)
        try home.zone.commit()
        try away.take(from: home)
        #expect(try away.zone.chat.message(loser.txid)?.message == winner)
        try away.zone.commit()
        #expect(try !entries(of: home, after: latest).contains { $0.group.kind.isAboutMessages })
        #expect(try !entries(of: away, after: seen).contains { $0.group.kind.isAboutMessages })
    }

    private func expect(_ shown: ChatMessage, insteadOf former: ChatMessage, in entries: [ChangeEntry]) throws {
        let about = entries.filter { $0.group.kind.isAboutMessages }
        #expect(about.map(\.group.kind) == [.messageResolved])
        #expect(about.map(\.group.txids) == [[shown.txid]])
        #expect(about.map(\.group.conversation) == [shown.conversationID])
        guard shown.conversationID != former.conversationID else { return }
        for kind in [ChangeKind.conversation, .unread] {
            let told = entries.filter { $0.group.kind == kind }.compactMap(\.group.conversation)
            #expect(Set(told) == ["bob", "eve"], "\(kind)")
        }
    }

    /// An app gives another text for a message that is queued here, or that another device archived.
    @Test(arguments: [false, true]) func anotherTextOfAnAppIsToldWhereItIsShown(isElsewhere: Bool) throws {
        let one = ChatMessage.sample(1, body: "one")
        let other = ChatMessage.sample(1, conversation: "eve", body: "other")
        let (loser, winner) = one.isPreferred(over: other) ? (other, one) : (one, other)
        let (home, away) = (try TestZone(device: 1), try TestZone(device: 2))
        if isElsewhere {
            try away.archive(loser)
            try home.take(from: away)
        } else {
            _ = try home.zone.accept(loser, now: .zero)
        }
        try home.zone.commit()
        let told = home.zone.changes.latest
        #expect(try home.zone.accept(winner, now: .zero) == .upgraded)
        try home.zone.commit()
        try expect(winner, insteadOf: loser, in: entries(of: home, after: told))
        #expect(try home.zone.chat.message(loser.txid)?.message == winner)
        let latest = home.zone.changes.latest
        _ = try home.zone.accept(loser, now: .zero)
        try home.zone.commit()
        #expect(try !entries(of: home, after: latest).contains { $0.group.kind.isAboutMessages })
    }
}
