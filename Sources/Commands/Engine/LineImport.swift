import Chat
import LeaderboardShare
package import Node
import NodeCore
import NodeModel

/// An import of lines: takes a slice of them at a time, counts them, and reports those that are refused. Blank lines
/// count only in the numbers of the lines after them.
final class LineImport: Operation {
    let changesData = true
    private var lines = 0
    private var blankLines = 0
    private var refusals: LineRefusals
    private let prepare: () throws -> Void
    private let take: ([UInt8], MonotonicTime) throws -> Void
    private let finish: () throws -> Void
    private let counts: (_ lines: Int, _ refused: Int) -> any Model

    var kept: (any Model)? { lines > 0 ? counts(lines, refusals.count) : nil }

    /// - Parameters:
    ///   - prepare: called before each slice; its error ends the import.
    ///   - take: throws a `LineFault` to refuse the line; any other error ends the import.
    ///   - finish: called after the last line.
    ///   - counts: gives the counts of the lines so far.
    init(
        _ call: Call, prepare: @escaping () throws -> Void = {},
        take: @escaping ([UInt8], MonotonicTime) throws -> Void,
        finish: @escaping () throws -> Void = {},
        counts: @escaping (_ lines: Int, _ refused: Int) -> any Model
    ) {
        refusals = LineRefusals(call)
        (self.prepare, self.take, self.finish, self.counts) = (prepare, take, finish, counts)
    }

    func step(input: inout InputLines, reply: inout CommandReply, now: MonotonicTime) throws -> OperationProgress {
        try prepare()
        for _ in 0..<Limits.importSliceLines {
            guard let line = input.next() else {
                guard input.isEnded else { return .needsInput }
                try finish()
                reply.data(counts(lines, refusals.count))
                refusals.end(&reply, lines: lines)
                return .done
            }
            if case .line(let bytes) = line, bytes.isBlank {
                blankLines += 1
                continue
            }
            lines += 1
            do {
                guard case .line(let bytes) = line else { throw FieldError("", "is longer than 1 MiB") }
                try take(bytes, now)
            } catch let fault as any LineFault {
                refusals.add(lines + blankLines, "\(fault)", to: &reply)
            }
        }
        return .again
    }
}

/// An error that blames a line of an import, not the store.
protocol LineFault: Error {}

extension FieldError: LineFault {}
extension ChatError: LineFault {}
extension ChatMessageError: LineFault {}
extension ConversationDetailsError: LineFault {}
extension GroupError: LineFault {}
extension ReadImportError: LineFault {}
extension ScoreError: LineFault {}

extension [UInt8] {
    /// True for a line of blanks alone.
    var isBlank: Bool { allSatisfy { $0 == 0x20 || $0 == 0x09 || $0 == 0x0D } }
}

/// Refused lines of an import: each is noted while they are few, then they are only counted.
package struct LineRefusals {
    private(set) var count = 0
    /// Lines of earlier parts.
    private let before: Int

    init(_ call: Call) { before = (call[Call.firstLine] ?? 1) - 1 }

    /// - Parameter line: from 1, within this part.
    mutating func add(_ line: Int, _ reason: String, to reply: inout CommandReply) {
        count += 1
        if count <= Limits.importComplaints {
            reply.note("line \(before + line): \(reason)")
        } else if count == Limits.importComplaints + 1 {
            reply.note(Self.further)
        }
    }

    /// Ends the reply with an error if lines were refused. Call it after the data.
    package func end(_ reply: inout CommandReply, lines: Int) {
        guard count > 0 else { return }
        reply.end(Self.error(count, of: lines))
    }

    package static let further = "further bad lines are only counted"

    package static func error(_ count: Int, of lines: Int) -> NodeError {
        let (noun, verb) = (lines == 1 ? "line" : "lines", count == 1 ? "was" : "were")
        return NodeError(.badInput, "\(count) of \(lines) \(noun) \(verb) refused")
    }
}
