/// Why something said of a conversation is not taken.
package enum ConversationDetailsError: Error, Equatable, Sendable, CustomStringConvertible {
    case badConversationID
    case titleTooLong
    case tooManyParticipants
    case participantTooLong
    case participantsTooLong
    case checkpointTooLong

    package var description: String {
        switch self {
        case .badConversationID: "a conversation's id has 1 to \(Limits.conversationIDBytes) bytes"
        case .titleTooLong: "a title has at most \(Limits.titleBytes) bytes"
        case .tooManyParticipants: "a conversation has at most \(Limits.participants) participants"
        case .participantTooLong:
            "a participant's address has 1 to \(Limits.participantBytes) bytes, the name no more than that"
        case .participantsTooLong: "all participants together have at most \(Limits.participantsBytes) bytes"
        case .checkpointTooLong: "a checkpoint has at most \(Limits.chainCheckpointBytes) bytes"
        }
    }
}
