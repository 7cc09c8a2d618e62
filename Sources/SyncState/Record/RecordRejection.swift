/// Why a well-formed record is refused. The sender is logged once; its other records are still taken.
package enum RecordRejection: String, Error, Sendable, CaseIterable {
    /// The seal or the signature is wrong: forged, damaged, or made for another zone.
    case notAuthentic
    /// The seal opens, but the content is not in the canonical form.
    case malformedMeta
    /// The content belongs to another slot than the record's.
    case foreignSlot
    /// The fields do not fit the type.
    case malformedFields
    /// The zone has `Limits.lanes` lanes, or the lane `Limits.forksPerSeq` records at this seq. Not the sender's fault.
    case overLimit
    /// There is no evidence yet that the record deserves its storage; it may be accepted later. Not the sender's fault.
    case notYet
    /// Its lane was removed, and it is not among what stays. Not the sender's fault, which may not have heard of it.
    case removed

    /// Whether the sender may have thought that the record would be taken.
    package var isNobodysFault: Bool { self == .overLimit || self == .notYet || self == .removed }
}
