package import NodeCore

/// What a zone's store needs of the zone's keys: names of slots, sealed metas, and whether records are signed.
///
/// An account's keys follow from its root (`RecordSealer`); a group's come with its epochs.
package protocol ZoneSealer: AnyObject {
    var zone: ZoneID { get }
    /// The version of the keys under which new records are sealed.
    var keyVersion: UInt64 { get }
    /// Whether the lane's key signs each record. Where all who read are of one account, the seal alone is the proof.
    var signsRecords: Bool { get }
    /// The tag of what a record is about, given in UTF-8.
    func slot(named name: [UInt8], tag: Bytes16) -> Slot
    func seal(
        _ meta: RecordMeta, header: RecordHeader, blob: BlobReference?, random: inout any RandomSource
    ) -> [UInt8]
}

extension ZoneSealer {
    package func slot(named name: String, tag: Bytes16) -> Slot { slot(named: Array(name.utf8), tag: tag) }
}
