import Ledger
import NodeCore
import VectorPages

@testable import Chat
@testable import Gossip
@testable import SyncState

/// Worked examples of an account's records other than messages and read markers.
extension MessageVectorTests {
    func addStateRecords(_ page: inout VectorPage, _ records: [Record]) throws {
        let state = AccountState(createdAt: WallTime(milliseconds: 1_700_000_000_789))
        _ = add(
            &page, "account state", 6, RecordMeta(type: .accountState, fields: state.encoded), AccountState.slotName,
            .register)
        var details = ConversationDetails(conversationID: "c1")
        let wall = WallTime(milliseconds: 1_700_000_001_000)
        for change in [
            .title(try ConversationTitle("Grüße 🦊")), .pinned(true), .muted(true), .muted(false),
            .participants(try ConversationParticipants([.init(address: "kaspa:a", name: "Ada")])),
            .checkpoint(try ChainCheckpoint([0, 255])),
        ] as [ConversationChange] {
            details.apply(change, at: wall)
        }
        _ = add(
            &page, "conversation", 7, RecordMeta(type: .conversation, fields: details.encoded), details.slotName,
            .register)
        let facts = ChainFacts(Self.facts)
        _ = add(
            &page, "chain facts", 8, RecordMeta(type: .chainFacts, tag: Self.tag, fields: facts.encoded), "facts",
            .immutable)
        for (number, deletion) in [
            Deletion(message: TxID(Bytes32(1, 1, 1, 1)), at: WallTime(milliseconds: 1_700_000_004_000)),
            Deletion(
                conversation: "c1",
                upTo: Deletion.Bound(through: 1_700_000_003_000, named: TxID(Bytes32(1, 1, 1, 1))), revision: 2,
                at: WallTime(milliseconds: 1_700_000_004_000)),
        ].enumerated() {
            _ = add(
                &page, "deletion \(number + 1)", UInt64(9 + number),
                RecordMeta(type: .deletion, fields: deletion.encoded), deletion.subject.slotName, .register)
        }
        let given = GivenName(device: device.lane, name: "Grüße 🦊", revision: 2)
        _ = add(
            &page, "given name", 11, RecordMeta(type: .givenName, fields: given.encoded), given.slotName, .register)
        let list = RowList(rows: 1...5)
        _ = add(
            &page, "list", 14, RecordMeta(type: .rowList, tag: Self.tag, fields: list.encoded), RowList.slotName,
            .immutable
        ) { _ in RowList.blob(records.map(\.hash.prefix).sorted()[...]) }
    }
}
