import Node
import NodeCore
import NodeModel

enum ExplanationText {
    @Sendable static func show(_ explanation: Explanation, _ output: Output) {
        output.line(Wording.capitalised(Terminal.harmless(explanation.sentence)) + ".")
        if let blocks = explanation.blockedBy { output.line("Blocked: \(Terminal.harmless(blocks)).") }
        if let next = Wording.time(explanation.nextTry) { output.line("Next attempt at \(next).") }
        if let message = explanation.message { show(message, output) }
        if let conversation = explanation.conversation { show(conversation, output) }
    }

    private static func show(_ message: ExplainedMessage, _ output: Output) {
        let copies = message.copies.map { copy -> [TextTable.Cell] in
            let others = copy.heldBy.joined(separator: ", ")
            return [
                "\(copy.place.rawValue)\(copy.shown ? "" : " (further copy)")", "\(copy.device)",
                "\(copy.segment.map { "\($0.seq)" } ?? "-")", "\(Wording.time(copy.segment?.arrivedAt) ?? "-")",
                "\(copy.segment?.from ?? "-")", "\(others.isEmpty ? "-" : others)",
            ]
        }
        let awaited = message.awaited.map { place -> [TextTable.Cell] in
            [TextTable.Cell("still to come", .warning), "\(place.device)", "\(place.seq)", "-", "-", "-"]
        }
        guard !(copies + awaited).isEmpty else { return }
        output.line("")
        output.table(
            [
                TextTable.Column(title: "WHERE", room: .wrapped(at: 8)),
                TextTable.Column(title: "WRITTEN BY", room: .shortened(to: 8)),
                TextTable.Column(title: "SEQ", isRight: true), TextTable.Column(title: "CAME"),
                TextTable.Column(title: "FROM", room: .shortened(to: 8)),
                TextTable.Column(title: "ALSO ON", room: .wrapped(at: 8)),
            ], copies + awaited)
    }

    private static func show(_ conversation: ExplainedConversation, _ output: Output) {
        output.line(
            "\(Wording.count(conversation.messages, "message")), \(Wording.grouped(conversation.unread)) unread.")
        guard !conversation.segments.isEmpty else { return }
        output.line("")
        let rows = conversation.segments.map { share -> [TextTable.Cell] in
            [
                "\(share.device)", "\(Wording.grouped(share.segments))", "\(Wording.grouped(share.messages))",
                "\(Wording.grouped(share.wantedMessages))",
                "\(Wording.minute(share.newestTs * 1_000)) UTC",
            ]
        }
        output.table(
            [
                TextTable.Column(title: "ARCHIVED BY", room: .shortened(to: 8)),
                TextTable.Column(title: "SEGMENTS", isRight: true), TextTable.Column(title: "MESSAGES", isRight: true),
                TextTable.Column(title: "STILL TO COME", isRight: true), TextTable.Column(title: "NEWEST"),
            ], rows)
    }
}
