import NodeCore
import TestScale
import Testing

@testable import LeaderboardShare

@Suite("Control records") struct ControlRecordTests {
    private let owner = Ed25519.KeyPair(seed: Secret(bytes: Array(repeating: 1, count: 32)))
    private let other = Ed25519.KeyPair(seed: Secret(bytes: Array(repeating: 2, count: 32)))
    private let beginning = Genesis(
        random: Bytes16.zero, createdAt: WallTime(milliseconds: 1_700_000_000_000), memberLimit: 500,
        rootCommitment: Bytes32(1, 2, 3, 4))

    private var ownerID: MemberID { MemberID(owner.publicKey) }
    private var group: ZoneID { beginning.groupID(owner: ownerID) }
    private var genesis: ControlRecord {
        ControlRecord(
            group: group, by: ownerID, under: .zero, claimedAt: beginning.createdAt, nonce: 0,
            act: .genesis(beginning), sign: owner.sign)
    }

    private func record(_ act: ControlAct, sign: (([UInt8]) -> [UInt8])? = nil) -> ControlRecord {
        ControlRecord(
            group: group, by: ownerID, under: genesis.hash, claimedAt: WallTime(milliseconds: -5), nonce: 7, act: act,
            sign: sign ?? owner.sign)
    }

    private func names(_ count: Int) -> NameSet {
        NameSet((0..<count).map { RecordHash(Bytes32(UInt64($0), 0, 0, 9)) })
    }

    private var acts: [ControlAct] {
        let member = MemberID(other.publicKey)
        let link = Delegation(role: .member, expiresSeconds: 99, uses: 3, key: other.publicKey)
        let narrowed = Delegation(role: .viewer, expiresSeconds: 98, uses: 3, key: owner.publicKey)
        let message = narrowed.signedMessage(group: group, after: link.key)
        let proof = owner.sign(Delegation.joinMessage(group: group, joiner: member))
        let admission = Admission(
            subject: member, chain: [link, narrowed], linkSignatures: [other.sign(message)], proof: proof)
        let acceptance = Transfer.acceptanceMessage(
            group: group, giving: genesis.hash, from: ownerID, to: member)
        return [
            .grant(to: member, role: .admin, follows: names(2)), .invite(link), .admission(admission),
            .certificate(device: LaneID(other.publicKey), index: 15), .suspend(member), .unsuspend(names(1)),
            .remove(member, staying: names(32)), .remove(member, staying: names(33)),
            .demote(member, to: .viewer, staying: names(0)), .revoke(invitation: genesis.hash, staying: names(400)),
            .keep(ownership: genesis.hash, staying: names(3)),
            .transfer(Transfer(to: member, acceptance: other.sign(acceptance), staying: names(3))),
            .title(GroupTitle(number: 3, title: "Family 🎲", description: "every\nday")),
            .rotate(
                Rotation(
                    number: 4, commitment: .zero, previous: genesis.hash, sealedPrevious: [1, 2], follows: names(5))),
            .seal(root: genesis.hash, to: member, sealed: [9, 9]), .close,
            .later(kind: 77, fields: [1, 2, 3]),
        ]
    }

    @Test("Each kind is read as it was written, and its bytes are the only ones")
    func roundTrip() throws {
        for record in [genesis] + acts.map({ self.record($0) }) {
            let again = try ControlRecord(encoded: record.encoded, names: record.externalNames)
            #expect(again.hash == record.hash && again.act == record.act && again.encoded == record.encoded)
            #expect(again.claimedAt == record.claimedAt && again.under == record.under)
            let digest = ControlRecord.digestOfExternalNames(encoded: record.encoded)
            #expect(digest == record.externalNames.map(ControlAct.digest(ofNames:)))
            #expect(record.encoded.count <= Limits.controlRecordBytes)
        }
    }

    @Test("No byte can be changed, cut or added")
    func tampering() throws {
        for record in [genesis] + acts.map({ self.record($0) }) {
            let bytes = record.encoded
            for index in stride(from: 0, to: bytes.count, by: 7) {
                var changed = bytes
                changed[index] ^= 1
                #expect(throws: ControlError.self) {
                    try ControlRecord(encoded: changed, names: record.externalNames)
                }
            }
            #expect(throws: ControlError.self) {
                try ControlRecord(encoded: Array(bytes.dropLast()), names: record.externalNames)
            }
            #expect(throws: ControlError.self) {
                try ControlRecord(encoded: bytes + [0], names: record.externalNames)
            }
        }
    }

    @Test("A foreign signature, a foreign genesis, a missing acceptance, a missing proof")
    func authenticity() {
        #expect(throws: ControlError.badSignature) {
            try ControlRecord(encoded: record(.close, sign: other.sign).encoded)
        }
        let foreign = ControlRecord(
            group: ZoneID(.zero), by: ownerID, under: .zero, claimedAt: beginning.createdAt, nonce: 0,
            act: .genesis(beginning), sign: owner.sign)
        #expect(throws: ControlError.wrongGroup) { try ControlRecord(encoded: foreign.encoded) }
        let alone = record(
            .transfer(
                Transfer(to: MemberID(other.publicKey), acceptance: Array(repeating: 0, count: 64), staying: .empty)))
        #expect(throws: ControlError.badSignature) { try ControlRecord(encoded: alone.encoded) }
        let link = Delegation(role: .member, key: other.publicKey)
        let stolen = Admission(
            subject: ownerID, chain: [link], linkSignatures: [],
            proof: owner.sign(Delegation.joinMessage(group: group, joiner: ownerID)))
        #expect(throws: ControlError.badChain) { try ControlRecord(encoded: record(.admission(stolen)).encoded) }
    }

    @Test("Names that travel beside a record are exactly those that it commits to")
    func externalNames() {
        let record = record(.remove(MemberID(other.publicKey), staying: names(40)))
        #expect(throws: ControlError.wrongNames) { try ControlRecord(encoded: record.encoded) }
        #expect(throws: ControlError.wrongNames) {
            try ControlRecord(encoded: record.encoded, names: names(41).encoded)
        }
        #expect(NameSet(encoded: names(3).encoded.reversed()) == nil)
        #expect(NameSet(encoded: [1, 2, 3]) == nil)
    }

    @Test("Titles are one line that controls no terminal")
    func titles() {
        let bad = ["", "a\u{1B}[2J", "a\nb", "a\u{202E}b", String(repeating: "x", count: 81)]
        for title in bad {
            let record = record(.title(GroupTitle(number: 1, title: title)))
            #expect(throws: ControlError.badTitle) { try ControlRecord(encoded: record.encoded) }
        }
    }

    @Test("A later format is told apart from nonsense, and nothing traps on random bytes")
    func hostile() {
        var random = SeededRandom(seed: 5)
        var bytes = genesis.encoded
        #expect(bytes[4] == 0x88 || bytes[3] == 0x88)
        let version = (bytes.firstIndex(of: 0x88) ?? 0) + 1
        bytes[version] = 2
        #expect(throws: ControlError.laterFormat) { try ControlRecord(encoded: bytes) }
        for _ in 0..<TestScale.of(usual: 500, proof: 5_000) {
            var bytes = record(acts[Int.random(in: 0..<acts.count, using: &random)], sign: { _ in [] }).encoded
            for _ in 0..<3 {
                bytes[Int.random(in: 0..<bytes.count, using: &random)] = UInt8.random(in: 0...255, using: &random)
            }
            #expect(throws: ControlError.self) { try ControlRecord(encoded: bytes) }
        }
        for count in 0..<300 {
            #expect(throws: ControlError.self) { try ControlRecord(encoded: random.bytes(count)) }
        }
        #expect(throws: ControlError.tooLong) { try ControlRecord(encoded: random.bytes(5_000)) }
    }
}
