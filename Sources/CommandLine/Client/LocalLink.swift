import Commands
import Node
import NodeCore

/// Carries a command out in this process, with the same session that serves the node's socket.
final class LocalLink: CommandLink {
    private let session: ControlSession
    private let clock: any Clock
    /// Makes durable what a slice has changed, before its reply is given out.
    private let commit: () throws(NodeError) -> Void
    private let rollback: () -> Void

    init(
        session: ControlSession, clock: any Clock, commit: @escaping () throws(NodeError) -> Void,
        rollback: @escaping () -> Void
    ) {
        self.session = session
        self.clock = clock
        self.commit = commit
        self.rollback = rollback
    }

    /// Carries out commands on a node that nobody runs.
    convenience init(_ service: NodeService) {
        let node = service.node
        self.init(
            session: service.makeSession(), clock: node.clock, commit: { () throws(NodeError) in try node.commit() },
            rollback: { node.rollback() })
    }

    func exchange(_ outgoing: inout [UInt8]) throws(NodeError) -> [UInt8]? {
        if session.wantsInput {
            session.receive(outgoing)
            outgoing.removeAll(keepingCapacity: true)
        }
        let wasEnded = session.isEnded
        session.step(waitingReplyBytes: 0, now: clock.now())
        if session.storeFault == nil { try keep() } else { rollback() }
        let reply = session.takeReply()
        return wasEnded && reply.isEmpty ? nil : reply
    }

    /// A command that only reads may have merged indexes on its way. Where there is no room for them they are derived
    /// anew the next time, and what it has read is true.
    private func keep() throws(NodeError) {
        do {
            try commit()
        } catch {
            guard error.isOutOfRoom, session.onlyReads else { throw error }
        }
    }
}
