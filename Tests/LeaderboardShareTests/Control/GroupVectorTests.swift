import Foundation
import NodeCore
import Testing

@testable import LeaderboardShare

/// Worked examples for a second implementation: from fixed secrets, the bytes that follow. They change only with the
/// format's version.
@Suite("Worked examples of groups") struct GroupVectorTests {
    private func pair(_ byte: UInt8) -> Ed25519.KeyPair {
        Ed25519.KeyPair(seed: Secret(bytes: Array(repeating: byte, count: 32)))
    }

    @Test("Genesis, invitation, token, admission and score from seeds of equal bytes")
    func examples() throws {
        let (owner, joiner) = (pair(1), pair(2))
        let (ownerID, joinerID) = (MemberID(owner.publicKey), MemberID(joiner.publicKey))
        let root = Secret(bytes: Array(repeating: 3, count: 32))
        let created = WallTime(milliseconds: 1_735_689_600_000)
        let beginning = Genesis(
            random: try #require(Bytes16(bytes: Array(repeating: 4, count: 16))), createdAt: created, memberLimit: 500,
            rootCommitment: Genesis.commitment(to: root))
        let group = beginning.groupID(owner: ownerID)
        let genesis = ControlRecord(
            group: group, by: ownerID, under: .zero, claimedAt: created, nonce: 0, act: .genesis(beginning),
            sign: owner.sign)
        let secret = try #require(TokenSecret(bytes: Secret(bytes: Array(repeating: 5, count: 16))))
        let link = Delegation(role: .member, expiresSeconds: 1_767_225_600, key: secret.key.publicKey)
        let invite = ControlRecord(
            group: group, by: ownerID, under: genesis.hash, claimedAt: created, nonce: 1, act: .invite(link),
            sign: owner.sign)
        let token = try GroupToken(
            group: group, issuer: ownerID, title: "Family", rendezvous: Array(repeating: 6, count: 16), link: link,
            secret: secret, hints: [SocketAddress(ipv4: 0x7F00_0001, port: 4_711)], sign: owner.sign)
        let admission = ControlRecord(
            group: group, by: ownerID, under: invite.hash, claimedAt: created, nonce: 2,
            act: .admission(token.admission(of: joinerID)), sign: owner.sign)
        let score = try DailyScore(
            member: joinerID, day: Day(created), game: GameID(Bytes16(0x0102_0304_0506_0708, 9)), gameName: "Wordle",
            score: 3, maxAttempts: 6, currentStreak: 12, updatedAt: created)

        for record in [genesis, invite, admission] { _ = try ControlRecord(encoded: record.encoded) }
        let state = GroupState(group: group, records: [admission, invite, genesis])
        #expect(state.members == [ownerID: .owner, joinerID: .member])
        #expect(state.invitation(of: token.chain[0], by: token.issuer)?.hash == invite.hash)
        let made = [
            "owner": ownerID.hex, "joiner": joinerID.hex, "group": group.hex,
            "genesis": Hex.encode(genesis.encoded), "genesisHash": genesis.hash.hex,
            "invite": Hex.encode(invite.encoded), "inviteHash": invite.hash.hex, "token": token.text,
            "admission": Hex.encode(admission.encoded), "admissionHash": admission.hash.hex,
            "controlDigest": state.controlDigest.hex, "score": Hex.encode(score.encoded),
            "scoreHash": score.valueHash.hex,
        ]
        let url = try #require(Bundle.module.resourceURL).appendingPathComponent("Vectors/groups.json")
        let expected = try JSONDecoder().decode([String: String].self, from: Data(contentsOf: url))
        for (name, value) in made { #expect(expected[name] == value, "\(name)") }
        #expect(try GroupToken(text: #require(expected["token"])).group == group)
    }
}
