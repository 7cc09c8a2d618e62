import Ledger
import NodeCore
import SyncState
import Testing

@testable import LeaderboardShare

/// How a joiner judges the answers it gets: a holder of the token is no member, and a member may lie.
@Suite("Answers to a joiner", .timeLimit(.minutes(30))) struct JoinAnswerTests {
    private let anna: GroupBench
    private let ben: GroupBench
    private let token: GroupToken
    private let attempt: JoinAttempt
    private let meeting = GroupBench.meeting()
    private let mallory = GroupBench.key("mallory")

    init() throws {
        anna = try GroupBench(founder: "anna", 1)
        ben = try anna.admit("ben", 2, with: anna.zone.invitations.invite())
        token = try anna.zone.invitations.invite(people: 12)
        try anna.turn()
        try anna.meet(ben)
        attempt = GroupBench.attempt("cleo", 3, with: token)
    }

    private var hash: [UInt8] { meeting.handshakeHash }

    /// The door's answer to a knock.
    private func answer(of bench: GroupBench, to attempt: JoinAttempt) throws -> JoinMessage {
        let knock = try #require(attempt.opened(meeting))
        return try JoinMessage(encoded: #require(try bench.zone.door.received(knock, in: meeting).message))
    }

    private func welcome(of bench: GroupBench) throws -> JoinMessage.Welcome {
        guard case .welcome(let welcome) = try answer(of: bench, to: attempt) else {
            throw GroupBench.NotWelcome(state: attempt.state)
        }
        return welcome
    }

    private func refused(
        by bench: GroupBench, _ reason: JoinRefusal, shown: [LedgerRecord]? = nil, signer: Ed25519.KeyPair? = nil
    ) -> [UInt8] {
        let signer = signer ?? bench.zone.store.device.signing
        let shown = shown ?? bench.state.path(of: bench.key)
        return JoinMessage.refused(
            JoinMessage.Refusal(
                reason: reason, lane: LaneID(signer.publicKey),
                signature: signer.sign(JoinMessage.answerMessage(hash, .refused, reason: reason.rawValue)),
                genesis: anna.zone.keys.genesis.encoded, shown: shown.map(\.encoded))
        ).encoded
    }

    private func isWaiting(_ attempt: JoinAttempt, with reason: JoinRefusal? = nil) -> Bool {
        if case .waiting(let known) = attempt.state { known == reason } else { false }
    }

    @Test("A welcome counts as it is, and not with another signature, root, genesis or path", arguments: 0..<8)
    func welcomes(change: Int) throws {
        let welcome = try welcome(of: anna)
        let other = try GroupBench(founder: "olga", 9)
        let signed = JoinMessage.answerMessage(hash, .welcome)
        let way = anna.state.path(of: anna.key).map(\.encoded)
        let (genesis, root) = (welcome.genesis, welcome.firstRoot)
        let wrong = GroupBench.seed("wrong")
        func changed(
            by lane: LaneID = welcome.lane, _ signature: [UInt8] = welcome.signature, genesis: [UInt8] = genesis,
            root: Secret = root, shown: [[UInt8]] = welcome.shown
        ) -> JoinMessage {
            .welcome(
                JoinMessage.Welcome(lane: lane, signature: signature, genesis: genesis, firstRoot: root, shown: shown))
        }
        let elsewhere = JoinMessage.answerMessage([UInt8](repeating: 8, count: 32), .welcome)
        let answers: [JoinMessage] = [
            changed(mallory.sign(signed)),
            changed(by: LaneID(mallory.publicKey), mallory.sign(signed)),
            changed(root: wrong),
            changed(genesis: other.zone.keys.genesis.encoded, root: other.zone.keys.firstRoot.secret),
            // These do not show that the joiner came in.
            changed(shown: way),
            changed(shown: []),
            changed(anna.zone.store.device.signing.sign(elsewhere)),
            changed(),
        ]
        let answer = try attempt.received(answers[change].encoded, in: meeting)
        let isRight = change == answers.count - 1
        #expect(answer.isNews == isRight)
        guard case .welcomed(let taken) = attempt.state else {
            #expect(!isRight && isWaiting(attempt))
            return
        }
        #expect(isRight && taken.keys.member == GroupBench.member("cleo", 3) && taken.group == anna.zone.zone)
    }

    @Test("A stranger refuses for nobody, whatever it shows")
    func impostors() throws {
        for reason in JoinRefusal.allCases {
            _ = try attempt.received(refused(by: anna, reason, signer: mallory), in: meeting)
            _ = try attempt.received(refused(by: anna, reason, shown: []), in: meeting)
            var bytes = refused(by: anna, reason)
            bytes[bytes.count - 1] ^= 1
            _ = try attempt.received(bytes, in: meeting)
        }
        _ = try attempt.received([], in: meeting)
        _ = try attempt.received([255, 1, 2], in: meeting)
        #expect(isWaiting(attempt))
    }

    @Test("A member's refusal is told, and the search goes on; the owner's is the end", arguments: [false, true])
    func trusted(isOwner: Bool) throws {
        for reason in [JoinRefusal.expired, .revoked, .closed, .full, .notValid] {
            let attempt = GroupBench.attempt("cleo", 3, with: token)
            _ = attempt.opened(meeting)
            _ = try attempt.received(refused(by: isOwner ? anna : ben, reason), in: meeting)
            if isOwner {
                guard case .refused(reason) = attempt.state else {
                    Issue.record("\(reason) by the owner is not final")
                    continue
                }
            } else {
                #expect(isWaiting(attempt, with: reason))
            }
        }
        _ = try attempt.received(refused(by: anna, .notReady), in: meeting)
        #expect(isWaiting(attempt, with: .notReady))
    }

    @Test("A member shows that an invitation was revoked, and that a group was closed: that is the end too")
    func proven() throws {
        try anna.zone.invitations.revoke(token.invite)
        // This keeps a door open.
        let other = try anna.zone.invitations.invite()
        try anna.turn()
        try anna.meet(ben)
        _ = try attempt.received(answer(of: ben, to: attempt).encoded, in: meeting)
        guard case .refused(.revoked) = attempt.state else {
            Issue.record("not refused: \(attempt.state)")
            return
        }
        try anna.zone.roster.close()
        try anna.turn()
        try anna.meet(ben)
        let late = GroupBench.attempt("dee", 4, with: other)
        _ = try late.received(answer(of: ben, to: late).encoded, in: meeting)
        guard case .refused(.closed) = late.state else {
            Issue.record("not refused: \(late.state)")
            return
        }
    }

    @Test("Tickets that a member calls used are tried again last; those that the owner does, never")
    func usedTickets() throws {
        func shown(_ attempt: JoinAttempt) throws -> [Int] {
            let knock = try #require(attempt.opened(meeting))
            guard case .knock(let message) = try JoinMessage(encoded: knock) else { return [] }
            return try message.enters.map { bytes in
                guard case .enter(let enter) = try LedgerRecord(encoded: bytes).act,
                    case .ticket(let ticket, _, _) = enter.entrance
                else { return -1 }
                return Int(ticket.index)
            }
        }
        let first = try shown(attempt)
        #expect(first.count == Limits.shownTickets && Set(first).count == first.count)
        _ = try attempt.received(refused(by: ben, .usedUp), in: meeting)
        let second = try shown(attempt)
        #expect(Set(second.prefix(4)).isDisjoint(with: first) && isWaiting(attempt, with: .usedUp))
        #expect(Set(first + second) == Set(0..<12))
        _ = try attempt.received(refused(by: anna, .usedUp), in: meeting)
        let third = try shown(attempt)
        #expect(third.count == 4 && Set(third).isDisjoint(with: second))
        _ = try attempt.received(refused(by: anna, .usedUp), in: meeting)
        guard case .refused(.usedUp) = attempt.state else {
            Issue.record("not refused")
            return
        }
    }

    @Test("An answer is about the tickets that were shown in its meeting, whatever was shown since in others")
    func meetings() throws {
        let (one, two) = (GroupBench.meeting(), GroupBench.meeting(9))
        _ = attempt.opened(one)
        _ = try attempt.received(refused(by: anna, .usedUp), in: one)
        // The owner's answer comes twice, the second time after the next tickets were shown elsewhere.
        _ = attempt.opened(two)
        _ = try attempt.received(refused(by: anna, .usedUp), in: one)
        #expect(isWaiting(attempt, with: .usedUp))
    }

    @Test("Each message is read as it was written, and cut ones are refused")
    func messages() throws {
        let knock = try #require(attempt.opened(meeting))
        let welcome = JoinMessage.welcome(try welcome(of: anna)).encoded
        for bytes in [knock, welcome, refused(by: ben, .full)] {
            #expect(try JoinMessage(encoded: bytes).encoded == bytes)
            for length in stride(from: 0, to: bytes.count, by: 3) {
                #expect(throws: (any Error).self) { try JoinMessage(encoded: Array(bytes.prefix(length))) }
            }
            #expect(throws: (any Error).self) { try JoinMessage(encoded: bytes + [0]) }
        }
    }
}
