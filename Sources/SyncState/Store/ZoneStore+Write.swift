package import NodeCore

/// Writing our own lane.
extension ZoneStore {
    /// Appends a record to our lane; it becomes durable, and is announced, with the next `commit`.
    ///
    /// - Parameters:
    ///   - content: the result of `ZoneContent.open` for the record.
    ///   - slotName: the name of the slot, in UTF-8.
    ///   - sealBlob: seals the payload under the header's `blobAssociatedData`.
    @discardableResult
    package func write(
        _ meta: RecordMeta, of content: any RecordContent, slotName: [UInt8], kind: RecordKind,
        sealBlob: ((RecordHeader) throws -> [UInt8])? = nil
    ) throws -> Record {
        try write(meta, slotName, kind, sealBlob, from: .own) { record in
            assert((try? self.content.open(record)) != nil, "invariant: what is written can be read")
            return content
        }
    }

    /// Appends a record and gets its content by opening it, as with a record from a peer: for records that a program of
    /// another version, or a malicious one, might write.
    ///
    /// - Throws: `RecordRejection` if it cannot be opened; nothing is changed then.
    @discardableResult
    package func write(
        _ meta: RecordMeta, slotName: String, kind: RecordKind,
        sealBlob: ((RecordHeader) throws -> [UInt8])? = nil
    ) throws -> Record {
        try write(meta, Array(slotName.utf8), kind, sealBlob, from: .peer(device.lane)) { record in
            try content.open(record)
        }
    }

    private func write(
        _ meta: RecordMeta, _ slotName: [UInt8], _ kind: RecordKind, _ sealBlob: ((RecordHeader) throws -> [UInt8])?,
        from origin: RecordOrigin, content: (Record) throws -> any RecordContent
    ) throws -> Record {
        try begin()
        let number = ownNumber
        let since = lanes[number].reached
        let header = RecordHeader(
            lane: device.lane, seq: since + 1, slot: sealer.slot(named: slotName, tag: meta.tag), kind: kind,
            keyVersion: sealer.keyVersion, prev: try self.content.previous)
        let sealed = try sealBlob?(header)
        let blob = sealed.map {
            BlobReference(hash: BlobHash(of: $0), sizeBytes: $0.count)
        }
        let sealedMeta = sealer.seal(meta, header: header, blob: blob, random: &random)
        let record = Record(
            header: header, blob: blob, sealedMeta: sealedMeta, zone: zone, signedBy: device.signing)
        precondition(record.encoded.count <= Limits.recordSizeBytes, "invariant: what is longer goes into a blob")
        let opened = try content(record)
        lanes[number].reached = record.seq
        let outcome = try put(record, opened: opened, from: origin)
        if let sealed, case .added(let row) = outcome {
            _ = try sealed.withUnsafeBytes { try store($0, row: row, of: record, from: origin) }
        }
        written.append((since, record))
        didWrite?(record)
        return record
    }

    /// The tag under which this instance writes a segment. Only the running instance that wrote a slot's latest row,
    /// and still holds it, reuses its tag: an instance that was restored, cloned, or lost the row would supersede
    /// contents that it does not have.
    package func segmentTag(of name: String) throws -> Bytes16 {
        try rewritableSegment(name)?.tag ?? Self.newTag(&random)
    }

    /// The latest record of a segment, and its tag; nil if another instance wrote it, or it is not held.
    package func rewritableSegment(_ name: String) throws -> (record: Record, tag: Bytes16)? {
        guard let known = segmentTags.find(name), try isLatest(known.row, slot: known.slot),
            let record = try record(at: known.row)
        else { return nil }
        return (record, known.tag)
    }

    /// Remembers that this instance wrote a segment, so that it may rewrite it in the same slot.
    package func rememberSegment(_ name: String, tag: Bytes16, record: Record) throws {
        guard let row = try row(of: record, lane: ownNumber) else { return }
        segmentTags.remember(name, tag: tag, slot: record.slot, row: row)
    }

    package func isLatest(_ row: RowID, slot: Slot) throws -> Bool {
        try row.lane == ownNumber && held(in: slot, lane: row.lane)?.row == row
    }
}

/// The tags of the latest segments written by this running instance. Forgetting one only costs a new slot.
struct SegmentTags {
    struct Entry {
        let tag: Bytes16
        let slot: Slot
        let row: RowID
    }

    private var entries: [String: Entry] = [:]
    private var order: [String] = []

    func find(_ name: String) -> Entry? { entries[name] }

    mutating func remember(_ name: String, tag: Bytes16, slot: Slot, row: RowID) {
        if entries.updateValue(Entry(tag: tag, slot: slot, row: row), forKey: name) == nil { order.append(name) }
        if order.count > 2 * Limits.segmentTags {
            for old in order.prefix(Limits.segmentTags) { entries[old] = nil }
            order.removeFirst(Limits.segmentTags)
        }
    }
}
