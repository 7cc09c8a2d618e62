import ChatTestKit
import NodeCore
import SyncState

@testable import Chat

/// An account's home for the door `store`.
extension TestZone: StoredDevice {
    static func filled() throws -> (device: TestZone, other: TestZone) {
        let (one, other) = (try TestZone(device: 1), try TestZone(device: 2))
        try one.zone.devices.describe(name: "phone", appVersion: "1", wall: .day(0))
        try one.zone.accountState.declare(createdAt: .day(0))
        for number: UInt64 in 1...6 {
            let conversation = number % 2 == 0 ? "bob" : "carol"
            let blockTime = 1_700_000_000_000 + number
            try one.archive(.sample(number, conversation: conversation, score: number, blockTime: blockTime))
        }
        try other.archive(.sample(20, score: 20, blockTime: 1_700_000_100_000))
        try other.read("bob", score: 2)
        _ = try one.zone.reads.markRead("carol", upTo: nil, now: .zero, wall: .day(0))
        _ = try one.zone.details.change("bob", [.title(ConversationTitle("Robert"))], wall: .day(0))
        try one.writeFact("fact")
        try one.writeBlob("note", [1, 2, 3])
        try one.meet(other)
        _ = try one.zone.deletions.delete(message: ChatMessage.sample(2).txid, wall: .day(0))
        _ = try one.zone.deletions.delete(conversation: "carol", wall: .day(0))
        _ = try one.zone.hint(Stub(txid: TxID(Bytes32(7, 7, 7, 7)), conversationID: "dave", hintedAt: .day(0)))
        for number: UInt64 in 30...33 { _ = try one.zone.accept(.sample(number), now: .zero) }
        try one.zone.chat.flush()
        try one.zone.commit()
        return (one, other)
    }

    static var derived: Set<String> { [] }

    func commit() throws { try zone.commit() }

    func opened(_ database: Database) throws -> TestZone { try TestZone(device: 1, database: database, life: 1) }

    func read() {
        for conversation in (try? zone.chat.conversationList()) ?? [] {
            _ = try? zone.chat.messages(conversation: conversation.conversationID, limit: 20)
            _ = try? zone.reads.livePosition(conversation.conversationID)
        }
        _ = try? zone.chat.stats()
        _ = try? zone.changes.read(after: 0, limit: 100)
        _ = try? zone.chat.allDetails()
        _ = try? zone.deletions.recentlyDeleted()
        _ = try? zone.devices.all(wall: .day(1))
        _ = try? zone.archive.missingSegments(limit: 20)
        _ = try? zone.archive.segments(after: nil, limit: 20)
        if let query = try? SearchQuery("text") { _ = try? MessageSearch.all(zone.chat, for: query, limit: 10) }
    }

    func write() throws {
        _ = try zone.accept(.sample(40), now: .zero)
        _ = try zone.reads.markRead("bob", upTo: nil, now: .zero, wall: .day(1))
        _ = try zone.deletions.restore(message: ChatMessage.sample(2).txid, wall: .day(1))
        _ = try zone.deletions.restore(conversation: "carol", wall: .day(1))
        try zone.cut(force: true, now: .zero)
        try zone.commit()
        try run(for: .seconds(60))
        try run(for: SyncState.Limits.keptAside)
    }

    func fault(beside other: TestZone) throws -> String? {
        for conversation in try zone.chat.conversationList() {
            let listed = try zone.chat.messages(conversation: conversation.conversationID, limit: 100)
            guard listed.count == conversation.messages else {
                return "\(conversation.messages) messages are counted, and \(listed.count) listed"
            }
            for message in listed where try zone.chat.message(message.message.txid) == nil {
                return "a message that is listed is not found"
            }
        }
        return nil
    }
}
