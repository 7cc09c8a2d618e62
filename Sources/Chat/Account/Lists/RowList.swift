package import NodeCore
package import SyncState

/// A list of rows by their hashes (docs/PROTOCOL.md, §5.2). Its blob is in clear, so that a node that cannot read
/// records judges them the same way. It permits and never denies.
///
/// Its fields are `[]`, or `[first, last]`.
package struct RowList: Hashable, Sendable {
    package static let slotName = "list"

    /// The seqs of the rows that it names in its own lane: these rows need no signature of their own. Nil for a
    /// Remove's list, which the Remove names by its blob.
    package let rows: ClosedRange<UInt64>?

    /// The bytes of a list's blob: the first 16 bytes of each row's hash, ascending.
    package static func blob(_ names: ArraySlice<Bytes16>) -> [UInt8] { names.flatMap(\.bytes) }

    /// The blobs of lists that name these rows.
    package static func blobs(naming rows: some Sequence<RecordHash>) -> [[UInt8]] {
        let names = Set(rows.map(\.prefix)).sorted()
        return stride(from: 0, to: names.count, by: Limits.listedRows).map { start in
            blob(names[start..<min(start + Limits.listedRows, names.count)])
        }
    }

    /// The names in a blob; none if it is not of that form.
    package static func names(_ blob: [UInt8]) -> [Bytes16] {
        guard blob.count % Bytes16.byteCount == 0 else { return [] }
        let names = blob.withUnsafeBytes { bytes in
            stride(from: 0, to: bytes.count, by: Bytes16.byteCount).map {
                Bytes16(loading: bytes.baseAddress.unsafelyUnwrapped + $0)
            }
        }
        return zip(names, names.dropFirst()).allSatisfy { $0 < $1 } ? names : []
    }
}

extension RowList: AccountRecord {
    package static var metaType: MetaType { .rowList }
    package static var kind: RecordKind { .immutable }
    /// Highest, because rows wait for it.
    package var priority: Int64 { .max }

    package init(fields: [UInt8], hasBlob: Bool) throws {
        var reader = CBORReader(fields)
        guard hasBlob else { throw CBORError.outOfRange(at: 0) }
        switch try reader.readArray(max: 2) {
        case 0: rows = nil
        case 2:
            let (first, last) = (try reader.readUInt(), try reader.readUInt(max: SyncState.Limits.highestSeq))
            guard 1 <= first, first <= last else { throw CBORError.outOfRange(at: 0) }
            rows = first...last
        default: throw CBORError.wrongSize(at: 0)
        }
        try reader.finish()
    }

    package var encoded: [UInt8] {
        var writer = CBORWriter()
        writer.writeArray(rows == nil ? 0 : 2)
        if let rows {
            writer.write(rows.lowerBound)
            writer.write(rows.upperBound)
        }
        return writer.bytes
    }

    package func slotName(in lane: LaneID) -> [UInt8] { Array(Self.slotName.utf8) }
}
