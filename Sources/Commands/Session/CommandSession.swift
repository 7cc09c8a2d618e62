package import Node
package import NodeCore

/// A command in work: a request, its input, its reply. Pure.
///
/// The same session serves requests to the node and, in this process, a command that works without a running one.
package final class CommandSession {
    private enum State {
        /// Not begun; next: `working`, `ended`.
        case idle(Invocation)
        /// Next: `ended`.
        case working(CommandTask)
        /// All is said; the connection closes when the reply is out.
        case ended
    }

    private let makeTask: (Invocation) throws(NodeError) -> CommandTask
    private var state: State
    /// Ended in this turn: what it says of its changes holds with the turn's commit only.
    private var ended: CommandTask?
    private var input = InputLines()
    private var reply = CommandReply()

    /// Why the store failed under this command: what it has changed is not to be kept.
    package private(set) var storeFault: CommandFault?

    /// When `step` wants to be called again although nothing came in; nil: only when something does.
    private(set) var wakeAt: MonotonicTime?

    /// Told of each error that ends a command.
    var didFail: (NodeError) -> Void = { _ in }
    /// How the commands in its errors are called; nil leaves them as they are.
    package var program: Program?

    init(_ request: Invocation, makeTask: @escaping (Invocation) throws(NodeError) -> CommandTask) {
        state = .idle(request)
        self.makeTask = makeTask
    }

    package var isEnded: Bool {
        if case .ended = state { true } else { false }
    }

    /// What its command waits for is here.
    var isReady: Bool {
        if case .working(let task) = state { task.operation.isReady } else { false }
    }

    /// Its command is to be worked on although nobody hears of it any more.
    var outlivesCaller: Bool {
        if case .working(let task) = state { task.operation.outlivesCaller } else { false }
    }

    /// Its command, also one that ended in this turn, changes no data.
    package var onlyReads: Bool { (current ?? ended)?.operation.changesData == false }

    /// False while enough is buffered: the sender waits meanwhile.
    package var wantsInput: Bool { input.count < 2 * Limits.inputLineBytes && !isEnded }

    /// How the command ended; nil while it has not.
    package var ending: CommandReply.Ending? { reply.ending }

    package func endInput() { input.end() }

    package func receive(_ bytes: some Collection<UInt8>) { input.append(bytes) }

    /// What a command has changed was not kept: its reply ends with the error, in place of what was not taken yet. One
    /// that only reads goes on, and so does one about another account; nil means every account.
    func fail(_ error: NodeError, of account: NodeAccount? = nil) {
        guard let task = current ?? ended, task.operation.changesData,
            account == nil || task.account == nil || task.account === account
        else { return }
        reply = CommandReply()
        reply.end(error.advising(program))
        state = .ended
    }

    /// The command ends now, whatever it does.
    package func end(_ error: NodeError) {
        guard !isEnded else { return }
        reply.end(error.advising(program))
        state = .ended
    }

    /// The account is no longer there: a command that works on it ends.
    package func abandon(_ account: NodeAccount) {
        guard case .working(let task) = state, task.account === account else { return }
        reply = CommandReply()
        reply.end(NodeError(.notFound, "the account \(account.label) was removed"))
        state = .ended
    }

    /// Does one slice of work, unless `waitingReplyBytes` that the reader has not taken yet are too many.
    package func step(waitingReplyBytes: Int, now: MonotonicTime) {
        wakeAt = nil
        guard waitingReplyBytes < Limits.replyBytes else { return }
        do {
            switch state {
            case .ended: return
            case .idle(let request): try begin(request, now)
            case .working(let task): try work(task.operation, now)
            }
        } catch {
            if error.isStoreFault { storeFault = CommandFault(error: error, account: account) }
            didFail(error)
            reply.end(error.advising(program))
            state = .ended
        }
    }

    private var current: CommandTask? {
        if case .working(let task) = state { task } else { nil }
    }

    private var account: NodeAccount? { current?.account }

    /// Takes what is to be sent; to be called after the commit of what the steps have changed.
    package func takeReply() -> [CommandReply.Item] {
        ended = nil
        return reply.take()
    }

    /// Its first slice at once: most commands need no other.
    private func begin(_ request: Invocation, _ now: MonotonicTime) throws(NodeError) {
        let task = try makeTask(request)
        state = .working(task)
        try work(task.operation, now)
    }

    private func work(_ operation: any Operation, _ now: MonotonicTime) throws(NodeError) {
        switch try operation.step(input: &input, reply: &reply, now: now) {
        case .again: wakeAt = now
        case .needsInput: break
        case .waiting(let time): wakeAt = time
        case .done:
            reply.end()
            ended = current
            state = .ended
        }
    }
}
