import Chat
import ChatTestKit
import Ledger
import NodeCore
import NodeModel
import ProcessHarness
import SyncState
import TestScale
import Testing

@testable import Node

/// The warnings of `status`, `doctor` and the dashboard about an account's members, before it hurts.
@Suite struct LedgerProblemTests {
    private let folder: TemporaryFolder
    private let clock = ManualClock(now: .zero, wall: WallTime(milliseconds: 1_750_000_000_000))
    private let node: LocalNode
    private let signer: AccountSigner
    private var account: NodeAccount { node.accounts[0] }
    private var membership: ZoneMembership { account.zone.membership }

    init() throws {
        folder = try TemporaryFolder()
        node = try NewHome.make(
            HomeFolder(path: folder.path + "/home"), name: "laptop", nil, clock: clock, environment: Environment([:]))
        signer = try RecoveryPhrase.signer(of: #require(try node.phrase(of: node.accounts[0])).joined(separator: " "))
    }

    private func problems(at index: Int = 0) throws -> [LedgerProblem: AccountProblem] {
        try node.commit()
        let said = try NodeReporter(node).status().accounts[index].problems
        return Dictionary(said.compactMap { each in LedgerProblem(rawValue: each.code).map { ($0, each) } }) { $1 }
    }

    private func device(_ number: Int) -> DeviceKeys {
        DeviceKeys(
            deviceSecret: Secret(bytes: [UInt8](repeating: UInt8(number), count: 32)),
            tag: Bytes16(1, UInt64(number)))
    }

    private func take(_ records: some Sequence<LedgerRecord>) throws {
        let taking = try membership.records.take(records.map(\.encoded))
        #expect(!taking.isForged && !taking.added.isEmpty)
    }

    @Test func manyDevicesAreSaidBeforeOneFindsNoPlace() throws {
        try take((1...46).map { signer.enter(device($0)) })
        #expect(try problems().isEmpty)
        try take([signer.enter(device(47))])
        let said = try #require(try problems()[.manyDevices])
        #expect(said.what.contains("48 of the 64 devices"))
        #expect(said.command?.contains("device remove NAME") == true)
        // A removed device makes room.
        try take([signer.remove([device(1).lane], heads: [])])
        #expect(try problems()[.manyDevices] == nil)
    }

    @Test func manyRemovalsAreSaidWhileThereAreSomeLeft() throws {
        func removal(_ number: Int) -> LedgerRecord {
            var random = SeededRandom(seed: UInt64(number))
            return signer.remove([random.identifier()], heads: [])
        }
        try take((1...191).map(removal))
        #expect(try problems()[.manyRemovals] == nil)
        try take([removal(192)])
        let said = try #require(try problems()[.manyRemovals])
        #expect(said.what.contains("192 of 256") && said.command?.contains("account renew") == true)
    }

    /// Each fresh start is let in by the one before; after 32 of them the device is out.
    @Test func aLongWayToThePersonIsSaidAndTheWordsMakeItShort() throws {
        for start in 1...24 {
            #expect(try problems()[.longWay] == nil, "\(start)")
            try account.zone.store.startAfresh(.full)
        }
        #expect(try problems()[.longWay]?.command?.contains("account enter") == true)
        #expect(try node.enter(account, by: signer))
        #expect(try problems()[.longWay] == nil)
        #expect(membership.ownStanding == .active)
        #expect(try !node.enter(account, by: signer))
        // A device that does not hear of it is out in the end.
        for _ in 1...32 { try account.zone.store.startAfresh(.full) }
        #expect(membership.ownStanding == .active && membership.wayFill?.used == 32)
        try account.zone.store.startAfresh(.full)
        #expect(membership.ownStanding == .unknown)
        #expect(try problems()[.noWay]?.command?.contains("account enter") == true)
        #expect(try node.enter(account, by: signer))
        #expect(try problems()[.noWay] == nil && membership.ownStanding == .active)
    }

    @Test func keysThatAreDueForAMinuteAreSaid() throws {
        try take([signer.enter(device(1))])
        account.zone.store.setTime(now: clock.now(), wall: clock.wall())
        try take([signer.remove([device(1).lane], heads: [])])
        clock.advance(by: .seconds(59))
        #expect(try problems()[.rotationDue] == nil)
        clock.advance(by: .seconds(2))
        let said = try #require(try problems()[.rotationDue])
        #expect(said.what.contains("due since 2025-06-15") && said.command?.contains("account rotate") == true)
        try membership.rotate()
        #expect(try problems()[.rotationDue] == nil)
    }

    /// A device that comes in by the words with no other present opens what others seal later, without the words.
    @Test func theKeyThatOpensSealsStaysUntilAnotherDeviceWasMet() throws {
        let path = folder.path + "/second"
        func holdsKey() throws -> Bool {
            let key = signer.recovery.secret.withUnsafeBytes { Array($0) }
            let file = try FileDescriptor(path: path + "/identity", flags: 0)
            return try file.readAll(limit: 1 << 16).firstRange(of: key) != nil
        }
        func saysSo(_ node: LocalNode) throws -> Bool {
            let said = try NodeReporter(node).status().accounts[0].problems
            return said.contains { $0.code == LedgerProblem.recoveryKey.rawValue }
        }
        // It opens seals, and signs nothing for the person.
        #expect(signer.recovery.publicKey != signer.keys.identity.storage)
        try NewHome.make(
            HomeFolder(path: path), name: "phone", AccountAddition(by: signer), clock: clock,
            environment: Environment([:])
        ).close()
        #expect(try holdsKey())
        try membership.rotate()
        do {
            let second = try LocalNode(home: HomeFolder(path: path), clock: clock, environment: Environment([:]))
            defer { second.close() }
            #expect(try saysSo(second))
            let zone = second.accounts[0].zone
            _ = try zone.membership.records.take(membership.records.records.map(\.encoded))
            try zone.work(now: clock.now())
            try second.commit()
            second.wipeRecoveryKeys()
            #expect(try zone.membership.epoch == 1 && holdsKey())
            zone.connectedDevices = [account.zone.lane]
            try zone.work(now: clock.now())
            try second.commit()
            second.wipeRecoveryKeys()
            #expect(try !holdsKey() && !saysSo(second))
        }
        let third = try LocalNode(home: HomeFolder(path: path), clock: clock, environment: Environment([:]))
        #expect(try !saysSo(third))
        third.close()
    }
}
