import Chat
import NodeCore
import SyncState
import Testing

@testable import Node

@Suite struct AccountNamesTests {
    private static func account(_ byte: UInt8) -> AccountID {
        AccountSigner(walletKey: Secret(bytes: [UInt8](repeating: byte, count: 32))).keys.accountID
    }

    private let names = AccountNames(entries: [(account(1), "main"), (account(2), "work"), (account(3), "old")])

    @Test func theFirstIsTheDefault() throws {
        #expect(try names.index(named: nil) == 0)
        #expect(try AccountNames(entries: []).index(named: nil) == nil)
    }

    @Test func labelIdAndPrefixName() throws {
        #expect(try names.index(named: "work") == 1)
        let id = names.entries[2].id.hex
        #expect(try names.index(named: id) == 2)
        #expect(try names.index(named: String(id.prefix(12)).uppercased()) == 2)
    }

    @Test func aLabelGoesBeforeAPrefix() throws {
        let confusing = AccountNames(entries: [
            (Self.account(1), "main"), (Self.account(2), String(Self.account(1).hex.prefix(4))),
        ])
        #expect(try confusing.index(named: String(Self.account(1).hex.prefix(4))) == 1)
    }

    @Test func whatNamesNoneOrSeveralIsRefusedWithTheList() {
        let unknown = #expect(throws: NodeError.self) { try names.index(named: "play") }
        #expect(unknown?.code == .notFound)
        #expect(unknown?.message.contains("work (\(Self.account(2).shortHex))") == true)
        let twice = AccountNames(entries: [(Self.account(1), "a"), (Self.account(1), "b")])
        let several = #expect(throws: NodeError.self) {
            try twice.index(named: String(Self.account(1).hex.prefix(4)))
        }
        #expect(several?.code == .usage)
    }
}
