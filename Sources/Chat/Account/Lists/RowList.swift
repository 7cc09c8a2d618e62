package import NodeCore
package import SyncState

/// A list of rows that stay although their lane was removed (docs/PROTOCOL.md, §5.2). A Remove names it by its blob,
/// which is in clear, so that who cannot read judges alike. It permits and never denies.
package struct RowList: Hashable, Sendable {
    package static let slotName = "list"

    package init() {}

    /// The bytes of a list's blob: the first 16 bytes of each row's hash, ascending.
    package static func blob(_ names: ArraySlice<Bytes16>) -> [UInt8] { names.flatMap(\.bytes) }

    /// The names in a blob; none if it is not of that form.
    package static func names(_ blob: [UInt8]) -> [Bytes16] {
        guard blob.count % Bytes16.byteCount == 0 else { return [] }
        let names = stride(from: 0, to: blob.count, by: Bytes16.byteCount).compactMap {
            Bytes16(bytes: blob[$0..<$0 + Bytes16.byteCount])
        }
        return zip(names, names.dropFirst()).allSatisfy { $0 < $1 } ? names : []
    }
}

extension RowList: AccountRecord {
    package static var metaType: MetaType { .rowList }
    package static var kind: RecordKind { .immutable }
    /// Rows wait for it.
    package var priority: Int64 { .max }

    package init(fields: [UInt8], hasBlob: Bool) throws {
        var reader = CBORReader(fields)
        guard hasBlob, try reader.readArray(max: 0) == 0 else { throw CBORError.outOfRange(at: 0) }
        try reader.finish()
    }

    package var encoded: [UInt8] {
        var writer = CBORWriter()
        writer.writeArray(0)
        return writer.bytes
    }

    package func slotName(in lane: LaneID) -> [UInt8] { Array(Self.slotName.utf8) }
}
