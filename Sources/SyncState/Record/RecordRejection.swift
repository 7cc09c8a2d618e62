/// Why a well-formed record is not taken. The sender is named in the log once; the other records go on.
package enum RecordRejection: String, Error, Sendable, CaseIterable {
    /// The seal does not open: forged, damaged, or sealed for another zone.
    case notAuthentic
    /// Opens, and is not of the canonical form.
    case malformedMeta
    /// The content names another slot than the record stands in.
    case foreignSlot
    /// The fields do not fit the type.
    case malformedFields
    /// The zone has `Limits.lanes` lanes, or the lane `Limits.forksPerSeq` records at this seq. Not the sender's fault.
    case overLimit
    /// Nothing says yet that it is worth its blob: it may be taken later. Not the sender's fault.
    case notYet
}
