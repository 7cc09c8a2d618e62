import ChatTestKit
import NodeCore
import SyncState
import Testing

@testable import Chat

@Suite struct ConversationDetailsTests {
    static func change(_ random: inout SeededRandom) throws -> ConversationChange {
        let flag = Bool.random(using: &random)
        let text = ["", "Anna", "e\u{301}", "\u{e9}", "Bo"].randomElement(using: &random) ?? ""
        return switch Int.random(in: 0..<7, using: &random) {
        case 0: .title(try ConversationTitle(text))
        case 1: .participants(try ConversationParticipants([.init(address: "kaspa:q", name: text)]))
        case 2: .pinned(flag)
        case 3: .muted(flag)
        case 4: .archived(flag)
        case 5: .markedUnread(flag)
        default: .checkpoint(try ChainCheckpoint(random.bytes(3)))
        }
    }

    private static func random(_ random: inout SeededRandom) throws -> ConversationDetails {
        var details = ConversationDetails(conversationID: "bob")
        for _ in 0..<Int.random(in: 0...6, using: &random) {
            details.apply(try change(&random), at: .day(Int.random(in: 0...1, using: &random)))
        }
        return details
    }

    @Test func theyAreAJoin() throws {
        var random = SeededRandom(seed: 3)
        for _ in 0..<1_000 {
            let (a, b, c) = (try Self.random(&random), try Self.random(&random), try Self.random(&random))
            let joined = ConversationDetails.joined([a, b, c], of: "bob")
            #expect(ConversationDetails.joined([c, a, b, a], of: "bob") == joined)
            #expect(ConversationDetails.joined([.joined([a, b], of: "bob"), c], of: "bob") == joined)
            #expect(ConversationDetails.joined([a, a], of: "bob") == a)
        }
    }

    @Test func theyComeBackAsTheyWent() throws {
        var random = SeededRandom(seed: 4)
        for _ in 0..<300 {
            let details = try Self.random(&random)
            #expect(try ConversationDetails(encoded: details.encoded) == details)
            for length in 0..<details.encoded.count {
                #expect(throws: CBORError.self) { try ConversationDetails(encoded: Array(details.encoded[..<length])) }
            }
            var changed = details.encoded
            changed[Int.random(in: 0..<changed.count, using: &random)] = UInt8.random(in: 0...255, using: &random)
            _ = try? ConversationDetails(encoded: changed)
        }
    }

    @Test func theLargestFitARecord() throws {
        var details = ConversationDetails(
            conversationID: String(repeating: "c", count: Chat.Limits.conversationIDBytes))
        let long = String(repeating: "x", count: Chat.Limits.participantBytes)
        let few = Chat.Limits.participantsBytes / (2 * Chat.Limits.participantBytes)
        let changes: [ConversationChange] = [
            .title(try ConversationTitle(String(repeating: "t", count: Chat.Limits.titleBytes))),
            .participants(try ConversationParticipants(.init(repeating: .init(address: long, name: long), count: few))),
            .pinned(true), .muted(true), .archived(true), .markedUnread(true),
            .checkpoint(try ChainCheckpoint([UInt8](repeating: 1, count: Chat.Limits.chainCheckpointBytes))),
        ]
        for change in changes { details.apply(change, at: .day(1)) }
        let zone = try TestZone(device: 1)
        #expect(try zone.zone.details.change(details.conversationID, changes, wall: .day(1)))
        try zone.zone.commit()
        #expect(try zone.zone.details.live(details.conversationID) == details)
        #expect(throws: ConversationDetailsError.titleTooLong) {
            try ConversationTitle(String(repeating: "t", count: Chat.Limits.titleBytes + 1))
        }
        #expect(throws: ConversationDetailsError.participantsTooLong) {
            try ConversationParticipants(.init(repeating: .init(address: long, name: long), count: few + 1))
        }
    }
}
