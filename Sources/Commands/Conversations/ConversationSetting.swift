import Chat
import Node
import NodeCore
import SyncState

/// What `conversation set` takes.
enum ConversationSetting {
    static let title = Parameter.text("--title", .text("T"), "what the conversation is called")
        .requested(.clearable(by: noTitle.spec.name))
    static let noTitle = Parameter.flag("--no-title", "take the title back")
    static let participants = Parameter.texts(
        "--participant", .text("ADDRESS[=NAME]"), "who takes part; all of them, since the list is set as a whole"
    ).named("participants").requested(.participants)
    static let pinned = Parameter.onOff("--pinned", "whether it stays on top")
    static let muted = Parameter.onOff("--muted", "whether it makes no noise")
    static let archived = Parameter.onOff("--archived", "whether it is put away")
    static let unread = Parameter.onOff("--unread", "whether it looks unread until the next `read mark`")
        .named("markedUnread")
    static let checkpoint = Parameter.text(
        "--checkpoint", .form("HEX", .hexadecimal), "where the app goes on scanning the chain"
    )

    /// Those of a request; null takes the title back.
    static let requested: [any AnyParameter] = [
        title, participants, pinned, muted, archived, unread,
        checkpoint.requested(.pattern("^([0-9a-fA-F]{2}){1,512}$"), help: "hexadecimal digits of 1 to 512 bytes"),
    ]

    /// What is to be set.
    static func changes(_ call: Call) throws -> [ConversationChange] {
        var changes: [ConversationChange] = []
        if let title = call[title] { changes.append(.title(try ConversationTitle(title))) }
        if call.has(noTitle) { changes.append(.title(try ConversationTitle(""))) }
        if let participants = call[participants] {
            changes.append(.participants(try ConversationParticipants(participants.map(participant))))
        }
        if let isOn = call[pinned] { changes.append(.pinned(isOn)) }
        if let isOn = call[muted] { changes.append(.muted(isOn)) }
        if let isOn = call[archived] { changes.append(.archived(isOn)) }
        if let isOn = call[unread] { changes.append(.markedUnread(isOn)) }
        if let hex = call[checkpoint] {
            guard let bytes = Hex.decode(hex) else {
                throw NodeError.wrong(checkpoint, "must be hexadecimal digits, two a byte")
            }
            changes.append(.checkpoint(try ChainCheckpoint(bytes)))
        }
        guard !changes.isEmpty else { throw NodeError(.usage, "conversation set needs something to set") }
        return changes
    }

    /// Of `ADDRESS` or `ADDRESS=NAME`.
    private static func participant(_ text: String) -> ConversationParticipants.Participant {
        let parts = text.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
        return ConversationParticipants.Participant(
            address: String(parts[0]), name: parts.count > 1 ? String(parts[1]) : "")
    }
}
