import Chat
import NodeCore
import ProcessHarness
import SyncState
import TestScale
import Testing

@testable import Node

/// The recovery phrase in a home: it waits until it is confirmed, and then only those who type it can sign.
@Suite struct LocalNodeSignerTests {
    private let folder: TemporaryFolder
    private let clock = ManualClock(now: .zero, wall: WallTime(milliseconds: 1_750_000_000_000))
    private let node: LocalNode
    private var account: NodeAccount { node.accounts[0] }

    init() throws {
        folder = try TemporaryFolder()
        node = try NewHome.make(
            HomeFolder(path: folder.path + "/home"), name: "laptop", nil, clock: clock, environment: Environment([:]))
    }

    private func words() throws -> [String] { try #require(try node.phrase(of: account)) }

    private func signer(_ words: [String]) throws -> AccountSigner {
        try node.signer(of: account) { () throws(NodeError) in
            try RecoveryPhrase.signer(of: words.joined(separator: " "))
        }
    }

    private func fileHolds(_ bytes: [UInt8]) throws -> Bool {
        let file = try FileDescriptor(path: node.home.identityPath, flags: 0)
        return try file.readAll(limit: 1 << 16).firstRange(of: bytes) != nil
    }

    @Test func theWordsAreWipedOnceTwoOfThemWereTyped() throws {
        let words = try words()
        let phrase = try #require(node.identity.accounts[0].phrase)
        let entropy = phrase.withUnsafeBytes { Array($0) }
        #expect(try fileHolds(entropy))
        #expect(throws: NodeError.self) { try node.confirm(TypedWords("3 \(words[2]) 4 nothing"), at: 0) }
        #expect(try fileHolds(entropy) && node.phrase(of: account) != nil)
        try node.confirm(TypedWords("3 \(words[2]) 4 \(words[3])"), at: 0)
        #expect(try !fileHolds(entropy))
        #expect(try node.phrase(of: account) == nil)
        let again = #expect(throws: NodeError.self) {
            try node.confirm(TypedWords("3 \(words[2]) 4 \(words[3])"), at: 0)
        }
        #expect(again?.code == .notFound)
        // The account keeps working without them.
        #expect(try signer(words).keys.zone == account.zone.zone)
    }

    @Test func wordsThatAUserHasAreNeverKept() throws {
        let given = [UInt8](repeating: 9, count: 32)
        try node.add(AccountAddition(by: AccountSigner(walletKey: Secret(bytes: given))), label: "wallet")
        #expect(try !fileHolds(given))
        #expect(try node.phrase(of: node.accounts[1]) == nil)
    }

    @Test func whatIsWrongIsSaid() throws {
        let words = try words()
        try node.add(
            AccountAddition(by: AccountSigner(walletKey: Secret(bytes: .init(repeating: 9, count: 32)))), label: "b")
        let invalid = #expect(throws: NodeError.self) { try signer(Array(words.dropLast())) }
        #expect(invalid?.code == .badPhrase)
        clock.advance(by: .seconds(61))
        let known = #expect(throws: NodeError.self) {
            try node.signer(of: account) { AccountSigner(walletKey: Secret(bytes: .init(repeating: 9, count: 32))) }
        }
        #expect(known?.code == .otherAccount && known?.message.contains("of b (") == true)
        let foreign = #expect(throws: NodeError.self) {
            try node.signer(of: account) { AccountSigner(walletKey: Secret(bytes: .init(repeating: 8, count: 32))) }
        }
        #expect(foreign?.code == .otherAccount && foreign?.message.contains("does not have") == true)
    }

    @Test func afterThreeWrongTriesNobodyMayTryForAMinute() throws {
        let words = try words()
        for _ in 0..<3 {
            #expect(throws: NodeError.self) { try signer(["no"]) }
            clock.advance(by: .seconds(10))
        }
        let refused = #expect(throws: NodeError.self) { try signer(words) }
        #expect(refused?.code == .tooManyTries)
        #expect(refused?.message.contains("30 seconds") == true)
        clock.advance(by: .seconds(31))
        #expect(try signer(words).keys.zone == account.zone.zone)
        // These are two more within a minute of the other two.
        #expect(throws: NodeError.self) { try signer(["no"]) }
        #expect(throws: NodeError.self) { try signer(words) }
    }

    @Test func whoBelongsToItNeedsNotEnterAgain() throws {
        #expect(try !node.enter(account, by: signer(words())))
    }
}
