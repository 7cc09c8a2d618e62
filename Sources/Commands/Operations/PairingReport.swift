import Gossip
package import JSONLines
import Node
import NodeCore

/// A pairing as scripts and people see it: `pairing show`, and the lines of the command that pairs.
enum PairingReport {
    package static func fields(_ pairing: Pairing?, now: MonotonicTime) -> [String: JSONValue] {
        guard let pairing else { return ["state": .string("none")] }
        let left = max(.zero, pairing.expiresAt - now)
        var fields: [String: JSONValue] = [
            "triesLeft": .number(max(0, pairing.triesLeft)), "peers": .array(pairing.candidates.map(\.json)),
        ]
        if !pairing.isOver { fields["secondsLeft"] = .int(left.components.seconds) }
        if let fault = pairing.lastFault { fields["lastTry"] = .string(sentence(fault)) }
        func about(_ peer: PairingCandidate) {
            fields["peer"] = .string(peer.name)
            fields["tag"] = .string(peer.tag)
        }
        switch pairing.state {
        case .seeking: fields["state"] = .string("seeking")
        case .choosing: fields["state"] = .string("choosing")
        case .waiting(let peer):
            fields["state"] = .string("waiting")
            about(peer)
        case .comparing(let peer, let digits, let isConfirmed):
            fields["state"] = .string(isConfirmed ? "confirmed" : "comparing")
            fields["digits"] = .string(digits.text)
            about(peer)
        case .moving(let peer):
            fields["state"] = .string("moving")
            about(peer)
        case .over(.done): fields["state"] = .string("done")
        case .over(let end):
            fields["state"] = .string("over")
            fields["reason"] = .optional(error(end)?.message)
        }
        return fields
    }

    /// What an end means to who waited for it; nil where all is well.
    package static func error(_ end: PairingEnd) -> NodeError? {
        switch end {
        case .done: nil
        case .stopped: NodeError(.notAllowed, "the pairing was ended on this device; nothing was handed over")
        case .stoppedByPeer:
            NodeError(.notAllowed, "the pairing was ended on the other device; nothing was handed over")
        case .noTriesLeft(let fault):
            NodeError(
                .notAllowed,
                "three tries came to nothing, and nothing was handed over. The last one: \(sentence(fault))")
        case .timedOut: NodeError(.timedOut, "the time is over, and nothing was handed over: start it on both devices")
        case .notConfirmed:
            NodeError(
                .failed, "the connection ended while it was handed over: the other device may have it, or may not")
        case .failed: NodeError(.failed, "what was to be handed over could not be had, or kept")
        case .notTaken:
            NodeError(.failed, "the other device could not give or keep it, and says why; nothing else has changed")
        }
    }

    package static func sentence(_ fault: PairingFault) -> String {
        switch fault {
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

extension PairingCandidate {
    package var json: JSONValue { .object(["name": .string(name), "tag": .string(tag)]) }
}
