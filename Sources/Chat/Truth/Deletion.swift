package import NodeCore
import SyncState

/// A device's register that deletes a message, or a conversation up to a message, or undoes that.
///
///     deletion = [ 0, txid, revision, is deleted, at ]
///              / [ 1, conversation, revision, through / null, txid / null, at ]
///
/// The values with the highest revision that counts apply, and among them deleting wins over undoing. Devices delete
/// under the revision that they find, and undo under the next.
package struct Deletion: Sendable, Hashable {
    package enum Subject: Sendable, Hashable, Comparable {
        case message(TxID)
        case conversation(String)

        /// `delete.message.<txid>` or `delete.conversation.<conversation>`.
        package var slotName: String {
            switch self {
            case .message(let txid): "delete.message.\(txid.hex)"
            case .conversation(let id): "delete.conversation.\(id)"
            }
        }

        /// Reads what `slotName` writes.
        init?(slotName: String) {
            let (message, conversation) = ("delete.message.", "delete.conversation.")
            if slotName.utf8.starts(with: message.utf8) {
                guard let txid = TxID(hex: String(slotName.utf8.dropFirst(message.utf8.count)) ?? "") else {
                    return nil
                }
                self = .message(txid)
            } else {
                guard slotName.utf8.starts(with: conversation.utf8),
                    let id = String(slotName.utf8.dropFirst(conversation.utf8.count)), !id.isEmpty
                else { return nil }
                self = .conversation(id)
            }
        }

        package static func < (left: Subject, right: Subject) -> Bool {
            left.slotName.utf8.lexicographicallyPrecedes(right.slotName.utf8)
        }

        // Compared by bytes: ids that only look the same are equal as strings.
        package static func == (left: Subject, right: Subject) -> Bool {
            left.slotName.utf8.elementsEqual(right.slotName.utf8)
        }

        package func hash(into hasher: inout Hasher) { hasher.combine(Array(slotName.utf8)) }
    }

    /// Up to where a conversation is deleted: a time in milliseconds, and the message that has it. No further than that
    /// message's own time, and nowhere while it is not held: so a deletion "at the end of time" does nothing.
    package struct Bound: Sendable, Hashable {
        package var through: UInt64
        package var named: TxID

        package init(through: UInt64, named: TxID) {
            (self.through, self.named) = (through, named)
        }
    }

    package enum State: Sendable, Hashable {
        case undone
        /// A message is deleted.
        case deleted
        /// A conversation is deleted up to a message.
        case deletedUpTo(Bound)
    }

    package let subject: Subject
    package let state: State
    /// From 1.
    package let revision: UInt64
    /// When the user deleted it, by that device's clock. Messages that went with their conversation have its time.
    package let at: WallTime

    /// - Parameter at: clamped to `Limits.revisionTimes`.
    package init(message txid: TxID, isDeleted: Bool = true, revision: UInt64 = 1, at: WallTime) {
        self.init(.message(txid), isDeleted ? .deleted : .undone, revision: revision, at: at)
    }

    /// - Parameters:
    ///   - bound: nil for undone.
    ///   - at: clamped to `Limits.revisionTimes`.
    package init(conversation: String, upTo bound: Bound?, revision: UInt64 = 1, at: WallTime) {
        self.init(.conversation(conversation), bound.map { .deletedUpTo($0) } ?? .undone, revision: revision, at: at)
    }

    init(_ subject: Subject, _ state: State, revision: UInt64, at: WallTime) {
        self.subject = subject
        self.state = state
        self.revision = revision
        let times = SyncState.Limits.revisionTimes
        self.at = min(max(at, times.lowerBound), times.upperBound)
    }

    package var bound: Bound? { if case .deletedUpTo(let bound) = state { bound } else { nil } }

    package var encoded: [UInt8] {
        var writer = CBORWriter(capacity: 96)
        switch subject {
        case .message(let txid):
            writer.write(array: 0, txid, revision, state == .deleted, at)
        case .conversation(let id):
            writer.write(array: 1, id, revision, bound?.through, bound?.named, at)
        }
        return writer.bytes
    }

    /// Reads the output of `encoded` and refuses everything else.
    package init(fields: [UInt8], hasBlob: Bool) throws {
        var reader = CBORReader(fields)
        let count = try reader.readArray(max: 6)
        switch (count, try reader.readUInt()) {
        case (5, 0):
            subject = .message(try reader.read(TxID.self))
            revision = try reader.readUInt()
            state = try reader.readBool() ? .deleted : .undone
        case (6, 1):
            let id = try reader.readText(max: Limits.conversationIDBytes)
            guard !id.isEmpty else { throw CBORError.outOfRange(at: reader.position) }
            subject = .conversation(id)
            revision = try reader.readUInt()
            if try reader.readNullIfPresent() {
                guard try reader.readNullIfPresent() else { throw CBORError.unexpectedType(at: reader.position) }
                state = .undone
            } else {
                let through = try reader.readUInt(max: Limits.timeMilliseconds)
                state = .deletedUpTo(Bound(through: through, named: try reader.read(TxID.self)))
            }
        default: throw CBORError.outOfRange(at: 0)
        }
        at = try reader.readTime()
        guard (1...SyncState.Limits.revision).contains(revision), SyncState.Limits.revisionTimes.contains(at) else {
            throw CBORError.outOfRange(at: reader.position)
        }
        try reader.finish()
    }
}

extension Deletion: AccountRecord {
    package static var metaType: MetaType { .deletion }
    package func slotName(in lane: LaneID) -> [UInt8] { Array(subject.slotName.utf8) }
}
