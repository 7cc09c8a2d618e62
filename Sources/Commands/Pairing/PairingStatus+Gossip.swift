import Gossip
import Node
import NodeCore
import NodeModel

extension PairingStatus {
    init(_ pairing: Pairing?, now: MonotonicTime) {
        self.init()
        guard let pairing else {
            state = "none"
            return
        }
        triesLeft = max(0, pairing.triesLeft)
        peers = pairing.candidates.map { candidate in
            var peer = PairingPeer()
            (peer.name, peer.tag) = (candidate.name, candidate.tag)
            return peer
        }
        if !pairing.isOver { secondsLeft = Int(max(.zero, pairing.expiresAt - now).components.seconds) }
        lastTry = pairing.lastFault?.sentence
        switch pairing.state {
        case .seeking: state = "seeking"
        case .choosing: state = "choosing"
        case .waiting(let peer):
            state = "waiting"
            tell(of: peer)
        case .comparing(let peer, let digits, let isConfirmed):
            state = isConfirmed ? "confirmed" : "comparing"
            self.digits = digits.text
            tell(of: peer)
        case .moving(let peer):
            state = "moving"
            tell(of: peer)
        case .over(.done): state = "done"
        case .over(let end):
            state = "over"
            reason = end.error?.message
        }
    }

    private mutating func tell(of peer: PairingCandidate) { (self.peer, tag) = (peer.name, peer.tag) }
}

extension PairingEnd {
    /// What an end means to who waited for it; nil where all is well.
    var error: NodeError? {
        switch self {
        case .done: nil
        case .stopped: NodeError(.notAllowed, "the pairing was ended on this device; nothing was handed over")
        case .stoppedByPeer:
            NodeError(.notAllowed, "the pairing was ended on the other device; nothing was handed over")
        case .noTriesLeft(let fault):
            NodeError(
                .notAllowed,
                "three tries came to nothing, and nothing was handed over. The last one: \(fault.sentence)")
        case .timedOut: NodeError(.timedOut, "the time is over, and nothing was handed over: start it on both devices")
        case .notConfirmed:
            NodeError(
                .failed, "the connection ended while it was handed over: the other device may have it, or may not")
        case .failed: NodeError(.failed, "what was to be handed over could not be had, or kept")
        case .notTaken:
            NodeError(.failed, "the other device could not give or keep it, and says why; nothing else has changed")
        }
    }
}

extension PairingFault {
    var sentence: String {
        switch self {
        case .malformed, .outOfOrder: "the other device did not keep to the protocol"
        case .otherPurpose: "the other device wants something else"
        case .wrongCommitment: "somebody stands between the two devices, or changed what they said"
        case .wrongDigits: "the digits were not the same"
        case .refused(.digitsDiffer): "the digits were not the same, says the user of the other device"
        case .refused(.notChosen): "the other device is about to pair with another one"
        case .refused(.stopped), .refused(.notTaken): "the other device has ended it"
        case .lost: "the connection was lost"
        case .silent: "the other device did not answer in time"
        case .replaced: "the other device came anew"
        }
    }
}
