import NodeModel
import Testing

@testable import Commands
@testable import Node

/// A change is written for scripts and read by the client.
@Suite struct ChangeTests {
    private let txid = String(repeating: "ab", count: 32)

    private func text(_ change: Change) -> String { String(decoding: change.json.encoded, as: UTF8.self) }

    @Test func oneMessageIsNamedAndManyAreCounted() throws {
        var change = Change(.messageAdded, at: ChangePlace(token: "t"))
        (change.at, change.conversationId) = (7, "bob")
        (change.count, change.txids) = (1, [txid])
        let shared = "{\"at\":7,\"conversationId\":\"bob\","
        let rest = ",\"kind\":\"message-added\",\"token\":\"t\""
        #expect(text(change) == shared + "\"kind\":\"message-added\",\"token\":\"t\",\"txid\":\"\(txid)\"}")
        #expect(try Change(json: change.json) == change)
        (change.count, change.txids) = (30, [])
        #expect(text(change) == shared + "\"count\":30" + rest + "}")
        #expect(try Change(json: change.json) == change)
        (change.count, change.txids) = (2, [txid, txid])
        #expect(text(change) == shared + "\"count\":2" + rest + ",\"txids\":[\"\(txid)\",\"\(txid)\"]}")
        #expect(try Change(json: change.json) == change)
    }

    @Test func whereTheFeedIsHasNoTime() throws {
        let here = Change(.here, at: ChangePlace(token: "t"))
        #expect(text(here) == "{\"kind\":\"here\",\"token\":\"t\"}")
        #expect(try Change(json: here.json) == here)
    }
}
