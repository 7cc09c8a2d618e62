package import NodeCore

/// Writing the own lane.
extension ZoneStore {
    /// Appends a record to the own lane; durable, and to be announced, with the next `commit`.
    ///
    /// - Parameter sealBlob: seals the payload under the header's `blobAssociatedData`.
    @discardableResult
    package func write(
        _ meta: RecordMeta, slotName: String, kind: RecordKind,
        sealBlob: ((RecordHeader) throws -> [UInt8])? = nil
    ) throws -> Record {
        guard let content else { preconditionFailure("invariant: the store has its content") }
        try begin()
        let number = ownNumber
        let since = lanes[number].reached
        let header = RecordHeader(
            lane: device.lane, seq: since + 1, slot: sealer.slot(named: slotName, tag: meta.tag), kind: kind,
            keyVersion: sealer.keyVersion)
        let sealed = try sealBlob?(header)
        let blob = sealed.map {
            BlobReference(hash: BlobHash($0.withUnsafeBytes { Blake2b.hash32($0) }), sizeBytes: $0.count)
        }
        let sealedMeta = sealer.seal(meta, header: header, blob: blob, random: &random)
        let record =
            sealer.signsRecords
            ? Record(header: header, blob: blob, sealedMeta: sealedMeta, signedBy: device.signing)
            : Record(header: header, blob: blob, sealedMeta: sealedMeta)
        precondition(record.encoded.count <= Limits.recordSizeBytes, "invariant: what is longer goes into a blob")
        let opened = try content.open(record)
        lanes[number].reached = record.seq
        let outcome = try put(record, opened: opened)
        if let sealed, case .added(let row) = outcome {
            _ = try sealed.withUnsafeBytes { try store($0, row: row, of: record, from: record.lane) }
        }
        written.append((since, record))
        didWrite?(record)
        return record
    }

    /// The tag under which this instance writes a segment. Only the running instance that wrote a slot's latest row,
    /// and still holds it, uses its tag again: one that was restored, cloned, or lost the row would supersede contents
    /// that it has not got.
    package func segmentTag(of name: String) throws -> Bytes16 {
        if rules.isBroken(.segmentTag) { return .zero }
        if let known = segmentTags.find(name), try isLatest(known.row, slot: known.slot) { return known.tag }
        return Self.newTag(&random)
    }

    /// Remembers that this instance wrote a segment, so that it may write it anew under the same slot.
    package func rememberSegment(_ name: String, tag: Bytes16, record: Record) throws {
        guard let row = try row(of: record, lane: ownNumber) else { return }
        segmentTags.remember(name, tag: tag, slot: record.slot, row: row)
    }

    package func isLatest(_ row: RowID, slot: Slot) throws -> Bool {
        guard row.lane == ownNumber, try slots.find(lane: row.lane, slot: slot) == row else { return false }
        return try record(at: row) != nil
    }
}
