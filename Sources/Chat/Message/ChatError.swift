/// Why the chat refuses a request.
package enum ChatError: Error, Equatable, Sendable, CustomStringConvertible {
    case unknownConversation
    /// No such message, or it is in another conversation.
    case unknownMessage
    /// No more stubs can be kept.
    case tooManyStubs
    /// No fact about this message can be above the latest.
    case revisionsExhausted

    package var description: String {
        switch self {
        case .unknownConversation: "there is no such conversation here"
        case .unknownMessage: "there is no such message in this conversation"
        case .revisionsExhausted: "this message cannot be changed any more: its revisions are used up"
        case .tooManyStubs: "\(Limits.stubs) messages are waiting for their bodies; no more can be kept"
        }
    }
}
