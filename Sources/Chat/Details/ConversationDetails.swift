package import NodeCore
package import SyncState

/// A conversation's details as set by the user or the app: the value of a register, one per device, and the join of
/// them all.
///
/// Each field is corrected separately, so that devices that change different fields offline both win.
///
///     details = { 0: 3, 1: "conv." ‖ conversation (text), ? 2: title, ? 3: participants, ? 4: pinned, ? 5: muted,
///                 ? 6: archived, ? 7: marked unread, ? 8: checkpoint }, each [revision, at, value]
package struct ConversationDetails: Hashable, Sendable {
    /// The type of the record's meta.
    package static let type: UInt64 = 3

    package let conversationID: String
    package var title: Revised<ConversationTitle>?
    package var participants: Revised<ConversationParticipants>?
    package var isPinned: Revised<Bool>?
    package var isMuted: Revised<Bool>?
    package var isArchived: Revised<Bool>?
    /// The user wants it to look unread, whatever was read; the next read mark ends that.
    package var isMarkedUnread: Revised<Bool>?
    package var checkpoint: Revised<ChainCheckpoint>?

    package init(conversationID: String) { self.conversationID = conversationID }

    /// The name of the register: `conv.<conversation>`.
    package var slotName: String { "conv.\(conversationID)" }

    /// Joins the details of several devices, field by field.
    package static func joined(_ all: [ConversationDetails], of conversation: String) -> ConversationDetails {
        var joined = ConversationDetails(conversationID: conversation)
        joined.title = .joined(all.compactMap(\.title))
        joined.participants = .joined(all.compactMap(\.participants))
        joined.isPinned = .joined(all.compactMap(\.isPinned))
        joined.isMuted = .joined(all.compactMap(\.isMuted))
        joined.isArchived = .joined(all.compactMap(\.isArchived))
        joined.isMarkedUnread = .joined(all.compactMap(\.isMarkedUnread))
        joined.checkpoint = .joined(all.compactMap(\.checkpoint))
        return joined
    }

    /// Takes the fields of other details that differ from what was held before.
    mutating func take(from other: ConversationDetails, whatDiffersFrom held: ConversationDetails) {
        func take<Value>(_ field: WritableKeyPath<Self, Revised<Value>?>, _ own: inout Self) {
            if other[keyPath: field] != held[keyPath: field] { own[keyPath: field] = other[keyPath: field] }
        }
        take(\.title, &self)
        take(\.participants, &self)
        take(\.isPinned, &self)
        take(\.isMuted, &self)
        take(\.isArchived, &self)
        take(\.isMarkedUnread, &self)
        take(\.checkpoint, &self)
    }

    /// Makes a correction; no effect if the value is the same.
    ///
    /// - Parameter others: the details of the other devices.
    package mutating func apply(
        _ change: ConversationChange, at wall: WallTime, besides others: [ConversationDetails] = []
    ) {
        switch change {
        case .title(let value): correct(\.title, to: value, wall, others)
        case .participants(let value): correct(\.participants, to: value, wall, others)
        case .pinned(let value): correct(flag: \.isPinned, to: value, wall, others)
        case .muted(let value): correct(flag: \.isMuted, to: value, wall, others)
        case .archived(let value): correct(flag: \.isArchived, to: value, wall, others)
        case .markedUnread(let value): correct(flag: \.isMarkedUnread, to: value, wall, others)
        case .checkpoint(let value): correct(\.checkpoint, to: value, wall, others)
        }
    }

    private mutating func correct<Value>(
        _ field: WritableKeyPath<Self, Revised<Value>?>, to value: Value, _ wall: WallTime,
        _ others: [ConversationDetails]
    ) {
        self[keyPath: field] = .correcting(
            self[keyPath: field], to: value, at: wall, besides: others.compactMap { $0[keyPath: field] })
    }

    /// A flag that was never set is off, so switching it off changes nothing.
    private mutating func correct(
        flag: WritableKeyPath<Self, Revised<Bool>?>, to value: Bool, _ wall: WallTime, _ others: [ConversationDetails]
    ) {
        if self[keyPath: flag] != nil || value { correct(flag, to: value, wall, others) }
    }
}

/// One correction of a conversation's details.
package enum ConversationChange: Hashable, Sendable {
    case title(ConversationTitle)
    case participants(ConversationParticipants)
    case pinned(Bool)
    case muted(Bool)
    case archived(Bool)
    case markedUnread(Bool)
    case checkpoint(ChainCheckpoint)
}

extension ConversationDetails: AccountRecord {
    package static var metaType: MetaType { .conversation }
    package func slotName(in lane: LaneID) -> [UInt8] { Array(slotName.utf8) }
}

/// The user's title for a conversation; empty for none.
package struct ConversationTitle: RevisedValue {
    /// UTF-8 of at most `Limits.titleBytes`.
    private let exact: ExactText

    package var text: String { exact.text }

    package init(_ text: String) throws(ConversationDetailsError) {
        guard text.utf8.count <= Limits.titleBytes else { throw .titleTooLong }
        exact = ExactText(text)
    }

    @usableFromInline package func write(to writer: inout CBORWriter) { writer.write(text: text) }

    package init(from reader: inout CBORReader) throws(CBORError) {
        exact = ExactText(try reader.readText(max: Limits.titleBytes))
    }
}

/// The participants of a conversation, in the order given by the app.
package struct ConversationParticipants: RevisedValue {
    package struct Participant: Hashable, Sendable {
        private let exactAddress: ExactText
        private let exactName: ExactText

        /// UTF-8 of 1 to `Limits.participantBytes`.
        package var address: String { exactAddress.text }
        /// UTF-8 of at most `Limits.participantBytes`; empty if no name is known.
        package var name: String { exactName.text }

        package init(address: String, name: String = "") {
            exactAddress = ExactText(address)
            exactName = ExactText(name)
        }
    }

    package let list: [Participant]

    package init(_ list: [Participant]) throws(ConversationDetailsError) {
        guard list.count <= Limits.participants else { throw .tooManyParticipants }
        var total = 0
        for participant in list {
            guard !participant.address.isEmpty, participant.address.utf8.count <= Limits.participantBytes,
                participant.name.utf8.count <= Limits.participantBytes
            else { throw .participantTooLong }
            total += participant.address.utf8.count + participant.name.utf8.count
        }
        guard total <= Limits.participantsBytes else { throw .participantsTooLong }
        self.list = list
    }

    /// `[ * [address, name] ]`
    @usableFromInline package func write(to writer: inout CBORWriter) {
        writer.writeArray(list.count)
        for participant in list {
            writer.write(array: participant.address, participant.name)
        }
    }

    package init(from reader: inout CBORReader) throws(CBORError) {
        let start = reader.position
        var list: [Participant] = []
        for _ in 0..<(try reader.readArray(max: Limits.participants)) {
            try reader.readArray(of: 2)
            list.append(
                Participant(
                    address: try reader.readText(max: Limits.participantBytes),
                    name: try reader.readText(max: Limits.participantBytes)))
        }
        do throws(ConversationDetailsError) {
            try self.init(list)
        } catch {
            throw .wrongSize(at: start)
        }
    }
}

/// The position where a device continues scanning the chain for a conversation: bytes that only the app understands.
package struct ChainCheckpoint: RevisedValue {
    /// At most `Limits.chainCheckpointBytes`; empty if there is none.
    package let bytes: [UInt8]

    package init(_ bytes: [UInt8]) throws(ConversationDetailsError) {
        guard bytes.count <= Limits.chainCheckpointBytes else { throw .checkpointTooLong }
        self.bytes = bytes
    }

    @usableFromInline package func write(to writer: inout CBORWriter) { writer.write(bytes: bytes) }

    package init(from reader: inout CBORReader) throws(CBORError) {
        bytes = try reader.readBytes(max: Limits.chainCheckpointBytes)
    }
}

/// Why a conversation's details are refused.
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

extension ConversationDetails {
    package var encoded: [UInt8] {
        var writer = CBORWriter(capacity: 160)
        let flags = [isPinned, isMuted, isArchived, isMarkedUnread]
        let optional = [title == nil, participants == nil, checkpoint == nil] + flags.map { $0 == nil }
        writer.writeMap(2 + optional.count { !$0 })
        writer.write(0, Self.type, 1, slotName)
        writer.write(2, ifPresent: title)
        writer.write(3, ifPresent: participants)
        for (key, flag) in zip(UInt64(4)..., flags) { writer.write(key, ifPresent: flag) }
        writer.write(8, ifPresent: checkpoint)
        return writer.bytes
    }

    /// Reads the output of `encoded` and refuses everything else.
    package init(fields: [UInt8], hasBlob: Bool) throws {
        var reader = CBORReader(fields)
        let count = try reader.readMap(max: 9)
        guard count >= 2, try reader.readKey(after: nil) == 0, try reader.readUInt() == Self.type,
            try reader.readKey(after: 0) == 1
        else { throw CBORError.outOfRange(at: 0) }
        self.init(conversationID: try reader.readConversation(after: "conv."))
        var key: UInt64 = 1
        for _ in 2..<count {
            key = try reader.readKey(after: key)
            switch key {
            case 2: title = try Revised(from: &reader)
            case 3: participants = try Revised(from: &reader)
            case 4: isPinned = try Revised(from: &reader)
            case 5: isMuted = try Revised(from: &reader)
            case 6: isArchived = try Revised(from: &reader)
            case 7: isMarkedUnread = try Revised(from: &reader)
            case 8: checkpoint = try Revised(from: &reader)
            default: throw CBORError.outOfRange(at: reader.position)
            }
        }
        try reader.finish()
    }
}
