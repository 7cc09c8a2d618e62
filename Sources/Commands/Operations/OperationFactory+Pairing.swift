import Gossip
import LeaderboardShare
import Node
import NodeCore

/// `account pair`, `pairing …`, and what is nearby of `group …`.
extension OperationFactory {
    func pairingOperation(_ request: ControlRequest) throws(NodeError) -> (any ControlOperation)? {
        switch request.command {
        case "account pair":
            let goal: NodePairing.Goal =
                request.has("--join")
                ? .takeAccount(label: request.text("--label")) : .giveAccount(try account(request))
            return PairingOperation(node: node, goal: goal, request: request)
        case "group invite" where request.has("--nearby"):
            let role = try Role(word: request.text("--role") ?? Role.member.word)
            return PairingOperation(node: node, goal: .giveGroup(try group(request), role), request: request)
        case "group join" where request.has("--nearby"):
            return PairingOperation(node: node, goal: .takeGroup(try account(request)), request: request)
        case "pairing show": return try pairing { _, _ in }
        case "pairing choose":
            let tag = request.text("TAG") ?? ""
            return try pairing { try $0.choose(tag, now: $1) }
        case "pairing confirm":
            guard let digits = PairingDigits(text: request.text("DIGITS") ?? "") else {
                throw NodeError(.usage, "DIGITS must be the six digits that the other device shows")
            }
            return try pairing { try $0.confirm(digits, now: $1) }
        case "pairing refuse": return try pairing { try $0.refuse(now: $1) }
        case "pairing stop": return try pairing { pairing, _ in pairing.stop() }
        default: return nil
        }
    }

    /// Does one thing to the pairing that goes on, and answers with where it stands then.
    private func pairing(
        _ change: @escaping (inout Pairing, MonotonicTime) throws -> Void
    ) throws(NodeError) -> any ControlOperation {
        let network = try running()
        return ImmediateOperation { reply, now in
            do {
                try network.machine.changePairing { try change(&$0, now) }
            } catch let complaint as Pairing.Complaint {
                throw NodeError(complaint)
            }
            reply.data(.object(PairingReport.fields(network.machine.pairing, now: now)))
        }
    }
}

extension NodeError {
    fileprivate init(_ complaint: Pairing.Complaint) {
        switch complaint {
        case .noSuchDevice:
            self.init(.notFound, "no device with that tag is in sight; see `kachat-node pairing show`")
        case .nothingToCompare: self.init(.failed, "there are no digits to compare now")
        case .digitsDiffer:
            self.init(.notAllowed, "these are not the digits that this device shows: this try is over")
        }
    }
}
