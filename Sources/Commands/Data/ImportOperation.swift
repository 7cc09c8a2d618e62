import Chat
import Node
import NodeCore
import NodeModel
import SyncState

/// `import`: commits batches of up to 512 lines, notes each refused line, and ends with the counts.
final class ImportOperation: Operation {
    let changesData = true
    static let device = Parameter.text("--device", .text("NAME"), "only lines written by this device")
    static let placeholderText = Parameter.text(
        "--placeholder-text", .text("T"),
        "an old app's text for a missing body (default: the setting placeholder.text)")
    static let force = Parameter.flag("--force", "accept an archive of another account")
    /// The command line reads it from the archive.
    static let archiveAccount = Parameter.text(
        "archive account", .text("A"),
        "the id of the archive's account; `\(ArchiveLines.noAccount)` if the archive's end is missing"
    ).optional.named("archiveAccount")

    /// A line that the store can take.
    private enum Entry {
        case message(ChatMessage)
        /// It has no body.
        case stub(Stub)
    }

    private let account: NodeAccount
    private let device: String?
    /// The text of lines without a body.
    private let placeholder: PlaceholderText
    private let clock: any Clock
    private var batch: [Entry] = []
    private var states: [StateLine] = []
    private var counts = Imported()
    /// The counts at the last batch that the store took.
    private var taken: Imported?
    var kept: (any Model)? { taken }
    private var refusals: LineRefusals
    /// Another part follows, so the last segment is not written yet.
    private let isPart: Bool

    init(_ call: Call) throws(NodeError) {
        account = try call.account
        placeholder = PlaceholderText(call[Self.placeholderText] ?? call.node.settings.placeholderText)
        clock = call.clock
        device = call[Self.device]
        refusals = LineRefusals(call)
        isPart = call.has(Call.moreLines)
        guard let owner = call[Self.archiveAccount], owner != account.accountID.hex, !call.has(Self.force) else {
            return
        }
        let (name, force) = (Command.account.spec.name, Self.force.spec.name)
        guard owner != ArchiveLines.noAccount else {
            throw NodeError(
                .notAllowed,
                """
                the missing end of this archive names its account: import its messages into the account \
                \(account.label) with \(parameter: force), or name another account with \(parameter: name)
                """)
        }
        throw NodeError(
            .notAllowed,
            """
            this archive is of account \(owner.prefix(8)), not of \(account.accountID.shortHex) (\(account.label)): \
            name the account with \(parameter: name), or import it anyway with \(parameter: force)
            """)
    }

    func step(input: inout InputLines, reply: inout CommandReply, now: MonotonicTime) throws -> OperationProgress {
        for _ in 0..<Limits.importSliceLines {
            guard let line = input.next() else {
                try take(&reply, now)
                guard input.isEnded else { return .needsInput }
                try finish(&reply, now)
                return .done
            }
            counts.lines += 1
            read(line, &reply)
            if batch.count + states.count >= Limits.importBatchLines {
                try take(&reply, now)
                break
            }
        }
        return .again
    }

    private func read(_ line: LineBuffer.Line, _ reply: inout CommandReply) {
        guard case .line(let bytes) = line else {
            return refusals.add(counts.lines, "is longer than 1 MiB", to: &reply)
        }
        guard !bytes.isBlank else {
            counts.skipped += 1
            return
        }
        do {
            if StateLine.isOne(bytes) {
                states.append(try StateLine(json: bytes))
                return
            }
            let message = try NewMessage(json: bytes)
            if let device, message.device != device {
                counts.skipped += 1
            } else {
                batch.append(try entry(message))
            }
        } catch {
            refusals.add(counts.lines, "\(error)", to: &reply)
        }
    }

    /// A line without a body makes a stub, never a message. What the store would refuse is refused here, so that the
    /// notes come in the order of the lines.
    private func entry(_ line: NewMessage) throws -> Entry {
        if line.isPlaceholder(placeholder) {
            let stub = try Stub(line, hintedAt: clock.wall())
            try stub.validate()
            return .stub(stub)
        }
        let message = try ChatMessage(line)
        try message.validate()
        return .message(message)
    }

    /// Gives the batch to the store. The progress line leaves after the commit, and so acknowledges it.
    private func take(_ reply: inout CommandReply, _ now: MonotonicTime) throws {
        guard !batch.isEmpty || !states.isEmpty else { return }
        for entry in batch {
            // An import is history: apps get counts in the change feed, not each message.
            try account.zone.changes.gather { try take(entry, now) }
        }
        batch.removeAll(keepingCapacity: true)
        try takeStates(now)
        try cut(force: false, now)
        counts.refused = refusals.count
        taken = counts
        reply.progress(["lines": .number(counts.lines), "isLast": false])
    }

    private func take(_ entry: Entry, _ now: MonotonicTime) throws {
        switch entry {
        case .stub(let stub):
            switch try account.zone.hint(stub) {
            case .new: counts.placeholders += 1
            case .known, .held: counts.known += 1
            }
        case .message(let message):
            switch try account.zone.accept(message, isHistory: true, now: now) {
            case .new: counts.added += 1
            // A deleted message stays deleted.
            case .known, .deleted: counts.known += 1
            case .upgraded: counts.completed += 1
            }
        }
    }

    /// Takes the lines about conversations, after the messages before them.
    private func takeStates(_ now: MonotonicTime) throws {
        for state in states where try state.adopt(in: account.zone, now: now) { counts.states += 1 }
        states = []
    }

    /// Archives everything now: no later message will fill the last segment.
    private func finish(_ reply: inout CommandReply, _ now: MonotonicTime) throws {
        try cut(force: !isPart, now)
        if !isPart { reply.progress(["lines": .number(counts.lines), "isLast": true]) }
        counts.refused = refusals.count
        reply.data(counts)
        refusals.end(&reply, lines: counts.lines)
    }

    private func cut(force: Bool, _ now: MonotonicTime) throws {
        try account.zone.cut(force: force, now: now)
        if force { try account.zone.reads.publishReads() }
    }
}
