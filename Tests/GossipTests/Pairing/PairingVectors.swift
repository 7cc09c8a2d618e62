import NodeCore
import VectorPages

@testable import Gossip

extension VectorPage {
    /// docs/PROTOCOL-JOINING.md, section 14.
    mutating func addPairing() {
        let hash = [UInt8](repeating: 0x33, count: 32)
        let (giversNonce, takersNonce) = (Bytes32(1, 2, 3, 4), Bytes32(5, 6, 7, 8))
        let proof = PairingProof(handshakeHash: hash)
        section("pairing")
        add("K_disc(pairing)", PairingKeys.discovery)
        add("psk(pairing)", PairingKeys.session)
        add("digest of who gives", PairingKeys.digest(.gives).bytes)
        add("digest of who takes", PairingKeys.digest(.takes).bytes)
        add("h", hash)
        add("N_A", giversNonce.bytes)
        add("N_B", takersNonce.bytes)
        add("commitment", proof.commitment(takersNonce).bytes)
        add("digits", text: proof.digits(giversNonce: giversNonce, takersNonce: takersNonce).text)
        add("tag", text: proof.tag)
        let id = PairingID(Bytes16(15, 16))
        add("id", id.bytes)
        add("PAIR", PairingMessage.hello(role: .takes, subject: .account, id: id, name: "Grüße 🦊").encoded)
        add("CHOSEN", PairingMessage.chosen.encoded)
        add("COMMIT", PairingMessage.commitment(proof.commitment(takersNonce)).encoded)
        add("NONCE", PairingMessage.nonce(giversNonce).encoded)
        add("CONSENT", PairingMessage.consent.encoded)
        add("GENESIS", PairingMessage.genesis([1, 2, 3]).encoded)
        let lane = PairingLane(lane: LaneID(Bytes32(17, 18, 19, 20)), sealKey: Bytes32(21, 22, 23, 24))
        add("LANE", PairingMessage.lane(lane).encoded)
        add("SECRET", PairingMessage.secret([1, 2, 3]).encoded)
        add("TAKEN", PairingMessage.taken(path: [1, 2, 3]).encoded)
        add("REFUSE", PairingMessage.refused(.digitsDiffer).encoded)
    }
}
