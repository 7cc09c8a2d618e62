import Chat
import Node
import NodeCore
import SyncState

extension ConversationChange {
    /// What the options of `conversation set` ask for.
    static func changes(_ request: ControlRequest) throws -> [ConversationChange] {
        var changes: [ConversationChange] = []
        if let title = request.text("--title") { changes.append(.title(try ConversationTitle(title))) }
        if request.has("--no-title") { changes.append(.title(try ConversationTitle(""))) }
        if request.has("--participant") {
            let list = (request.arguments["--participant"] ?? []).map { text in
                let parts = text.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
                return ConversationParticipants.Participant(
                    address: String(parts[0]), name: parts.count > 1 ? String(parts[1]) : "")
            }
            changes.append(.participants(try ConversationParticipants(list)))
        }
        for (name, change) in flags {
            if let text = request.text(name) { changes.append(change(try isOn(text, name))) }
        }
        if let hex = request.text("--checkpoint") {
            guard let bytes = Hex.decode(hex) else {
                throw NodeError(.usage, "--checkpoint must be hexadecimal digits, two a byte")
            }
            changes.append(.checkpoint(try ChainCheckpoint(bytes)))
        }
        guard !changes.isEmpty else { throw NodeError(.usage, "conversation set needs something to set") }
        return changes
    }

    private static let flags: [(String, @Sendable (Bool) -> ConversationChange)] = [
        ("--pinned", { .pinned($0) }), ("--muted", { .muted($0) }), ("--archived", { .archived($0) }),
        ("--unread", { .markedUnread($0) }),
    ]

    private static func isOn(_ text: String, _ name: String) throws(NodeError) -> Bool {
        switch text {
        case "on": return true
        case "off": return false
        default: throw NodeError(.usage, "\(name) must be `on` or `off`")
        }
    }
}
