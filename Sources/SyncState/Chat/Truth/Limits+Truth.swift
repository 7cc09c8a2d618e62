extension Limits {
    /// Facts in one record: of the longest encoding (65 bytes) they fit the 4 KiB of a record with its seal.
    package static let factsInRecord = 58
}
