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
            PairingPeer { ($0.name, $0.tag) = (candidate.name, candidate.tag) }
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
    /// The error for the caller of a pairing that ended so; nil if all is well.
    var error: NodeError? {
        switch self {
        case .done: nil
        case .stopped: NodeError(.notAllowed, "the pairing was ended on this device; nothing was handed over")
        case .stoppedByPeer:
            NodeError(.notAllowed, "the pairing was ended on the other device; nothing was handed over")
        case .noTriesLeft(let fault):
            NodeError(
                .notAllowed,
                "three attempts failed, and nothing was handed over. The last one: \(fault.sentence)")
        case .timedOut: NodeError(.timedOut, "time is up, and nothing was handed over: start again on both devices")
        case .notConfirmed:
            NodeError(
                .failed, "the connection ended during the transfer: the other device may or may not have the account")
        case .failed: NodeError(.failed, "the account or invitation could not be read or stored")
        case .notTaken:
            NodeError(.failed, "the other device could not send or store it, and shows why; nothing else has changed")
        }
    }
}

extension PairingFault {
    var sentence: String {
        switch self {
        case .malformed, .outOfOrder: "the other device broke the protocol"
        case .otherPurpose: "the other device pairs for another purpose"
        case .wrongCommitment: "somebody between the two devices intercepts or changes their messages"
        case .wrongDigits: "the digits were different"
        case .refused(.digitsDiffer): "the user of the other device reports different digits"
        case .refused(.notChosen): "the other device is pairing with another one"
        case .refused(.stopped), .refused(.notTaken): "the other device ended it"
        case .lost: "the connection was lost"
        case .silent: "the other device did not answer in time"
        case .double: "the same device is connected twice"
        }
    }
}
