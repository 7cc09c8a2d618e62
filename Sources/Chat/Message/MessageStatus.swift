/// How far the chain has taken a message.
package enum MessageStatus: UInt8, Sendable, Equatable, CaseIterable {
    /// Not in a block that we know of.
    case pending = 0
    /// In a block.
    case seen = 1
    /// Accepted, deep enough to stay.
    case confirmed = 2
    /// Was accepted, and is not any more.
    case reorged = 3

    /// What a message without a status must be taken for: confirmed if it has a score, seen if only a block.
    package static func implied(hasBlockTime: Bool, hasScore: Bool) -> MessageStatus {
        hasScore ? .confirmed : hasBlockTime ? .seen : .pending
    }

    package var name: String {
        switch self {
        case .pending: "pending"
        case .seen: "seen"
        case .confirmed: "confirmed"
        case .reorged: "reorged"
        }
    }

    package init?(name: String) {
        guard let status = MessageStatus.allCases.first(where: { $0.name == name }) else { return nil }
        self = status
    }
}
