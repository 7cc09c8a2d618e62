import Chat
import LeaderboardShare
import Ledger
import NodeCore
import ProcessHarness
import SyncState
import TestScale
import Testing

@testable import Gossip
@testable import Node

#if canImport(Glibc)
    import Glibc
#endif

/// A device is let into an account by another one, without words.
@Suite struct AccountApplicantTests {
    private let folder: TemporaryFolder
    private let giver: LocalNode
    private let taker: LocalNode
    private var zone: AccountZone { giver.accounts[0].zone }

    init() throws {
        folder = try TemporaryFolder()
        let clock = ManualClock(now: .zero, wall: WallTime(milliseconds: 1_750_000_000_000))
        func node(_ name: String, in folder: TemporaryFolder) throws -> LocalNode {
            try NewHome.make(
                HomeFolder(path: folder.path + "/" + name), name: name, nil, clock: clock,
                environment: Environment([:]))
        }
        giver = try node("giver", in: folder)
        taker = try node("taker", in: folder)
    }

    private func applicant() throws -> AccountApplicant {
        try AccountApplicant(genesis: zone.keys.genesis.encoded, deviceSecret: taker.identity.deviceSecret)
    }

    private func answer(_ lane: PairingLane, path: [UInt8]? = nil) -> PairedSecret.Account {
        PairedSecret.Account(
            endorser: zone.lane, endorsement: zone.membership.endorse(lane.lane, sealKey: lane.sealKey),
            path: path ?? zone.membership.path, firstRoot: zone.keys.firstRoot.secret)
    }

    @Test func itBelongsToTheAccountAtOnce() throws {
        let applicant = try applicant()
        let sent = PairedSecret.account(answer(applicant.lane)).encoded
        guard case .account(let read) = try PairedSecret(decoding: sent) else { throw PairingFault.malformed }
        let account = try taker.add(try applicant.addition(read), label: "theirs")
        #expect(account.zone.lane == applicant.lane.lane)
        #expect(account.zone.membership.ownStanding == .active)
        #expect(account.accountID == giver.accounts[0].accountID)
        #expect(try taker.phrase(of: account) == nil)
        // No part of the transferred data is the phrase.
        let entropy = try #require(giver.identity.accounts[0].phrase).withUnsafeBytes { Array($0) }
        #expect((zone.keys.genesis.encoded + sent).firstRange(of: entropy) == nil)
    }

    /// The giver was let in by a removed device that the longest Remove names, and is the last that may let others in.
    @Test func theLongestWayFitsIntoAMessage() throws {
        let membership = zone.membership
        let words = try #require(try giver.phrase(of: giver.accounts[0])).joined(separator: " ")
        let signer = try RecoveryPhrase.signer(of: words)
        let first = zone.lane
        try zone.store.startAfresh(.full)
        let child = try #require(membership.state.entrance(of: membership.own))
        var random = SeededRandom(seed: 1)
        let remove = Remove(
            lanes: [first] + (1..<Ledger.Limits.removedLanes).map { _ in random.identifier() },
            heads: (1..<Ledger.Limits.removeNames).map { _ in random.identifier() }, children: [child])
        let taking = try membership.records.take([signer.record(of: remove).encoded])
        #expect(taking.added.count == 1)
        while let way = membership.wayFill, way.used < way.most - 1 { try zone.store.startAfresh(.full) }
        #expect(membership.ownStanding == .active)
        let path = membership.path
        #expect(ZoneMembership.decode(path)?.count == 33)

        let applicant = try applicant()
        let sent = PairingMessage.secret(PairedSecret.account(answer(applicant.lane)).encoded)
        guard case .secret(let bytes) = try PairingMessage(decoding: sent.encoded),
            case .account(let read) = try PairedSecret(decoding: bytes)
        else { throw PairingFault.malformed }
        let account = try taker.add(try applicant.addition(read), label: "theirs")
        #expect(account.zone.membership.ownStanding == .active)
    }

    @Test func anAnswerForAnotherLaneIsRefused() throws {
        let (one, other) = (try applicant(), try applicant())
        #expect(one.lane != other.lane)
        let error = #expect(throws: NodeError.self) { try one.addition(answer(other.lane)) }
        #expect(error?.message.contains("did not let this one in") == true)
    }

    /// A signature by somebody outside the account lets nobody in.
    @Test func anEndorserThatLeadsNowhereIsRefused() throws {
        for path in [[], zone.keys.genesis.encoded, [0x84]] as [[UInt8]] {
            let applicant = try applicant()
            let addition = try applicant.addition(answer(applicant.lane, path: path))
            let error = #expect(throws: NodeError.self) { try taker.add(addition, label: nil) }
            #expect(error?.code == .notAllowed)
            #expect(taker.accounts.count == 1)
            #expect(!Files.exists(taker.home.databasePath(of: applicant.zone)))
        }
    }

    /// A failed attempt deletes a store only if it, or an interrupted attempt, made it.
    @Test(arguments: [false, true]) func aFailureKeepsAStoreFromBefore(isUnlisted: Bool) throws {
        let applicant = try applicant()
        let path = try taker.add(try applicant.addition(answer(applicant.lane)), label: "theirs").path
        #expect(!Files.exists(taker.home.unlistedMark(of: applicant.zone)))
        try taker.change { $0.accounts.removeLast() }
        taker.arrange()
        if isUnlisted { try Files.replace(taker.home.unlistedMark(of: applicant.zone), with: []) }
        #expect(taker.home.isFree(applicant.zone) == isUnlisted)
        // The identity cannot be written.
        try #require(unlink(taker.home.identityPath) == 0 && mkdir(taker.home.identityPath, 0o700) == 0)
        let addition = try applicant.addition(answer(applicant.lane))
        #expect(throws: NodeError.self) { try taker.add(addition, label: nil) }
        #expect(Files.exists(path) == !isUnlisted)
    }

    @Test func whatIsNoAccountIsRefused() throws {
        let enter = Array(zone.membership.path)
        for bytes in [[], [0], enter, Array(zone.keys.genesis.encoded.dropLast())] as [[UInt8]] {
            #expect(throws: NodeError.self) {
                try AccountApplicant(genesis: bytes, deviceSecret: taker.identity.deviceSecret)
            }
        }
    }

    @Test func aSecretThatIsCutOrLongerIsRefused() throws {
        let bytes = PairedSecret.account(answer(try applicant().lane)).encoded
        for count in 0..<bytes.count {
            #expect(throws: NodeError.self) { try PairedSecret(decoding: Array(bytes[..<count])) }
        }
        #expect(throws: NodeError.self) { try PairedSecret(decoding: bytes + [0]) }
    }
}
