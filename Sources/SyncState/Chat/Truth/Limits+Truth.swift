extension Limits {
    /// Facts in one record: of the longest encoding (65 bytes) they fit the 4 KiB of a record with its seal.
    package static let factsInRecord = 58
    /// Highest revision: a signed word of the database holds it, and nobody gets there by counting.
    package static let revision: UInt64 = (1 << 62) - 1
}
