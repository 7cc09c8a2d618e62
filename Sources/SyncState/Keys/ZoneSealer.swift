package import NodeCore

/// The store's interface to the zone's keys: slot names and sealed metas.
///
/// An account's keys are derived from its root (`RecordSealer`); a group's come with its epochs.
package protocol ZoneSealer: AnyObject {
    var zone: ZoneID { get }
    /// The version of the keys that seal new records.
    var keyVersion: UInt64 { get }
    /// The slot of a name given in UTF-8, with its tag.
    func slot(named name: [UInt8], tag: Bytes16) -> Slot
    func seal(
        _ meta: RecordMeta, header: RecordHeader, blob: BlobReference?, random: inout any RandomSource
    ) -> [UInt8]
}

extension ZoneSealer {
    package func slot(named name: String, tag: Bytes16) -> Slot { slot(named: Array(name.utf8), tag: tag) }
}
