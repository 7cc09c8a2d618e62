package import NodeCore
import SyncState

/// Titles, participants and flags of conversations.
extension AccountZone {
    /// Corrects what is said of a conversation; it goes to the other devices with the next commit.
    ///
    /// - Returns: whether anything changed.
    /// - Throws: `RevisionError`, `ConversationDetailsError`; nothing is changed then.
    @discardableResult
    package func change(_ conversation: String, _ changes: [ConversationChange], wall: WallTime) throws -> Bool {
        guard (1...Limits.conversationIDBytes).contains(conversation.utf8.count) else {
            throw ConversationDetailsError.badConversationID
        }
        var details = try chat.details(conversation)
        for change in changes { try details.apply(change, at: wall) }
        try store.begin()
        guard try chat.mergeDetails(details) else { return false }
        self.changes.note(.conversation(conversation))
        try writeDetails(details)
        return true
    }

    /// Joins what an archive says of a conversation; it goes to the other devices with the next commit.
    ///
    /// - Returns: whether that told anything new.
    package func adopt(_ details: ConversationDetails) throws -> Bool {
        try store.begin()
        guard try chat.mergeDetails(details) else { return false }
        changes.note(.conversation(details.conversationID))
        try writeDetails(try chat.details(details.conversationID))
        return true
    }

    /// A register arrived: it counts, whether or not its row is kept.
    func join(_ details: ConversationDetails) throws {
        guard try chat.mergeDetails(details) else { return }
        changes.note(.conversation(details.conversationID))
        suspectDetails.insert(ExactText(details.conversationID))
        store.mustSettle = true
    }

    /// Raises this device's registers where the live ones show less than the effective value.
    func raiseDetails() throws {
        defer { suspectDetails = [] }
        for id in suspectDetails.sorted(by: { $0.utf8.lexicographicallyPrecedes($1.utf8) }) {
            let effective = try chat.details(id.text)
            if try liveDetails(id.text).contains(effective) { continue }
            try writeDetails(effective)
        }
    }

    /// What the live registers alone say of a conversation: what a newcomer would compute.
    package func liveDetails(_ conversation: String) throws -> ConversationDetails {
        let nothing = ConversationDetails(conversationID: conversation)
        return try store.liveRegisters(slotName: nothing.slotName).reduce(nothing) { joined, record in
            guard let details = try? open(record) as? ConversationDetails else { return joined }
            return joined.merged(with: details)
        }
    }

    /// Writes the registers of a lane that this device leaves anew.
    func republishDetails(from old: LaneID) throws {
        for record in try store.liveRegisters(of: old) {
            guard let details = try? open(record) as? ConversationDetails else { continue }
            try writeDetails(try chat.details(details.conversationID))
        }
    }

    private func writeDetails(_ details: ConversationDetails) throws {
        try store.write(
            RecordMeta(type: .conversation, fields: details.encoded), slotName: details.slotName, kind: .register)
    }
}
