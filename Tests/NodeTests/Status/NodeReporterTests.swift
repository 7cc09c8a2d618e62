import NodeCore
import NodeModel
import ProcessHarness
import SyncState
import TestScale
import Testing

@testable import Chat
@testable import Node

@Suite struct NodeReporterTests {
    /// A malicious device writes any number that can be encoded.
    @Test func anyNumberIsShown() throws {
        let folder = try TemporaryFolder()
        let clock = ManualClock(now: .zero, wall: WallTime(milliseconds: 1_750_000_000_000))
        let node = try NewHome.make(
            HomeFolder(path: folder.path + "/home"), name: "laptop", nil, clock: clock, environment: Environment([:]))
        let account = node.accounts[0]
        let state = AccountState(schemaVersion: .max, createdAt: WallTime(milliseconds: .min))
        let meta = RecordMeta(type: .accountState, fields: state.encoded)
        try account.zone.store.write(meta, slotName: AccountState.slotName, kind: .register)
        try account.zone.commit()
        let details = NodeReporter(node).describe(account)
        #expect(details.schemaVersion == .max && details.createdAt == .min)
        #expect(Wording.time(WallTime(milliseconds: .min)).hasSuffix("UTC"))
        #expect(Wording.grouped(.min) == "-9,223,372,036,854,775,808")
    }
}
