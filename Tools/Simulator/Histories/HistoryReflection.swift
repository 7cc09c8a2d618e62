import Gossip
import NodeCore
import SyncState

/// An attacker who holds the zone's session key and no lane's: former members still know old keys. It reflects a node's
/// own HELLO, and passes on another node's with a changed instance. Neither may be accepted.
struct HistoryReflection {
    /// Different from all sessions of a history.
    private static let id = SessionID(.max)
    private static let handshakeHash = [UInt8](repeating: 0xA5, count: 32)

    let victim: HistoryNode
    /// Another node, if one is alive.
    let other: HistoryNode?

    func isBelieved() throws -> Bool {
        var isBelieved = try isTaken(hello(of: victim), isInitiator: true)
        if let other, var changed = hello(of: other) {
            changed.body.instance = InstanceID(Bytes16(1, 2))
            isBelieved = try isTaken(changed, isInitiator: false) || isBelieved
        }
        return isBelieved
    }

    /// A node's first message on a session that it opened.
    private func hello(of node: HistoryNode) -> Hello? {
        node.sync.opened(Self.id, isInitiator: true, handshakeHash: Self.handshakeHash, now: .zero)
        defer { node.sync.closed(Self.id, now: .zero) }
        for case .send(Self.id, let bytes, _) in node.sync.takeActions() {
            if case .hello(let hello)? = try? Message(decoding: bytes) { return hello }
        }
        return nil
    }

    /// True if the victim does anything other than end the session as a violation.
    ///
    /// - Parameter isInitiator: the victim's end.
    private func isTaken(_ hello: Hello?, isInitiator: Bool) throws -> Bool {
        guard let hello else { return true }
        victim.sync.opened(Self.id, isInitiator: isInitiator, handshakeHash: Self.handshakeHash, now: .zero)
        try victim.sync.received(Message.hello(hello).encoded, on: Self.id, now: .zero)
        try victim.sync.endTurn(now: .zero)
        defer { victim.sync.closed(Self.id, now: .zero) }
        return !victim.sync.takeActions().contains { action in
            if case .close(Self.id, let reason) = action { reason.violation != nil } else { false }
        }
    }
}
