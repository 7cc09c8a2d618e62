import Commands
import Node
import NodeCore
import NodeModel

/// Runs a command in this process, with the same session that serves requests to a node.
final class LocalLink: CommandLink {
    private let makeSession: (Invocation) -> CommandSession
    private let clock: any Clock
    /// Commits a slice's changes before its reply is passed on.
    private let commit: () throws(NodeError) -> Void
    private let rollback: () -> Void

    init(
        clock: any Clock, commit: @escaping () throws(NodeError) -> Void, rollback: @escaping () -> Void,
        makeSession: @escaping (Invocation) -> CommandSession
    ) {
        self.makeSession = makeSession
        self.clock = clock
        self.commit = commit
        self.rollback = rollback
    }

    /// Runs commands on a node that is not running.
    convenience init(_ service: NodeService) {
        let node = service.node
        self.init(
            clock: node.clock, commit: { () throws(NodeError) in try node.commit() }, rollback: { node.rollback() },
            makeSession: { service.makeSession($0) })
    }

    func run(
        _ request: Invocation, input: consuming CommandInput?,
        hear: ([ReplyLine]) throws(NodeError) -> Bool
    ) throws(NodeError) {
        var input = input
        let session = makeSession(request)
        if input == nil { session.endInput() }
        while true {
            while session.wantsInput, input != nil {
                guard let bytes = try input?.next() else {
                    session.endInput()
                    input = nil
                    break
                }
                session.receive(bytes)
            }
            session.step(waitingReplyBytes: 0, now: clock.now())
            if session.storeFault == nil {
                do throws(NodeError) {
                    try keep(session)
                } catch {
                    if let kept = session.kept { _ = try hear([.data(kept.encoded)]) }
                    throw error
                }
            } else {
                rollback()
            }
            guard try hear(session.takeReply().map(ReplyLine.init)), !session.isEnded else { return }
        }
    }

    /// A read-only command may have merged indexes. If there is no room to store them, they are rebuilt next time, and
    /// its answer is still correct.
    private func keep(_ session: CommandSession) throws(NodeError) {
        do {
            try commit()
        } catch {
            guard error.isOutOfRoom, session.onlyReads else { throw error }
        }
    }
}
