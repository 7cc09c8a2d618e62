import Ledger
package import NodeCore
package import SyncState

/// The fields of an opaque record, whose blob only its app understands: `[name]`.
package struct OpaqueName: Hashable, Sendable {
    /// UTF-8, at most `Limits.opaqueNameBytes`.
    package let text: String

    package init(_ text: String) { self.text = text }

    package var slotName: String { "opaque.\(text)" }

    package var encoded: [UInt8] {
        CBORWriter.array(text)
    }

    package init(fields: [UInt8], hasBlob: Bool) throws {
        var reader = try CBORReader(fields, array: 1)
        text = try reader.readText(max: Limits.opaqueNameBytes)
        try reader.finish()
    }
}

extension OpaqueName: AccountRecord {
    package static var metaType: MetaType { .opaque }
    package static var kind: RecordKind { .immutable }
    package func slotName(in lane: LaneID) -> [UInt8] { Array(slotName.utf8) }
}

/// Payloads that only the app understands.
package final class OpaquePart: AccountPart {
    typealias Content = OpaqueName

    private let context: AccountContext

    init(_ context: AccountContext) { self.context = context }

    /// Stores bytes as a separate immutable record.
    package func add(name: String, _ payload: [UInt8]) throws {
        let key = HKDF.derive(context.sealer.current.archive, "opaque", Array(name.utf8))
        try context.write(OpaqueName(name)) { header in
            XChaChaPoly.seal(
                payload, associatedData: header.blobAssociatedData, key: key, random: &self.context.random)
        }
    }
}
