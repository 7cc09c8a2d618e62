package import Node
package import NodeCore
package import NodeModel

/// A command at work: a request, its input, its reply. Pure.
///
/// A session serves a request to the node, or a command in a process without a running node.
package final class CommandSession {
    private enum State {
        /// Next: `working`, `ended`.
        case idle(Invocation)
        /// Next: `ended`.
        case working(CommandTask)
        /// The connection closes when the reply is out.
        case ended
    }

    private let makeTask: (Invocation) throws -> CommandTask
    private var state: State
    /// The task that ended in this turn. Its reply holds once the turn's commit has succeeded.
    private var ended: CommandTask?
    private var input = InputLines()
    private var reply: CommandReply

    /// The store's failure under this command: its changes must be rolled back.
    package private(set) var storeFault: CommandFault?

    /// What the command's committed slices did.
    package private(set) var kept: (any Model)?

    /// The time for the next call of `step` without new input; nil for none.
    private(set) var wakeAt: MonotonicTime?

    /// Called with each error that ends a command.
    var didFail: (NodeError) -> Void = { _ in }
    /// Names the program in advice of its errors; nil leaves the advice as it is.
    package var program: Program?

    init(_ request: Invocation, makeTask: @escaping (Invocation) throws -> CommandTask) {
        state = .idle(request)
        reply = CommandReply(request.page)
        self.makeTask = makeTask
    }

    package var isEnded: Bool {
        if case .ended = state { true } else { false }
    }

    /// The command's wait is over.
    var isReady: Bool {
        if case .working(let task) = state { task.operation.isReady } else { false }
    }

    /// The command runs to its end even if its caller disconnects.
    var outlivesCaller: Bool {
        if case .working(let task) = state { task.operation.outlivesCaller } else { false }
    }

    /// True if the command changes no data, even if it ended in this turn.
    package var onlyReads: Bool { (current ?? ended)?.operation.changesData == false }

    /// False while the buffer is full; the sender waits.
    package var wantsInput: Bool { input.count < 2 * Limits.inputLineBytes && !isEnded }

    package func endInput() { input.end() }

    package func receive(_ bytes: some Collection<UInt8>) { input.append(bytes) }

    /// Ends the command after its changes were rolled back: the error replaces the rest of its reply. A command that
    /// only reads continues, and so does one about another account; a nil account means every account.
    func fail(_ error: NodeError, of account: NodeAccount? = nil) {
        guard let task = current ?? ended, task.operation.changesData,
            account == nil || task.account == nil || task.account === account
        else { return }
        takeBack(by: error)
    }

    /// Ends the reply with what was committed before, and the error.
    private func takeBack(by error: NodeError) {
        reply = CommandReply()
        if let kept { reply.data(kept) }
        reply.end(error.advising(program))
        state = .ended
    }

    package func end(_ error: NodeError) {
        guard !isEnded else { return }
        reply.end(error.advising(program))
        state = .ended
    }

    /// Ends the command if it works on this account, which was removed.
    package func abandon(_ account: NodeAccount) {
        guard case .working(let task) = state, task.account === account else { return }
        reply = CommandReply()
        reply.end(NodeError(.notFound, "the account \(account.label) was removed"))
        state = .ended
    }

    /// Does one slice of work, unless the reader still has too many bytes to take.
    package func step(waitingReplyBytes: Int, now: MonotonicTime) {
        wakeAt = nil
        guard waitingReplyBytes < Limits.replyBytes else { return }
        do {
            switch state {
            case .ended: return
            case .idle(let request): try begin(request, now)
            case .working(let task): try work(task.operation, now)
            }
        } catch let cause {
            let error = current?.account?.faultOfAny(cause) ?? NodeError(cause: cause)
            if error.isStoreFault { storeFault = CommandFault(error: error, account: current?.account) }
            didFail(error)
            if storeFault != nil, current?.operation.changesData == true { return takeBack(by: error) }
            reply.end(error.advising(program))
            state = .ended
        }
    }

    private var current: CommandTask? {
        if case .working(let task) = state { task } else { nil }
    }

    /// Takes the new part of the reply. Call it after the commit of the steps' changes.
    package func takeReply() -> [CommandReply.Item] {
        ended = nil
        kept = current?.operation.kept
        return reply.take()
    }

    /// Does the first slice at once: most commands need no other.
    private func begin(_ request: Invocation, _ now: MonotonicTime) throws {
        let task = try makeTask(request)
        state = .working(task)
        try work(task.operation, now)
    }

    private func work(_ operation: any Operation, _ now: MonotonicTime) throws {
        switch try operation.step(input: &input, reply: &reply, now: now) {
        case .again: wakeAt = now
        case .needsInput: break
        case .waiting(let time): wakeAt = time
        case .done:
            if operation.changesData, current?.account?.isShutOut == true {
                reply.note("this device is shut out of the account: what is written here reaches no other device")
            }
            reply.end()
            ended = current
            state = .ended
        }
    }
}
