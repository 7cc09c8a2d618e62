import NodeCore
import TestScale
import Testing

@testable import Gossip

/// A man in the middle: without equal digits no secret moves.
@Suite struct PairingMiddleTests {
    private func attacked(_ way: PairingMiddle.Way, seed: UInt64) -> PairingRoom {
        let room = PairingRoom(seed: seed)
        room.middle = PairingMiddle(way, random: &room.random)
        room.add(.gives, name: "laptop")
        room.add(.takes, name: "phone")
        room.run()
        return room
    }

    private func expectNothingMoved(_ room: PairingRoom, _ what: Comment) {
        let given: [PairingMessage] = [.genesis(PairingRoom.genesis), .secret(PairingRoom.secret)]
        #expect(!room.devices[0].said.contains(where: given.contains), what)
        #expect(room.devices[1].taken == nil, what)
        #expect(room.isOver, what)
        #expect(room.state(0) != .over(.done) && room.state(1) != .over(.done), what)
    }

    @Test(arguments: PairingMiddle.Way.allCases)
    func nothingMoves(way: PairingMiddle.Way) {
        for seed in 0..<TestScale.of(usual: 40, proof: 200) as Range<UInt64> {
            expectNothingMoved(attacked(way, seed: seed), "\(way), seed \(seed)")
        }
    }

    @Test func whoHandsOnIsFoundByTheCommitment() {
        let room = attacked(.relays, seed: 1)
        #expect(room.state(0) == .over(.noTriesLeft(.wrongCommitment)))
        #expect(room.devices[0].shown.isEmpty)
    }

    @Test func whoPlaysBothSidesShowsOtherDigits() {
        let room = attacked(.plays, seed: 2)
        #expect(room.devices[0].shown.count == 3)
        #expect(Set(room.devices[0].shown.map(\.number)).isDisjoint(with: room.devices[1].shown.map(\.number)))
    }

    /// The last two digits agree by chance in one of a hundred tries; if he could choose them, all would agree.
    @Test(arguments: [PairingMiddle.Way.plays, .grinds])
    func toSearchForANonceGainsNothing(way: PairingMiddle.Way) {
        var tries = 0
        var agreeing = 0
        for seed in 0..<300 as Range<UInt64> {
            let room = attacked(way, seed: 10_000 + seed)
            for (left, right) in zip(room.devices[0].shown, room.devices[1].shown) {
                tries += 1
                if left.number % 100 == right.number % 100 { agreeing += 1 }
            }
        }
        #expect(tries > 600)
        #expect(agreeing < tries / 25)
    }

    // MARK: One session

    private let address = SocketAddress(ipv4: 1, port: 1)

    /// A talk whose two ends have chosen each other.
    private func talk(_ role: PairingRole, _ random: inout any RandomSource) throws -> PairingTalk {
        var talk = PairingTalk(
            id: SessionID(1), address: address, role: role, subject: .account, handshakeHash: [1, 2, 3])
        let peer: PairingID = random.identifier()
        _ = try talk.received(.hello(role: role.other, subject: .account, id: peer, name: "x"), random: &random)
        _ = talk.choose(random: &random)
        return talk
    }

    @Test func theCommitmentComesBeforeAnythingIsShown() throws {
        var random: any RandomSource = SeededRandom(seed: 1)
        var talk = try talk(.gives, &random)
        #expect(try talk.received(.chosen, random: &random).isEmpty)
        #expect(throws: PairingFault.outOfOrder) { try talk.received(.nonce(.zero), random: &random) }
        let commitment = talk.proof.commitment(Bytes32(1, 2, 3, 4))
        let answer = try talk.received(.commitment(commitment), random: &random)
        guard case .nonce? = answer.first else { throw PairingFault.outOfOrder }
        #expect(throws: PairingFault.wrongCommitment) {
            try talk.received(.nonce(Bytes32(1, 2, 3, 5)), random: &random)
        }
        #expect(talk.digits == nil)
        _ = try talk.received(.nonce(Bytes32(1, 2, 3, 4)), random: &random)
        #expect(talk.digits != nil)
    }

    @Test func commitmentDigitsAndTagAreOfOneSession() {
        let (proof, other) = (PairingProof(handshakeHash: [1]), PairingProof(handshakeHash: [2]))
        let (nonce, theirs) = (Bytes32(1, 2, 3, 4), Bytes32(5, 6, 7, 8))
        #expect(proof.commitment(nonce) != other.commitment(nonce))
        let digits = proof.digits(giversNonce: nonce, takersNonce: theirs)
        #expect(digits != other.digits(giversNonce: nonce, takersNonce: theirs))
        #expect(digits != proof.digits(giversNonce: theirs, takersNonce: nonce), "the sides are not exchanged")
        #expect(proof.tag != other.tag)
    }

    @Test func whoTakesShowsItsNonceOnlyForTheOtherOne() throws {
        var random: any RandomSource = SeededRandom(seed: 1)
        var talk = try talk(.takes, &random)
        let answer = try talk.received(.chosen, random: &random)
        guard case .commitment(let commitment)? = answer.first, answer.count == 1 else { throw PairingFault.outOfOrder }
        let shown = try talk.received(.nonce(.zero), random: &random)
        guard case .nonce(let nonce)? = shown.first else { throw PairingFault.outOfOrder }
        #expect(talk.proof.commitment(nonce) == commitment)
        // Nothing is accepted before this device's own user has consented.
        _ = try talk.received(.consent, random: &random)
        #expect(throws: PairingFault.outOfOrder) { try talk.received(.genesis([1]), random: &random) }
        #expect(talk.due == nil)
        #expect(talk.confirm() == [.consent])
        // The endorsement comes only for a lane that was shown.
        #expect(throws: PairingFault.outOfOrder) { try talk.received(.secret([1]), random: &random) }
        _ = try talk.received(.genesis([1]), random: &random)
        #expect(talk.due == .lane(genesis: [1]))
        #expect(throws: PairingFault.outOfOrder) { try talk.received(.secret([1]), random: &random) }
        #expect(talk.contribute(.lane(PairingRoom.lane(of: 1))) == [.lane(PairingRoom.lane(of: 1))])
        #expect(talk.due == nil)
        #expect(throws: PairingFault.outOfOrder) { try talk.received(.genesis([1]), random: &random) }
        _ = try talk.received(.secret([2]), random: &random)
        #expect(talk.due == .keeping([2]))
    }
}
