import JSONLines
import NodeCore

/// A request that a command carries out, with the same session that serves the command line. Its slices of work come
/// before the turn's commit, what they say goes out after it.
final class CommandExchange: HTTPExchange {
    /// What there is to do, as the head says.
    struct Plan {
        let endpoint: Endpoint
        package let command: String
        let caller: Caller
        package var arguments: [String: [String]]
        /// Of the path, where the body is a message.
        package let txid: String?
        var ifNoneMatch: String?
        /// The caller reads all that the command says, as it comes.
        var readsReply = false

        var isStream: Bool {
            if case .events = endpoint.answer.form { true } else { false }
        }

        /// It goes on until somebody ends it.
        var isLasting: Bool {
            isStream || readsReply && Invocation(command: command, arguments: arguments).isLasting
        }
    }

    let plan: Plan
    package private(set) var answer: HTTPAnswer?
    package var wake: () -> Void = {}
    /// Asked with the whole body, before it is carried out.
    package var admit: (_ body: [UInt8]) -> IdempotencyTable.Admission = { _ in .fresh }
    /// Told of the answer; nil where there will be none.
    var didEnd: (HTTPAnswer?) -> Void = { _ in }

    private let makeSession: (Invocation) -> CommandSession
    package private(set) var session: CommandSession?
    private var writer: any AnswerWriter
    /// The body, where it is one document.
    private var document: [UInt8] = []
    /// The body is lines, which are taken in as they come.
    private let takesLines: Bool
    private var isInputHeld = false
    /// Something came in, or room for a reply was made, since the last slice.
    private var isDue = false
    private var isHeld = false
    private var hasStepped = false
    private var isEnded = false
    package private(set) var isClosed = false
    /// When a sign of life is due; nil where none is given.
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
            case .lines: LineWriter(plan.endpoint)
            default:
                DocumentWriter(
                    plan.endpoint, since: arguments["--since"]?.first,
                    limit: arguments["--limit"]?.first.flatMap { Int($0) } ?? .max, ifNoneMatch: plan.ifNoneMatch)
            }
        if takesLines { start(plan.arguments) }
    }

    /// How often the answer shows that it lives, or finds that nobody reads it any more; nil where it is one document.
    private var beatTime: Duration? {
        switch plan.endpoint.answer.form {
        case _ where plan.readsReply: Limits.lineBeat
        case .events: Limits.eventBeat
        case .lines: Limits.lineBeat
        case .object, .list, .metrics: nil
        }
    }

    /// Goes on for as long as there is something to tell.
    package var isLasting: Bool { beatTime != nil }

    // MARK: The request's body

    package func receive(_ bytes: UnsafeRawBufferPointer) -> Int {
        if let session, takesLines {
            // What failed needs no more of it; the answer goes out behind the body.
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
        // How the first request ends is not for this one to say.
        didEnd = { _ in }
    }

    private func begin() {
        do {
            let reader = RequestReader(endpoint: plan.endpoint, isOfCommandLine: plan.readsReply)
            switch plan.endpoint.body {
            case .message where plan.readsReply && plan.txid == nil, .array where plan.readsReply:
                // The command says itself what is wrong with its input.
                start(plan.arguments)
                session?.receive(document)
                session?.endInput()
            case .none, .lines, .text: start(plan.arguments)
            case .fields, .someFields:
                start(plan.arguments.merging(try reader.arguments(body: document)) { $1 })
            case .message:
                let message = try reader.message(body: document, txid: plan.txid)
                start(plan.arguments)
                session?.receive(message)
                session?.endInput()
            case .array:
                let array = try reader.array(body: document)
                start(plan.arguments)
                session?.receive(array)
                session?.endInput()
            }
        } catch {
            finish(error.answer)
        }
        document = []
    }

    private func start(_ arguments: [String: [String]]) {
        session = makeSession(Invocation(command: plan.command, arguments: arguments))
        isEnded = false
        isDue = true
    }

    // MARK: Turns

    /// When this one wants a turn although nothing comes in.
    package var deadline: MonotonicTime? {
        if isDue || isReady { return .zero }
        return [session?.wakeAt, beatAt].compactMap(\.self).min()
    }

    private var isReady: Bool { !isHeld && session?.isReady == true }

    /// One slice of work, before the turn's commit.
    package func work(now: MonotonicTime) {
        guard let session, !isClosed, isDue || isReady || session.wakeAt.map({ $0 <= now }) == true else { return }
        isDue = false
        hasStepped = true
        isHeld = writer.waitingBytes >= Limits.httpStreamBytes
        session.step(waitingReplyBytes: isHeld ? .max : 0, now: now)
    }

    /// Gives out what the slice said, after the turn's commit.
    package func flush(now: MonotonicTime) {
        guard let session, hasStepped, !isClosed else { return }
        let isNews = takeReply(session)
        if isLeft { return close() }
        beat(now)
        if answer == nil, let made = writer.answer {
            finish(made)
            wake()
        } else if isNews || writer.waitingBytes > 0 || isInputHeld && (session.wantsInput || session.isEnded) {
            wake()
        }
    }

    /// True where the command said something.
    private func takeReply(_ session: CommandSession) -> Bool {
        let items = session.takeReply()
        for item in items {
            writer.take(item)
            if case .end = item { isEnded = true }
        }
        if isEnded, writer.needsReset {
            // A new token first: what the reader then reads anew is at least as new.
            start(plan.arguments.merging(["--since": ["now"]]) { $1 })
        }
        writer.flush()
        return !items.isEmpty
    }

    /// A sign of life is due in this turn.
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
        self.answer = answer
        didEnd(answer)
        didEnd = { _ in }
    }

    /// Ends an answer whose caller may not read it any more, and what it tells of.
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

    /// Nobody reads the answer any more, and its command goes on to its end all the same.
    private var isLeft = false

    package func close() {
        isLeft = true
        guard isEnded || session?.outlivesCaller != true else { return }
        isClosed = true
        // What was cut off within its body was not begun: it has taken no key, and gives none back.
        if session != nil, !isEnded { didEnd(nil) }
        didEnd = { _ in }
        session = nil
    }
}
