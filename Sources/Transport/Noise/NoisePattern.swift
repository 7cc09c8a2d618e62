/// A handshake pattern of the Noise Protocol Framework (revision 34, §7 and §9), by its name, such as "XXpsk0".
package struct NoisePattern: Sendable {
    /// One step of a message.
    enum Token: Sendable {
        case e
        case s
        case ee
        case es
        case se
        case ss
        case psk
    }

    /// "XXpsk0", as used in the protocol's name.
    package let name: String
    /// The responder knows the initiator's static key in advance.
    let initiatorIsKnown: Bool
    /// The initiator knows the responder's static key in advance.
    let responderIsKnown: Bool
    /// The messages in order, starting with the initiator's and alternating.
    let messages: [[Token]]
    let usesPSK: Bool

    /// The pattern of this node's sessions.
    package static let xxPSK0 = NoisePattern(.xx, psk: [0])

    enum Fundamental: String, Sendable {
        case nn = "NN"
        case xx = "XX"
        case xk = "XK"
        case kk = "KK"
        case ik = "IK"
    }

    /// A fundamental pattern with the modifiers `psk0` (before the first message), `psk1`… (after the first…).
    init(_ fundamental: Fundamental, psk positions: [Int] = []) {
        var messages: [[Token]]
        switch fundamental {
        case .nn: messages = [[.e], [.e, .ee]]
        case .xx: messages = [[.e], [.e, .ee, .s, .es], [.s, .se]]
        case .xk: messages = [[.e, .es], [.e, .ee], [.s, .se]]
        case .kk: messages = [[.e, .es, .ss], [.e, .ee, .se]]
        case .ik: messages = [[.e, .es, .s, .ss], [.e, .ee, .se]]
        }
        for position in positions {
            if position == 0 {
                messages[0].insert(.psk, at: 0)
            } else {
                messages[position - 1].append(.psk)
            }
        }
        name = fundamental.rawValue + positions.map { "psk\($0)" }.joined(separator: "+")
        initiatorIsKnown = fundamental == .kk
        responderIsKnown = fundamental == .xk || fundamental == .kk || fundamental == .ik
        usesPSK = !positions.isEmpty
        self.messages = messages
    }

    /// The name that starts the hash of every handshake.
    var protocolName: String { "Noise_\(name)_25519_ChaChaPoly_SHA256" }
}
