import NodeCore
import SyncState

/// `import`: lines in, batches of up to 512 committed, a word about each line that is refused, the counts at the end.
final class ImportOperation: ControlOperation {
    let changesData = true
    private struct Counts {
        var lines = 0
        var added = 0
        var known = 0
        /// Known ones of which the line told more, such as their time in the chain.
        var completed = 0
        /// Lines without a body, of messages whose body is not here either.
        var placeholders = 0
        var refused = 0
        /// Lines that another device wrote.
        var skipped = 0
    }

    private let account: NodeAccount
    private let device: String?
    private let placeholder: PlaceholderText
    private let clock: any Clock
    private var batch: [(line: Int, message: MessageLine)] = []
    private var counts = Counts()

    /// - Parameters:
    ///   - device: only the lines that this one wrote; nil for all.
    ///   - placeholder: what stands for a body that the line's writer did not have.
    init(account: NodeAccount, device: String?, placeholder: PlaceholderText, clock: any Clock) {
        self.account = account
        self.device = device
        self.placeholder = placeholder
        self.clock = clock
    }

    func step(
        input: inout ControlInput, reply: inout ControlReply, now: MonotonicTime
    ) throws(NodeError) -> OperationProgress {
        for _ in 0..<Limits.importSliceLines {
            guard let line = input.next() else {
                try take(&reply, now)
                guard input.isEnded else { return .needsInput }
                try finish(&reply, now)
                return .done
            }
            counts.lines += 1
            read(line, &reply)
            if batch.count == Limits.importBatchLines {
                try take(&reply, now)
                break
            }
        }
        return .again
    }

    private func read(_ line: LineBuffer.Line, _ reply: inout ControlReply) {
        guard case .line(let bytes) = line, bytes != CommandInput.tooLong else {
            return refuse(counts.lines, "is longer than 1 MiB", &reply)
        }
        guard bytes.contains(where: { $0 != 0x20 && $0 != 0x09 && $0 != 0x0D }) else {
            counts.skipped += 1
            return
        }
        do {
            let message = try MessageLine(json: bytes)
            if let device, message.device != device {
                counts.skipped += 1
            } else {
                batch.append((counts.lines, message))
            }
        } catch {
            refuse(counts.lines, error.reason, &reply)
        }
    }

    /// Gives the batch to the store. The progress line leaves after the commit: it is the acknowledgement.
    private func take(_ reply: inout ControlReply, _ now: MonotonicTime) throws(NodeError) {
        guard !batch.isEmpty else { return }
        for (line, message) in batch {
            do {
                // History: apps are told how much came, not each message.
                try account.zone.changes.gather { try take(message, now) }
            } catch let error as ChatMessageError {
                refuse(line, "\(error)", &reply)
            } catch {
                throw NodeError(cause: error)
            }
        }
        batch.removeAll(keepingCapacity: true)
        try cut(force: false, now)
        reply.progress(.object(["lines": .number(counts.lines), "isLast": .bool(false)]))
    }

    /// A line that has no body makes a stub, and never a message.
    private func take(_ line: MessageLine, _ now: MonotonicTime) throws {
        if line.isPlaceholder(placeholder) {
            switch try account.zone.hint(line.stub(hintedAt: clock.wall())) {
            case .new: counts.placeholders += 1
            case .known, .held: counts.known += 1
            }
            return
        }
        switch try account.zone.accept(line.chatMessage, now: now) {
        case .new: counts.added += 1
        // What was deleted stays so.
        case .known, .deleted: counts.known += 1
        case .upgraded: counts.completed += 1
        }
    }

    /// What an import brings is history, so it does not wait for more: the other devices get all of it now.
    private func finish(_ reply: inout ControlReply, _ now: MonotonicTime) throws(NodeError) {
        try cut(force: true, now)
        reply.progress(.object(["lines": .number(counts.lines), "isLast": .bool(true)]))
        reply.data(
            .object([
                "lines": .number(counts.lines), "added": .number(counts.added), "known": .number(counts.known),
                "completed": .number(counts.completed), "placeholders": .number(counts.placeholders),
                "refused": .number(counts.refused), "skipped": .number(counts.skipped),
            ]))
        if counts.refused > 0 {
            reply.end(.failed, code: "bad-input", message: "\(counts.refused) of \(counts.lines) lines were refused")
        }
    }

    private func cut(force: Bool, _ now: MonotonicTime) throws(NodeError) {
        do {
            try account.zone.cut(force: force, isRanked: false, now: now)
        } catch {
            throw NodeError(cause: error)
        }
    }

    private func refuse(_ line: Int, _ reason: String, _ reply: inout ControlReply) {
        counts.refused += 1
        if counts.refused <= Limits.importComplaints {
            reply.note("line \(line): \(reason)")
        } else if counts.refused == Limits.importComplaints + 1 {
            reply.note("further bad lines are only counted")
        }
    }
}
