package import NodeCore
import SyncState

/// Titles, participants and flags of conversations. The values that count follow from the held registers, and are kept
/// in the chat's own table.
package final class DetailsPart: AccountPart {
    private let context: AccountContext
    /// Conversations whose registers changed since the last commit.
    private var suspects: Set<ExactText> = []
    /// Own values that a copy of this device has replaced since the last commit. They are written again after a fresh
    /// start.
    private var replaced: [ConversationDetails] = []

    init(_ context: AccountContext) { self.context = context }

    /// Changes the details of a conversation; the other devices get them with the next commit.
    ///
    /// - Returns: whether anything changed.
    /// - Throws: `ConversationDetailsError`; nothing is changed then.
    @discardableResult
    package func change(_ conversation: String, _ changes: [ConversationChange], wall: WallTime) throws -> Bool {
        guard (1...Limits.conversationIDBytes).contains(conversation.utf8.count) else {
            throw ConversationDetailsError.badConversationID
        }
        let held = try context.chat.details(conversation)
        let registers = try registers(of: conversation)
        let others = registers.filter { $0.lane != context.lane }.map(\.content)
        var details = held
        for change in changes { details.apply(change, at: wall, besides: others) }
        guard details != held else { return false }
        // It does not repeat the others' values, since their records may stop counting.
        var own =
            registers.first { $0.lane == context.lane }?.content ?? ConversationDetails(conversationID: conversation)
        own.take(from: details, whatDiffersFrom: held)
        try say(own)
        return true
    }

    /// Joins details of a conversation from an archive; the other devices get them with the next commit.
    ///
    /// - Returns: whether anything was new.
    package func adopt(_ details: ConversationDetails) throws -> Bool {
        let held = try context.chat.details(details.conversationID)
        guard ConversationDetails.joined([held, details], of: details.conversationID) != held else { return false }
        let own = try registers(of: details.conversationID).filter { $0.lane == context.lane }.map(\.content)
        try say(.joined(own + [details], of: details.conversationID))
        return true
    }

    /// The details in the live registers alone, as a new device would compute them.
    package func live(_ conversation: String) throws -> ConversationDetails {
        .joined(try registers(of: conversation).map(\.content), of: conversation)
    }

    private func registers(of conversation: String) throws -> [(lane: LaneID, content: ConversationDetails)] {
        try context.registers(slotName: ConversationDetails(conversationID: conversation).slotName)
    }

    private func say(_ details: ConversationDetails) throws {
        try context.store.begin()
        try context.write(details)
        try settle()
    }

    // MARK: Registers

    func held(_ content: ConversationDetails, in lane: LaneID) throws { suspect(content) }

    func lost(_ content: ConversationDetails, in lane: LaneID) throws {
        suspect(content)
        if lane == context.lane { replaced.append(content) }
    }

    func isTaken(_ content: ConversationDetails, in lane: LaneID) throws -> Bool {
        try context.chat.details(content.conversationID) == live(content.conversationID)
    }

    private func suspect(_ content: ConversationDetails) {
        suspects.insert(ExactText(content.conversationID))
        context.store.mustSettle = true
    }

    func settle() throws {
        defer { (suspects, replaced) = ([], []) }
        for conversation in suspects.sorted().map(\.text) where try context.chat.setDetails(live(conversation)) {
            context.changes.note(.conversation, conversation: conversation)
        }
    }

    /// Makes this device repeat what it said and no register says any more.
    func rowsLost(in lane: LaneID) throws {
        try settle()
        for held in try context.chat.allDetails() {
            let registers = try registers(of: held.conversationID)
            let live = ConversationDetails.joined(registers.map(\.content), of: held.conversationID)
            guard held != live else { continue }
            suspect(held)
            guard lane == context.lane else { continue }
            var own =
                registers.first { $0.lane == lane }?.content
                ?? ConversationDetails(conversationID: held.conversationID)
            own.take(from: held, whatDiffersFrom: live)
            try context.write(own)
        }
    }

    func republish(from old: LaneID) throws {
        for record in try context.store.liveRegisters(of: old) {
            guard let content: ConversationDetails = context.read(record) else { continue }
            let said = [content] + replaced.filter { ExactText($0.conversationID) == ExactText(content.conversationID) }
            try context.write(ConversationDetails.joined(said, of: content.conversationID))
        }
    }

    func reload() throws { (suspects, replaced) = ([], []) }
}
