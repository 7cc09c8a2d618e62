import JSONLines
import NodeCore

/// A request that a command serves, in the same kind of session as the command line. Its slices run before the turn's
/// commit, and their reply leaves after it.
final class CommandExchange: HTTPExchange {
    /// The work that the request's head asks for.
    struct Plan {
        let endpoint: Endpoint
        package let command: String
        let caller: Caller
        package var arguments: [String: [String]]
        /// The path's txid, if the body is a message.
        package let txid: String?
        var ifNoneMatch: String?
        /// The caller reads the whole reply as it comes.
        var readsReply = false
        /// The caller takes a compressed answer.
        var acceptsGzip = false

        var isStream: Bool {
            if case .events = endpoint.answer.form { true } else { false }
        }

        /// True if it continues until somebody ends it.
        var isLasting: Bool { isStream || readsReply && Invocation(command: command, arguments: arguments).isLasting }
    }

    let plan: Plan
    package private(set) var answer: HTTPAnswer?
    package var wake: () -> Void = {}
    /// Called with the whole body before the command starts.
    package var admit: (_ body: [UInt8]) -> IdempotencyTable.Admission = { _ in .fresh }
    /// Called with the answer; nil if there will be none.
    var didEnd: (HTTPAnswer?) -> Void = { _ in }

    private let makeSession: (Invocation) -> CommandSession
    package private(set) var session: CommandSession?
    private var writer: any AnswerWriter
    /// The body, if it is one document.
    private var document: [UInt8] = []
    /// The body is processed as it arrives.
    private let takesLines: Bool
    private var isInputHeld = false
    /// Input or room for the reply has appeared since the last slice.
    private var isDue = false
    /// The answer, and its body that is being compressed.
    private var compression: (answer: HTTPAnswer, body: GzipBody)?
    private var isHeld = false
    private var hasStepped = false
    private var isEnded = false
    package private(set) var isClosed = false
    /// The time for the next sign of life; nil for none.
    private var beatAt: MonotonicTime?

    init(_ plan: Plan, makeSession: @escaping (Invocation) -> CommandSession) {
        self.plan = plan
        self.makeSession = makeSession
        let arguments = plan.arguments
        takesLines = plan.endpoint.body.isStreamed
        writer =
            switch plan.endpoint.answer.form {
            case _ where plan.readsReply: ReplyWriter()
            case .events: EventWriter(plan.endpoint)
            case .lines: LineWriter(endpoint: plan.endpoint)
            default: DocumentWriter(plan.endpoint, since: arguments["--since"]?.first, ifNoneMatch: plan.ifNoneMatch)
            }
        if takesLines { start(plan.arguments) }
    }

    /// The interval between signs of life, which also detect that the reader has gone; nil for one document.
    private var beatTime: Duration? {
        switch plan.endpoint.answer.form {
        case _ where plan.readsReply: Limits.lineBeat
        case .events: Limits.eventBeat
        case .lines: Limits.lineBeat
        case .object, .list, .metrics: nil
        }
    }

    /// True for a stream.
    package var isLasting: Bool { beatTime != nil }

    // MARK: The request's body

    package func receive(_ bytes: UnsafeRawBufferPointer) -> Int {
        if let session, takesLines {
            // A failed command ignores the rest; its answer leaves after the body.
            guard !session.isEnded else { return bytes.count }
            isInputHeld = !session.wantsInput
            guard !isInputHeld else { return 0 }
            session.receive(bytes)
            isDue = true
        } else if document.count + bytes.count <= Limits.httpBodyBytes {
            document.append(contentsOf: bytes)
        }
        return bytes.count
    }

    package func endBody() {
        if takesLines {
            session?.endInput()
            isDue = true
            return
        }
        switch admit(document) {
        case .fresh: return begin()
        case .again(let answer): self.answer = answer
        case .refused(let problem): answer = problem.answer
        }
        // Only the first request may report the answer to the table.
        didEnd = { _ in }
    }

    private func begin() {
        do {
            let reader = RequestReader(endpoint: plan.endpoint, isOfCommandLine: plan.readsReply)
            switch plan.endpoint.body {
            case .message where plan.readsReply && plan.txid == nil, .array where plan.readsReply:
                // The command itself checks its input.
                start(plan.arguments, input: document)
            case .none, .lines, .text: start(plan.arguments)
            case .fields, .someFields: start(plan.arguments.merging(try reader.arguments(body: document)) { $1 })
            case .message: start(plan.arguments, input: try reader.message(body: document, txid: plan.txid))
            case .array: start(plan.arguments, input: try reader.array(body: document))
            }
        } catch {
            finish(error.answer)
        }
        document = []
    }

    /// - Parameter input: the whole input, if it is at hand.
    private func start(_ arguments: [String: [String]], input: [UInt8]? = nil) {
        session = makeSession(Invocation(command: plan.command, arguments: arguments))
        if let input {
            session?.receive(input)
            session?.endInput()
        }
        isEnded = false
        isDue = true
    }

    // MARK: Turns

    /// The time for the next turn without new input.
    package var deadline: MonotonicTime? {
        if isDue || isReady || compression != nil { return .zero }
        return [session?.wakeAt, beatAt].compactMap(\.self).min()
    }

    private var isReady: Bool { !isHeld && session?.isReady == true }

    /// Its share of the loop's turns so far.
    var record = RequestTurns.Record()

    /// True if there is work for this turn.
    func hasWork(_ now: MonotonicTime) -> Bool {
        guard !isClosed, compression == nil else { return !isClosed }
        guard let session else { return false }
        return isDue || isReady || session.wakeAt.map({ $0 <= now }) == true
    }

    /// One slice of work, before the turn's commit. Call it if there is any.
    func work(now: MonotonicTime) {
        if compression != nil { return compress() }
        isDue = false
        hasStepped = true
        isHeld = writer.waitingBytes >= Limits.httpStreamBytes
        session?.step(waitingReplyBytes: isHeld ? .max : 0, now: now)
    }

    /// Sends the slice's reply, after the turn's commit.
    package func flush(now: MonotonicTime) {
        guard let session, hasStepped, !isClosed else { return }
        let isNews = takeReply(session)
        if isLeft { return close() }
        beat(now)
        if answer == nil, compression == nil, let made = writer.answer {
            finish(made)
            wake()
        } else if isNews || writer.waitingBytes > 0 || isInputHeld && (session.wantsInput || session.isEnded) {
            wake()
        }
    }

    /// True if there was a new item.
    private func takeReply(_ session: CommandSession) -> Bool {
        let items = session.takeReply()
        for item in items {
            writer.take(item)
            if case .end = item { isEnded = true }
        }
        if isEnded, writer.needsReset {
            // The new place comes first, so that everything the reader then reads is at least as new.
            start(plan.arguments.merging(["--since": ["now"]]) { $1 })
        }
        writer.flush()
        return !items.isEmpty
    }

    /// True if a sign of life is due in this turn.
    func isBeating(_ now: MonotonicTime) -> Bool { beatAt.map { $0 <= now } ?? false }

    private func beat(_ now: MonotonicTime) {
        guard let beatTime, answer != nil else { return }
        guard let due = beatAt, now >= due || writer.waitingBytes > 0 else {
            if beatAt == nil { beatAt = now + beatTime }
            return
        }
        if now >= due { writer.beat() }
        beatAt = now + beatTime
    }

    private func finish(_ answer: HTTPAnswer) {
        didEnd(answer)
        didEnd = { _ in }
        if plan.acceptsGzip, let bytes = answer.compressible, let body = GzipBody(bytes) {
            compression = (answer, body)
        } else {
            self.answer = answer
        }
    }

    private func compress() {
        guard let (plain, body) = compression, let bytes = body.step() else { return }
        compression = nil
        answer = plain.gzipped(bytes)
        wake()
    }

    /// Ends the command and its answer, since the caller may no longer read it.
    package func cut() {
        writer.cut()
        isEnded = true
        session = nil
        if answer == nil, let made = writer.answer { finish(made) }
        wake()
    }

    // MARK: The answer

    package func read(into buffer: UnsafeMutableRawBufferPointer) -> Int? {
        let count = writer.read(into: buffer)
        if isHeld, writer.waitingBytes < Limits.httpStreamBytes { isDue = true }
        return count
    }

    /// The caller has disconnected, but the command runs to its end.
    private var isLeft = false

    package func close() {
        isLeft = true
        guard isEnded || session?.outlivesCaller != true else { return }
        isClosed = true
        // A request cut off within its body has not begun, so it holds no key.
        if session != nil, !isEnded { didEnd(nil) }
        didEnd = { _ in }
        (session, compression) = (nil, nil)
    }
}
