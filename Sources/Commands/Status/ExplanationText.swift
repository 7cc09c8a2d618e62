import Node
import NodeCore
import NodeModel

enum ExplanationText {
    @Sendable static func show(_ explanation: Explanation, _ output: Output) {
        output.line(StatusText.capitalised(Terminal.harmless(explanation.sentence)) + ".")
        if let blocks = explanation.blockedBy { output.line("Blocked: \(Terminal.harmless(blocks)).") }
        if let next = StatusText.time(explanation.nextTry) { output.line("Next attempt at \(next).") }
        if let message = explanation.message { show(message, output) }
        if let conversation = explanation.conversation { show(conversation, output) }
    }

    private static func show(_ message: ExplainedMessage, _ output: Output) {
        var rows = [["WHERE", "WRITTEN BY", "SEQ", "CAME", "FROM", "ALSO ON"]]
        for copy in message.copies {
            let others = copy.heldBy.joined(separator: ", ")
            rows.append([
                copy.place.rawValue + (copy.shown ? "" : " (further copy)"), Terminal.harmless(copy.device),
                copy.segment.map { "\($0.seq)" } ?? "-", StatusText.time(copy.segment?.arrivedAt) ?? "-",
                Terminal.harmless(copy.segment?.from ?? "-"), others.isEmpty ? "-" : Terminal.harmless(others),
            ])
        }
        for place in message.awaited {
            rows.append(["still to come", Terminal.harmless(place.device), "\(place.seq)", "-", "-", "-"])
        }
        guard rows.count > 1 else { return }
        output.line("")
        StatusText.table(rows, output)
    }

    private static func show(_ conversation: ExplainedConversation, _ output: Output) {
        output.line(
            "\(Wording.grouped(conversation.messages)) messages, \(Wording.grouped(conversation.unread)) unread.")
        var rows = [["ARCHIVED BY", "SEGMENTS", "MESSAGES", "STILL TO COME", "NEWEST"]]
        for share in conversation.segments {
            rows.append([
                Terminal.harmless(share.device), Wording.grouped(share.segments), Wording.grouped(share.messages),
                Wording.grouped(share.wantedMessages),
                CivilTime(milliseconds: Int64(share.newestTs) * 1_000).text + " UTC",
            ])
        }
        guard rows.count > 1 else { return }
        output.line("")
        StatusText.table(rows, output)
    }
}
