package import NodeCore
package import SyncState

/// What a device says about how far a conversation was read on it: the value of a register.
///
///     marker = { 0: 6, 1: "read." ‖ conversation (text), 2: position, 3: txid, 4: block time or null, 5: read at }
package struct ReadMarker: Sendable, Hashable {
    /// The type of the record's meta.
    package static let type: UInt64 = 6

    package var conversationID: String
    package var position: ReadPosition
    /// The message that was marked.
    package var txid: TxID
    /// Its block time in milliseconds, nil if it had none.
    package var blockTime: UInt64?
    /// The clock of the device that marked, which may be wrong: shown, never compared first.
    package var readAt: WallTime

    package init(
        conversationID: String, position: ReadPosition, txid: TxID, blockTime: UInt64? = nil, readAt: WallTime
    ) {
        self.conversationID = conversationID
        self.position = position
        self.txid = txid
        self.blockTime = blockTime
        self.readAt = readAt
    }

    /// The name of the register: `read.<conversation>`.
    package static func name(conversationID: String) -> String { "read.\(conversationID)" }

    package var encoded: [UInt8] {
        var writer = CBORWriter(capacity: 160)
        writer.writeMap(6)
        writer.write(UInt64(0))
        writer.write(Self.type)
        writer.write(UInt64(1))
        writer.write(text: Self.name(conversationID: conversationID))
        writer.write(UInt64(2))
        position.write(to: &writer)
        writer.write(UInt64(3))
        writer.write(txid)
        writer.write(UInt64(4))
        if let blockTime { writer.write(blockTime) } else { writer.writeNull() }
        writer.write(UInt64(5))
        writer.write(readAt.milliseconds)
        return writer.bytes
    }

    /// Reads what `encoded` gives, and refuses everything else.
    package init(decoding bytes: [UInt8]) throws(CBORError) {
        var reader = CBORReader(bytes)
        guard try reader.readMap(max: 6) == 6 else { throw .wrongSize(at: 0) }
        func key(_ number: UInt64) throws(CBORError) {
            let start = reader.position
            guard try reader.readUInt() == number else { throw .keyOrder(at: start) }
        }
        try key(0)
        guard try reader.readUInt() == Self.type else { throw .outOfRange(at: reader.position) }
        try key(1)
        let name = try reader.readText(max: Limits.conversationIDBytes + 5)
        // By bytes: characters that combine with the dot belong to the conversation's id.
        guard name.utf8.starts(with: "read.".utf8), let id = String(name.utf8.dropFirst(5)), !id.isEmpty else {
            throw .outOfRange(at: reader.position)
        }
        conversationID = id
        try key(2)
        position = try ReadPosition(from: &reader, maxNamed: Limits.namedReads)
        try key(3)
        txid = try reader.read(TxID.self)
        try key(4)
        if try !reader.readNullIfPresent() {
            let time = try reader.readUInt()
            guard time <= Limits.timeMilliseconds else { throw .outOfRange(at: reader.position) }
            blockTime = time
        }
        try key(5)
        readAt = WallTime(milliseconds: try reader.readInt())
        try reader.finish()
    }

    /// True if this marker, of `lane`, is shown as the latest rather than `other`: the same choice on every device.
    func isLater(than other: ReadMarker, lane: LaneID, otherLane: LaneID) -> Bool {
        let ownScore = position.scorePoint
        let otherScore = other.position.scorePoint
        if ownScore != otherScore {
            guard let ownScore else { return false }
            guard let otherScore else { return true }
            return ownScore > otherScore
        }
        let ownTime = position.timeMilliseconds ?? 0
        let otherTime = other.position.timeMilliseconds ?? 0
        if ownTime != otherTime { return ownTime > otherTime }
        if readAt != other.readAt { return readAt > other.readAt }
        if txid != other.txid { return txid > other.txid }
        return lane > otherLane
    }
}

extension ReadMarker {
    package var slotName: String { "read.\(conversationID)" }

    func raised(to position: ReadPosition) -> ReadMarker {
        var raised = self
        raised.position = position
        return raised
    }
}

extension ReadMarker: AccountRecord {
    package static var metaType: MetaType { .readMarker }
    package static var kind: RecordKind { .register }
    package init(fields: [UInt8], hasBlob: Bool) throws { try self.init(decoding: fields) }
    package func slotName(in lane: LaneID) -> [UInt8] { Array(slotName.utf8) }
}
