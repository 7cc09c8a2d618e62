package import NodeCore
package import SyncState

/// The deletion of a message, or of a conversation up to a time: the value of a register that stays for ever.
///
///     deletion = [ 0, txid ] / [ 1, conversation, through ]
///
/// Deletions are joined: a message is deleted as soon as any says so, a conversation up to the latest time.
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

        package static func < (left: Subject, right: Subject) -> Bool {
            left.slotName.utf8.lexicographicallyPrecedes(right.slotName.utf8)
        }

        // By bytes: ids that only look the same compare equal as strings.
        package static func == (left: Subject, right: Subject) -> Bool {
            left.slotName.utf8.elementsEqual(right.slotName.utf8)
        }

        package func hash(into hasher: inout Hasher) { hasher.combine(Array(slotName.utf8)) }
    }

    package var subject: Subject
    /// For a conversation: its messages up to this time in milliseconds are deleted. 0 for a message.
    package var through: UInt64

    package init(message txid: TxID) {
        subject = .message(txid)
        through = 0
    }

    package init(conversation: String, through: UInt64) {
        subject = .conversation(conversation)
        self.through = through
    }

    package var encoded: [UInt8] {
        var writer = CBORWriter(capacity: 64)
        switch subject {
        case .message(let txid):
            writer.writeArray(2)
            writer.write(UInt64(0))
            writer.write(txid)
        case .conversation(let id):
            writer.writeArray(3)
            writer.write(UInt64(1))
            writer.write(text: id)
            writer.write(through)
        }
        return writer.bytes
    }

    /// Reads the output of `encoded` and refuses everything else.
    package init(encoded: [UInt8]) throws(CBORError) {
        var reader = CBORReader(encoded)
        let count = try reader.readArray(max: 3)
        switch (count, try reader.readUInt()) {
        case (2, 0): self.init(message: try reader.read(TxID.self))
        case (3, 1):
            let id = try reader.readText(max: Limits.conversationIDBytes)
            let through = try reader.readUInt()
            guard !id.isEmpty, through <= Limits.timeMilliseconds else { throw .outOfRange(at: reader.position) }
            self.init(conversation: id, through: through)
        default: throw .outOfRange(at: 0)
        }
        try reader.finish()
    }
}

extension Deletion: Joinable {
    /// Both must have the same subject.
    package func merged(with other: Deletion) -> Deletion {
        var merged = self
        merged.through = max(through, other.through)
        return merged
    }
}

extension Deletion: AccountRecord {
    package static var metaType: MetaType { .deletion }
    package static var kind: RecordKind { .register }
    package init(fields: [UInt8], hasBlob: Bool) throws { try self.init(encoded: fields) }
    package func slotName(in lane: LaneID) -> [UInt8] { Array(subject.slotName.utf8) }
}
