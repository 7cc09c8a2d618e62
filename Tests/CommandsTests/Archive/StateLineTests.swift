import Chat
import NodeCore
import NodeModel
import SyncState
import Testing

@testable import Commands
@testable import Node

@Suite struct StateLineTests {
    private let txid = TxID(Bytes32(1, 2, 3, 4))

    @Test func whatIsWrittenIsRead() throws {
        let bounds = [
            ReadBound(txid: txid, acceptingDaaScore: 77, timeMilliseconds: 1_700_000_000_000),
            ReadBound(txid: .zero, timeMilliseconds: 5),
        ]
        for bounds in [[], [bounds[0]], bounds] {
            for named in [[], [txid, .zero]] {
                let marker = ReadMarker(
                    conversationID: "a \"kind\": of\n", bounds: bounds, named: named, readAt: WallTime(milliseconds: 9))
                let line = StateLine.read(marker).json.encoded
                #expect(StateLine.isOne(line))
                #expect(try StateLine(json: line) == .read(marker))
            }
        }
    }

    @Test func readsOfOlderPrograms() throws {
        let line = """
            {"kind": "read", "conversationId": "bob", "txid": "\(txid.hex)", "readAt": 9, "blockTime": 8,
             "acceptingDaaScore": 77, "scoreTxid": "\(TxID(Bytes32(5, 5, 5, 5)).hex)", "time": 8}
            """
        let bounds = [
            ReadBound(txid: TxID(Bytes32(5, 5, 5, 5)), acceptingDaaScore: 77, timeMilliseconds: 0),
            ReadBound(txid: txid, timeMilliseconds: 8),
        ]
        let marker = ReadMarker(conversationID: "bob", bounds: bounds, readAt: WallTime(milliseconds: 9))
        #expect(try StateLine(json: Array(line.utf8)) == .read(marker))
    }

    @Test func deletions() throws {
        let at = WallTime(milliseconds: 1_700_000_000_001)
        let bound = Deletion.Bound(through: 1_700_000_000_000, named: txid)
        for deletion in [Deletion(message: txid, at: at), Deletion(conversation: "a\"b", upTo: bound, at: at)] {
            let line = StateLine.deleted(deletion).json.encoded
            #expect(StateLine.isOne(line))
            #expect(try StateLine(json: line) == .deleted(deletion))
        }
        // Archives of version 1 have this form.
        let old = try StateLine(json: Array("{\"kind\":\"deleted\",\"conversationId\":\"a\",\"through\":7}".utf8))
        let unnamed = Deletion.Bound(through: 7, named: .zero)
        #expect(old == .deleted(Deletion(conversation: "a", upTo: unnamed, at: WallTime(milliseconds: 0))))
        for bad in ["{\"kind\":\"deleted\"}", "{\"kind\":\"deleted\",\"conversationId\":\"a\"}"] {
            #expect(throws: FieldError.self) { try StateLine(json: Array(bad.utf8)) }
        }
    }

    @Test func details() throws {
        var details = ConversationDetails(conversationID: "a\"b")
        let wall = WallTime(milliseconds: 1_700_000_000_000)
        #expect(try StateLine(json: StateLine.details(details).json.encoded) == .details(details))
        let changes: [ConversationChange] = [
            .title(try ConversationTitle("grüße \"kind\":\n")), .pinned(true), .muted(true), .archived(true),
            .markedUnread(true), .checkpoint(try ChainCheckpoint([0, 255, 7])),
            .participants(try ConversationParticipants([.init(address: "kaspa:1", name: "Ada"), .init(address: "2")])),
        ]
        for change in changes {
            details.apply(change, at: wall)
            let line = StateLine.details(details).json.encoded
            #expect(StateLine.isOne(line))
            #expect(try StateLine(json: line) == .details(details))
        }
        details.apply(.pinned(false), at: wall + .seconds(5))
        #expect(try StateLine(json: StateLine.details(details).json.encoded) == .details(details))
        #expect(details.isPinned?.revision == 2)
    }

    @Test func aMessageIsNone() {
        let body = "they say {\"kind\":\"read\"} to all"
        let line = JSONValue.object(["body": .string(body), "txid": .string(txid.hex)]).encoded
        #expect(!StateLine.isOne(line))
    }

    @Test(arguments: [
        ("{\"kind\":\"song\"}", "`song`"), ("{\"kind\":\"read\"}", "conversationId"), ("{\"kind\":", "not a JSON"),
        ("{\"kind\":\"read\",\"conversationId\":\"\"}", "conversationId"),
        ("{\"kind\":\"read\",\"conversationId\":\"a\",\"txid\":\"00\"}", "txid"),
        ("{\"kind\":\"read\",\"conversationId\":\"a\",\"time\":-1}", "time"),
        ("{\"kind\":\"read\",\"conversationId\":\"a\",\"acceptingDaaScore\":1}", "scoreTxid"),
        ("{\"kind\":\"read\",\"conversationId\":\"a\",\"time\":281474976710656}", "time"),
        ("{\"kind\":\"read\",\"conversationId\":\"a\",\"upTo\":7}", "upTo"),
        ("{\"kind\":\"read\",\"conversationId\":\"a\",\"upTo\":[{\"time\":7}]}", "txid"),
        ("{\"kind\":\"read\",\"conversationId\":\"a\",\"upTo\":[{}]}", "time"),
        ("{\"kind\":\"conversation\"}", "conversationId"),
        ("{\"kind\":\"conversation\",\"conversationId\":\"a\",\"pinned\":true}", "pinned"),
        (
            "{\"kind\":\"conversation\",\"conversationId\":\"a\",\"muted\":{\"value\":1,\"revision\":1,\"at\":0}}",
            "muted"
        ),
        (
            "{\"kind\":\"conversation\",\"conversationId\":\"a\",\"title\":{\"value\":\"t\",\"revision\":0,\"at\":0}}",
            "title"
        ),
    ]) func badLines(line: String, reason: String) {
        do throws(FieldError) {
            _ = try StateLine(json: Array(line.utf8))
            Issue.record("taken: \(line)")
        } catch {
            #expect(error.description.contains(reason))
        }
    }
}
