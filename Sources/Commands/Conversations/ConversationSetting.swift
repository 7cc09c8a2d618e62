import Chat
import Node
import NodeCore
import SyncState

enum ConversationSetting {
    static let title = Parameter.text("--title", .limited("T", bytes: Chat.Limits.titleBytes), "the title").requested(
        .clearable(by: noTitle.spec.name))
    static let noTitle = Parameter.flag("--no-title", "clear the title")
    static let participants = Parameter.texts(
        "--participant", .text("ADDRESS[=NAME]"), "a participant; give all of them, since this replaces the list"
    ).named("participants").requested(.participants)
    static let pinned = Parameter.onOff("--pinned", "keep it on top")
    static let muted = Parameter.onOff("--muted", "send no notifications")
    static let archived = Parameter.onOff("--archived", "move it to the archive")
    static let unread = Parameter.onOff("--unread", "show it as unread until the next `read mark`")
        .named("markedUnread")
    static let checkpoint = Parameter.text(
        "--checkpoint", .form("HEX", .hexadecimal), "the app's place in its scan of the chain")

    /// Those of a request; null clears the title.
    static let requested: [any AnyParameter] = [
        title, participants, pinned, muted, archived,
        unread.requested(help: "show it as unread until it is marked as read"),
        checkpoint.requested(.pattern("^([0-9a-fA-F]{2}){1,512}$"), help: "hexadecimal digits of 1 to 512 bytes"),
    ]

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

    /// Reads `ADDRESS` or `ADDRESS=NAME`.
    private static func participant(_ text: String) -> ConversationParticipants.Participant {
        let parts = text.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
        return ConversationParticipants.Participant(
            address: String(parts[0]), name: parts.count > 1 ? String(parts[1]) : "")
    }
}
